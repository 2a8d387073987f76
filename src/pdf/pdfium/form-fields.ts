import { hiddenOrNoView } from '../annotation-flags.ts';
import type { Pdfium } from './load-pdfium.ts';
import { type OpenDocument, withPage } from './open-document.ts';
import { type Box, placeOnPage, rectangleOf } from './place-on-page.ts';

/** A place of a PDF's form that people fill in, on the page as shown. Texts are as the file has them. */
export interface FormField extends Box {
  kind: 'checkbox' | 'radio' | 'list' | 'text' | 'signature';
  /** From 1. */
  page: number;
  /** The full name in the form, such as `person.address`. Fields of one name are one field, and radio buttons of one name a group. */
  name: string;
  /** What programs show people and read to them. Empty: nothing. */
  description: string;
  isRequired: boolean;
  /** Whether the field has a value, is ticked, or is signed. */
  isFilled: boolean;
  /** Whether it is more than a text or one choice of a list: a password, a file, several choices, or an endless list. */
  isSpecial: boolean;
  /** What a radio button stands for. Empty for others. */
  choice: string;
  /** The options of a list. Empty for others. */
  options: string[];
  /** The script that writes a value as people read it, such as `AFNumber_Format(2, …)`. It is never run. */
  format: string;
}

/** More fields than a document can have. */
const fieldsMax = 600;
const optionsMax = 101;
/** More annotations of a page are not read. */
const annotationsMax = 2000;
/** A longer text isn't read. PDFium writes no part of it. */
const textBytesMax = 4000;
/** With the zero at its end. No document has longer options. */
const optionBytesMax = 402;

/** Types of form fields of PDFium (`fpdf_formfill.h`). Push buttons are no fields for people. */
const kinds: Record<number, FormField['kind']> = {
  2: 'checkbox',
  3: 'radio',
  4: 'list',
  5: 'list',
  6: 'text',
  7: 'signature',
};
/** Flags of form fields (ISO 32000-1, tables 221, 228 and 230). */
const flags = { readOnly: 1, required: 1 << 1, password: 1 << 13, file: 1 << 20, severalChoices: 1 << 21 };
/** When a script runs (`fpdf_annot.h`). */
const onFormat = 13;

/**
 * Reads the form of a freshly opened document: its shown fields that are not read-only, page by page in the order of the file. A
 * document whose pages were drawn has none left, see `showFormFields`.
 */
export function readFormFields(document: OpenDocument): FormField[] {
  const { pdfium, handle, pageCount } = document;
  const fields: FormField[] = [];
  for (let page = 1; page <= pageCount && fields.length < fieldsMax; page += 1) {
    // Loading a page takes long, counting its annotations doesn't.
    if (pdfium.EPDFPage_GetAnnotCountRaw(handle, page - 1) <= 0) continue;
    withPage(document, page, (loaded) => {
      // PDFium knows which boxes are ticked once the form has seen the page.
      pdfium.FORM_OnAfterLoadPage(loaded, document.form());
      fields.push(...readPage(document, loaded, page));
      pdfium.FORM_OnBeforeClosePage(loaded, document.form());
    });
  }
  return fields.slice(0, fieldsMax);
}

function readPage(document: OpenDocument, loaded: number, page: number): FormField[] {
  const { pdfium } = document;
  const toShown = placeOnPage(pdfium, loaded);
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(loaded), annotationsMax);
  return Array.from({ length: count }, (_, index) => {
    const annotation = pdfium.FPDFPage_GetAnnot(loaded, index);
    if (annotation === 0) return [];
    try {
      const field = readField(document, annotation);
      return field === null ? [] : [{ ...field, page, ...toShown(rectangleOf(pdfium, annotation)) }];
    } finally {
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
  }).flat();
}

/** Returns null for an annotation that is no field for people. */
function readField(document: OpenDocument, annotation: number): Omit<FormField, 'page' | keyof Box> | null {
  const { pdfium } = document;
  const form = document.form();
  const kind = kinds[pdfium.FPDFAnnot_GetFormFieldType(form, annotation)];
  if (kind === undefined || (pdfium.FPDFAnnot_GetFlags(annotation) & hiddenOrNoView) !== 0) return null;
  const set = pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation);
  if ((set & flags.readOnly) !== 0) return null;
  const read = (of: ReadsText) => readText(pdfium, (to, bytes) => pdfium[of](form, annotation, to, bytes)) ?? '';
  const options = kind === 'list' ? readOptions(pdfium, form, annotation) : [];
  return {
    kind,
    name: read('FPDFAnnot_GetFormFieldName'),
    description: read('FPDFAnnot_GetFormFieldAlternateName'),
    isRequired: (set & flags.required) !== 0,
    isFilled: isFilled(document, annotation, kind),
    isSpecial:
      (kind === 'text' && (set & (flags.password | flags.file)) !== 0) ||
      (kind === 'list' && (set & flags.severalChoices) !== 0) ||
      options === null,
    choice: kind === 'radio' ? read('FPDFAnnot_GetFormFieldExportValue') : '',
    options: options ?? [],
    format: kind === 'text' ? readFormat(pdfium, form, annotation) : '',
  };
}

type ReadsText =
  | 'FPDFAnnot_GetFormFieldName'
  | 'FPDFAnnot_GetFormFieldAlternateName'
  | 'FPDFAnnot_GetFormFieldValue'
  | 'FPDFAnnot_GetFormFieldExportValue';

function isFilled({ pdfium, form }: OpenDocument, annotation: number, kind: FormField['kind']): boolean {
  if (kind === 'checkbox' || kind === 'radio') return pdfium.FPDFAnnot_IsChecked(form(), annotation);
  if (kind === 'signature') return pdfium.FPDFAnnot_HasKey(annotation, 'V');
  const value = readText(pdfium, (to, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form(), annotation, to, bytes));
  return value === null || value.trim() !== '';
}

/** Returns null if there are more or longer options than any document has. */
function readOptions(pdfium: Pdfium, form: number, annotation: number): string[] | null {
  const count = pdfium.FPDFAnnot_GetOptionCount(form, annotation);
  if (count > optionsMax) return null;
  const options = Array.from({ length: Math.max(0, count) }, (_, index) =>
    readText(
      pdfium,
      (to, bytes) => pdfium.FPDFAnnot_GetOptionLabel(form, annotation, index, to, bytes),
      optionBytesMax,
    ),
  );
  return options.every((option) => option !== null) ? options : null;
}

function readFormat(pdfium: Pdfium, form: number, annotation: number): string {
  return (
    readText(pdfium, (to, bytes) =>
      pdfium.FPDFAnnot_GetFormAdditionalActionJavaScript(form, annotation, onFormat, to, bytes),
    ) ?? ''
  );
}

/**
 * Reads a text that PDFium writes as UTF-16 with a zero at the end. `write` returns the number of its bytes, and writes nothing
 * without enough room. Returns null if the text is longer than `bytesMax`.
 */
function readText(
  { memory }: Pdfium,
  write: (to: number, bytes: number) => number,
  bytesMax = textBytesMax,
): string | null {
  const bytes = write(0, 0);
  if (bytes <= 2) return '';
  if (bytes > bytesMax) return null;
  const buffer = memory.allocate(bytes);
  try {
    write(buffer, bytes);
    return Buffer.from(memory.bytes(buffer, bytes - 2))
      .toString('utf16le')
      .toWellFormed();
  } finally {
    memory.free(buffer);
  }
}
