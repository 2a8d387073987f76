import { type PDF, type PdfDict, PdfName, PdfNumber, type PdfRef } from '@libpdf/core';
import { annotationFlags } from '../../pdf/annotation-flags.ts';
import { annotationsOf, appearanceOf, flagsOf, subtypeOf } from '../../pdf/annotations.ts';
import type { PageView } from '../../pdf/drawing/canvas.ts';
import { resolverOf, type TreePage } from '../../pdf/page-tree.ts';
import type { Area } from './draw-value.ts';
import { type Box, boxOfArea, inOrder, overlap } from './page-view.ts';

const fixed = annotationFlags.noRotate | annotationFlags.noZoom;

/** Returns the annotations of a page that lie over one of the areas, which are on the page as shown. */
export function coveringAnnotations(pdf: PDF, page: TreePage, view: PageView, areas: readonly Area[]): PdfDict[] {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  return annotationsOf(pdf, page.dict).filter((annotation) => {
    const [type, flags] = [subtypeOf(pdf, annotation), flagsOf(pdf, annotation)];
    if (type === 'Popup' || (type === 'Link' && !annotation.has('AP'))) return false;
    if ((flags & annotationFlags.hidden) !== 0) return false;
    const corners = [...(annotation.getArray('Rect', resolve) ?? [])]
      .map((corner) => resolverOf(pdf)(corner))
      .map((corner) => (corner instanceof PdfNumber ? corner.value : 0));
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = corners;
    const box = inOrder([x1, y1, x2, y2]);
    const reached = (flags & fixed) === 0 ? box : aroundCorner(box);
    return areas.some((area) => overlap(reached, boxOfArea(area, view)) !== null);
  });
}

/** Returns where an annotation can be that viewers keep upright, or at its size, at its upper left corner. */
function aroundCorner([left, bottom, right, top]: Box): Box {
  const side = Math.max(right - left, top - bottom);
  return [left - side, top - side, left + side, top + side];
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
