import {
  type PDF,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  type PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';
import { resolverOf, type TreePage } from '../page-tree.ts';

/** Annotation flags (ISO 32000-1, table 165). */
const hiddenOrNoView = 2 | 32;
const noZoomOrRotate = 8 | 16;
const printAndLocked = 4 | 64 | 128 | 512;

/**
 * Turns the form fields of a page into stamps with the same appearance. They don't become part of the content, because content may
 * leave states open that would move or hide what is drawn after it. Leaves out hidden fields, and values without an appearance, which
 * only fields get from viewers. PDFium shows fields of hidden layers, so stamps have no layer.
 */
export function stampFields(pdf: PDF, { dict }: TreePage): void {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const annotations = dict.getArray('Annots', resolve);
  if (annotations === undefined) return;
  const kept = [...annotations].flatMap((item) => {
    const annotation = resolverOf(pdf)(item);
    if (!(annotation instanceof PdfDict) || annotation.getName('Subtype', resolve)?.value !== 'Widget') return [item];
    const stamp = stampOf(pdf, annotation);
    return stamp === null ? [] : [pdf.register(stamp)];
  });
  dict.set('Annots', new PdfArray(kept));
}

function stampOf(pdf: PDF, field: PdfDict): PdfDict | null {
  const flags = field.getNumber('F', (ref) => pdf.context.resolve(ref))?.value ?? 0;
  const [rectangle, appearance] = [field.get('Rect'), appearanceOf(pdf, field)];
  if ((flags & hiddenOrNoView) !== 0 || rectangle === undefined || appearance === undefined) return null;
  return PdfDict.of({
    Type: PdfName.of('Annot'),
    Subtype: PdfName.of('Stamp'),
    Rect: rectangle,
    F: PdfNumber.of((flags & noZoomOrRotate) | printAndLocked),
    AP: PdfDict.of({ N: appearance }),
  });
}

/** Returns the appearance that PDFium shows. A ticked box has one for each state (ISO 32000-1, 12.5.5). */
function appearanceOf(pdf: PDF, field: PdfDict): PdfObject | undefined {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const appearances = field.getDict('AP', resolve);
  const normal = appearances?.get('N', resolve);
  const shown = normal instanceof PdfDict && !(normal instanceof PdfStream) ? normal : appearances;
  const entry = shown?.get(shown === appearances ? 'N' : stateOf(pdf, field, shown));
  return resolverOf(pdf)(entry) instanceof PdfStream ? entry : undefined;
}

function stateOf(pdf: PDF, field: PdfDict, states: PdfDict): string {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const textOf = (value: PdfObject | undefined) =>
    value instanceof PdfName ? value.value : value instanceof PdfString ? value.asString() : '';
  const state = textOf(field.get('AS', resolve));
  if (state !== '') return state;
  const value = textOf(field.get('V', resolve)) || textOf(field.getDict('Parent', resolve)?.get('V', resolve));
  return value !== '' && states.has(value) ? value : 'Off';
}
