import { type PDF, PdfDict, PdfName, type PdfObject, type PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { annotationFlags } from './annotation-flags.ts';
import { resolverOf } from './page-tree.ts';

/** Returns the annotations of a page, resolved. Leaves out entries that aren't dictionaries. */
export function annotationsOf(pdf: PDF, page: PdfDict): PdfDict[] {
  const list = page.getArray('Annots', (ref) => pdf.context.resolve(ref));
  return [...(list ?? [])].map(resolverOf(pdf)).filter((item) => item instanceof PdfDict);
}

export function subtypeOf(pdf: PDF, annotation: PdfDict): string {
  return annotation.getName('Subtype', (ref) => pdf.context.resolve(ref))?.value ?? '';
}

export function flagsOf(pdf: PDF, annotation: PdfDict): number {
  return annotation.getNumber('F', (ref) => pdf.context.resolve(ref))?.value ?? 0;
}

/**
 * Returns the appearance that PDFium shows. A ticked box has one for each state (ISO 32000-1, 12.5.5). Undefined when there is none:
 * readers then draw some fields themselves, and other annotations not at all.
 */
export function appearanceOf(pdf: PDF, annotation: PdfDict): PdfObject | undefined {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const state = shownState(pdf, annotation);
  const appearances = annotation.getDict('AP', resolve);
  const entry = state === null ? appearances?.get('N') : appearances?.getDict('N', resolve)?.get(state);
  return resolverOf(pdf)(entry) instanceof PdfStream ? entry : undefined;
}

/** Returns the state that PDFium shows of an annotation with an appearance for each state. Null for other annotations. */
export function shownState(pdf: PDF, annotation: PdfDict): string | null {
  const states = annotation
    .getDict('AP', (ref) => pdf.context.resolve(ref))
    ?.get('N', (ref) => pdf.context.resolve(ref));
  return states instanceof PdfDict && !(states instanceof PdfStream) ? stateOf(pdf, annotation, states) : null;
}

function stateOf(pdf: PDF, annotation: PdfDict, states: PdfDict): string {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const textOf = (value: PdfObject | undefined) =>
    value instanceof PdfName ? value.value : value instanceof PdfString ? value.asString() : '';
  const state = textOf(annotation.get('AS', resolve));
  if (state !== '') return state;
  const value =
    textOf(annotation.get('V', resolve)) || textOf(annotation.getDict('Parent', resolve)?.get('V', resolve));
  return value !== '' && states.has(value) ? value : 'Off';
}

/** Whether an annotation is a pop-up with an appearance. PDFium never draws it, and other readers do. */
export function isDrawnPopup(pdf: PDF, annotation: PdfDict): boolean {
  const isHidden = (flagsOf(pdf, annotation) & annotationFlags.hidden) !== 0;
  return subtypeOf(pdf, annotation) === 'Popup' && annotation.has('AP') && !isHidden;
}
