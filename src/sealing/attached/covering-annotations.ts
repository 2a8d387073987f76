import { type PDF, type PdfDict, PdfName, PdfNumber, type PdfRef } from '@libpdf/core';
import { annotationFlags } from '../../pdf/annotation-flags.ts';
import { annotationsOf, appearanceOf, flagsOf, subtypeOf } from '../../pdf/annotations.ts';
import type { PageView } from '../../pdf/drawing/canvas.ts';
import { resolverOf, type TreePage } from '../../pdf/page-tree.ts';
import type { Area } from './draw-value.ts';
import { boxOfArea, inOrder, overlap } from './page-view.ts';

/** Types of annotations that cover nothing. */
const unseen = ['Link', 'Popup'];

/** Returns the annotations of a page that lie over one of the areas, which are on the page as shown. */
export function coveringAnnotations(pdf: PDF, page: TreePage, view: PageView, areas: readonly Area[]): PdfDict[] {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  return annotationsOf(pdf, page.dict).filter((annotation) => {
    if (unseen.includes(subtypeOf(pdf, annotation))) return false;
    if ((flagsOf(pdf, annotation) & annotationFlags.hidden) !== 0) return false;
    const corners = [...(annotation.getArray('Rect', resolve) ?? [])]
      .map((corner) => resolverOf(pdf)(corner))
      .map((corner) => (corner instanceof PdfNumber ? corner.value : 0));
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = corners;
    return areas.some((area) => overlap(inOrder([x1, y1, x2, y2]), boxOfArea(area, view)) !== null);
  });
}

/**
 * Turns the form fields among the annotations into stamps of the same look: some viewers draw fields above everything else, whatever
 * their order. A field without an appearance to show stays one, because only fields get theirs from viewers.
 */
export function stampFieldsAmong(pdf: PDF, annotations: readonly PdfDict[]): void {
  for (const annotation of annotations) {
    if (subtypeOf(pdf, annotation) !== 'Widget' || appearanceOf(pdf, annotation) === undefined) continue;
    annotation.set('Subtype', PdfName.of('Stamp'));
  }
}
