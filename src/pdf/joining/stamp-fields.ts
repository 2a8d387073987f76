import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber } from '@libpdf/core';
import { annotationFlags, hiddenOrNoView, printAndLocked } from '../annotation-flags.ts';
import { appearanceOf, flagsOf, isDrawnPopup, subtypeOf } from '../annotations.ts';
import { resolverOf, type TreePage } from '../page-tree.ts';

const noZoomOrRotate = annotationFlags.noZoom | annotationFlags.noRotate;

/**
 * Turns the form fields of a page into stamps with the same appearance. They don't become part of the content, because content may
 * leave states open that would move or hide what is drawn after it. Leaves out pop-ups with an appearance, hidden fields, and values
 * without an appearance, which only fields get from viewers. PDFium shows fields of hidden layers, so stamps have no layer.
 */
export function stampFields(pdf: PDF, { dict }: TreePage): void {
  const annotations = dict.getArray('Annots', (ref) => pdf.context.resolve(ref));
  if (annotations === undefined) return;
  const kept = [...annotations].flatMap((item) => {
    const annotation = resolverOf(pdf)(item);
    if (annotation instanceof PdfDict && isDrawnPopup(pdf, annotation)) return [];
    if (!(annotation instanceof PdfDict) || subtypeOf(pdf, annotation) !== 'Widget') return [item];
    const stamp = stampOf(pdf, annotation);
    return stamp === null ? [] : [pdf.register(stamp)];
  });
  dict.set('Annots', new PdfArray(kept));
}

function stampOf(pdf: PDF, field: PdfDict): PdfDict | null {
  const flags = flagsOf(pdf, field);
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
