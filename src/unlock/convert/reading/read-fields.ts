import type { Pdfium } from '../../../pdf/pdfium/load-pdfium.ts';
import type { OpenDocument } from '../../../pdf/pdfium/open-document.ts';
import { placeOnPage, rectangleOf } from '../../../pdf/pdfium/place-on-page.ts';
import type { FormField } from '../../blocks.ts';
import { cleanText } from '../layout/clean-text.ts';

/** The form of an open document. */
export interface OpenForm {
  /** Returns the visible fields of a loaded page. */
  fieldsOf(page: number): FormField[];
}

const fieldsMax = 2000;
/** Longer texts are cut. Editing has the same limit. */
const textLengthMax = 20_000;
const hidden = 0x02 | 0x20;

/* biome-ignore format: a table reads as a table */
const kinds: Record<number, FormField['kind']> = {
  1: 'button', 2: 'checkbox', 3: 'radio', 4: 'choice', 5: 'choice', 6: 'text', 7: 'signature',
};

export function openForm(document: OpenDocument): OpenForm | null {
  const { pdfium, handle } = document;
  if (pdfium.FPDF_GetFormType(handle) === 0) return null;
  const form = document.form();
  if (form === 0) return null;
  return {
    fieldsOf(page) {
      // Before this call, PDFium reports every box as not ticked.
      pdfium.FORM_OnAfterLoadPage(page, form);
      try {
        return readFields(pdfium, form, page);
      } finally {
        pdfium.FORM_OnBeforeClosePage(page, form);
      }
    },
  };
}

function readFields(pdfium: Pdfium, form: number, page: number): FormField[] {
  const toShown = placeOnPage(pdfium, page);
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), fieldsMax);
  const fields: FormField[] = [];
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const kind = kinds[pdfium.FPDFAnnot_GetFormFieldType(form, annotation)];
    const isShown = (pdfium.FPDFAnnot_GetFlags(annotation) & hidden) === 0;
    if (kind !== undefined && isShown) {
      const box = toShown(rectangleOf(pdfium, annotation));
      fields.push({ type: 'field', kind, ...box, ...describe(pdfium, form, annotation, kind) });
    }
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
  return fields;
}

function describe(pdfium: Pdfium, form: number, annotation: number, kind: FormField['kind']) {
  const isTicked = kind === 'checkbox' || kind === 'radio';
  const read = (get: (buffer: number, bytes: number) => number) => readText(pdfium, get);
  const name = read((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldName(form, annotation, buffer, bytes));
  const label = read((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldAlternateName(form, annotation, buffer, bytes));
  const value = isTicked
    ? read((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldExportValue(form, annotation, buffer, bytes))
    : read((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes));
  return {
    name,
    label: label === '' ? null : label,
    value: value === '' || kind === 'signature' ? null : value,
    checked: isTicked ? pdfium.FPDFAnnot_IsChecked(form, annotation) : null,
  };
}

/** Reads a text as one line. PDFium returns UTF-16 with a zero at the end, and its length in bytes. */
function readText({ memory }: Pdfium, get: (buffer: number, bytes: number) => number): string {
  const bytes = get(0, 0);
  if (bytes <= 2) return '';
  const buffer = memory.allocate(bytes);
  try {
    get(buffer, bytes);
    const text = Buffer.from(memory.bytes(buffer, Math.min(bytes - 2, 2 * textLengthMax))).toString('utf16le');
    return cut(
      cleanText(
        cut(text)
          .toWellFormed()
          .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
      ),
    );
  } finally {
    memory.free(buffer);
  }
}

/** Cuts a text, but not within a character of two code units. */
function cut(text: string): string {
  return text.slice(0, textLengthMax).replace(/[\ud800-\udbff]$/, '');
}
