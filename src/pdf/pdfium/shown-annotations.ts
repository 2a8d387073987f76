import { hiddenOrNoView } from '../annotation-flags.ts';
import type { OpenDocument } from './open-document.ts';

/** Annotation types of PDFium (`fpdf_annot.h`). */
const types = { link: 2, popup: 16, widget: 20 };
/** Types of form fields whose values PDFium can draw (`fpdf_formfill.h`): from check boxes to texts. */
const valueTypes = { first: 2, last: 6 };
const textTypes = { first: 4, last: 6 };
const normalAppearance = 0;
/** A type of annotation that PDFium draws as it is: by its appearance, in the order of the page's annotations. */
const drawnType = Buffer.from('Screen\0', 'utf16le');

/**
 * Makes PDFium draw the form fields of a loaded page as viewers do, with the appearances that the file has. PDFium leaves fields
 * to its form filler, which would draw other values than the sealed PDF has: it replaces the appearances of a file with
 * `NeedAppearances`, which is removed when the file is sealed. So fields become annotations of another type, in memory.
 */
export function showFormFields(document: OpenDocument, page: number): void {
  const { pdfium } = document;
  const { memory } = pdfium;
  const type = memory.allocate(drawnType.length);
  try {
    memory.bytes(type, drawnType.length).set(drawnType);
    for (let index = pdfium.FPDFPage_GetAnnotCount(page) - 1; index >= 0; index -= 1) {
      const annotation = pdfium.FPDFPage_GetAnnot(page, index);
      if (annotation === 0) continue;
      if (pdfium.FPDFAnnot_GetSubtype(annotation) === types.widget) {
        addAppearance(document, annotation);
        pdfium.FPDFAnnot_SetStringValue(annotation, 'Subtype', type);
      }
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
  } finally {
    memory.free(type);
  }
}

/** Whether an annotation is drawn and may have text of its own. */
export function mayShowText({ pdfium }: OpenDocument, annotation: number): boolean {
  const type = pdfium.FPDFAnnot_GetSubtype(annotation);
  const isShown = (pdfium.FPDFAnnot_GetFlags(annotation) & hiddenOrNoView) === 0;
  return isShown && type !== types.link && type !== types.popup;
}

/**
 * Makes an appearance for a form field that has a value and no appearance, which many viewers do too. Fields that are not in the
 * form of the document get none, because a file without a form gets one when it is sealed.
 */
export function addAppearance(document: OpenDocument, annotation: number): void {
  const { pdfium } = document;
  if (hasAppearance(document, annotation)) return;
  const field = pdfium.FPDFAnnot_GetFormFieldType(document.form(), annotation);
  if (isAmong(field, valueTypes)) pdfium.EPDFAnnot_GenerateFormFieldAP(annotation);
}

/** A box may have no appearance for its state. A text without one is drawn from its value by many viewers. */
function hasAppearance(document: OpenDocument, annotation: number): boolean {
  const { pdfium } = document;
  if (!pdfium.FPDFAnnot_HasKey(annotation, 'AP')) return false;
  if (pdfium.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance)) return true;
  return !isTextField(document, annotation);
}

/** Whether an annotation is a text field or a list. */
export function isTextField(document: OpenDocument, annotation: number): boolean {
  return isAmong(document.pdfium.FPDFAnnot_GetFormFieldType(document.form(), annotation), textTypes);
}

function isAmong(type: number, { first, last }: { first: number; last: number }): boolean {
  return type >= first && type <= last;
}
