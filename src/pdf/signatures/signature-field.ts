import { type PDF, type PDFForm, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef } from '@libpdf/core';
import { readPages } from '../page-tree.ts';

/** Annotation flags of a field that is neither drawn nor changed: print, locked (ISO 32000-1, table 165). */
const printAndLocked = 132;

/**
 * Prepares an unsigned signature field for its value, which `sign` sets. Creates the field unless it exists. The field is its
 * own invisible widget on the first page.
 */
export function addSignatureField(pdf: PDF, name: string, sign: (field: PdfDict) => void): void {
  const form = formOf(pdf);
  const existing = form.getSignatureFields().find((field) => field.name === name);
  const field = (existing ?? form.createSignatureField(name)).getDict();
  const page = pdf.getPage(0);
  if (page === null) throw new Error('a document without pages cannot be signed');
  field.delete('Kids');
  field.set('Type', PdfName.of('Annot'));
  field.set('Subtype', PdfName.of('Widget'));
  field.set('F', PdfNumber.of(printAndLocked));
  field.set('P', page.ref);
  field.set('Rect', new PdfArray([0, 0, 0, 0].map((number) => PdfNumber.of(number))));
  sign(field);
}

/**
 * Returns the form, or a new one without the text settings of libpdf, which name fonts that the file doesn't have. They stay for
 * annotations that readers draw: without a form, PDFium draws these with the same fonts, and in an empty form it doesn't.
 */
function formOf(pdf: PDF): PDFForm {
  const existing = pdf.getForm();
  if (existing !== null) return existing;
  const form = pdf.getOrCreateForm();
  const dict = pdf.context.catalog.getDict().getDict('AcroForm', (ref) => pdf.context.resolve(ref));
  dict?.delete('NeedAppearances');
  if (!hasTextToDraw(pdf)) for (const key of ['DR', 'DA']) dict?.delete(key);
  return form;
}

/** Whether a page has a text annotation without an appearance. */
function hasTextToDraw(pdf: PDF): boolean {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  return readPages(pdf).some(({ dict }) =>
    [...(dict.getArray('Annots', resolve) ?? [])].some((entry) => {
      const annotation = entry instanceof PdfRef ? resolve(entry) : entry;
      return (
        annotation instanceof PdfDict && annotation.getName('Subtype')?.value === 'FreeText' && !annotation.has('AP')
      );
    }),
  );
}
