import { type PDF, type PDFForm, PdfArray, type PdfDict, PdfName, PdfNumber } from '@libpdf/core';
import { annotationFlags } from '../annotation-flags.ts';
import { annotationsOf, subtypeOf } from '../annotations.ts';
import { readPages } from '../page-tree.ts';

/** Flags of a field that is neither drawn nor changed. */
const fieldFlags = annotationFlags.print | annotationFlags.locked;

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
  field.set('F', PdfNumber.of(fieldFlags));
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
  return readPages(pdf).some(({ dict }) =>
    annotationsOf(pdf, dict).some((annotation) => subtypeOf(pdf, annotation) === 'FreeText' && !annotation.has('AP')),
  );
}
