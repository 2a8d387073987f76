import { type PDF, PdfDict, PdfNumber, type PdfRef } from '@libpdf/core';
import type { PageView } from '../../pdf/drawing/canvas.ts';
import { resolverOf, type TreePage } from '../../pdf/page-tree.ts';
import type { Area } from './draw-value.ts';

const hidden = 2;

/** Whether an annotation with an appearance lies over one of the areas, which are on the page as shown. */
export function isCovered(pdf: PDF, page: TreePage, view: PageView, areas: readonly Area[]): boolean {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const annotations = page.dict.getArray('Annots', resolve) ?? [];
  return [...annotations].some((item) => {
    const annotation = resolverOf(pdf)(item);
    if (!(annotation instanceof PdfDict) || !annotation.has('AP')) return false;
    if (((annotation.getNumber('F', resolve)?.value ?? 0) & hidden) !== 0) return false;
    const corners = [...(annotation.getArray('Rect', resolve) ?? [])]
      .map((corner) => resolverOf(pdf)(corner))
      .map((corner) => (corner instanceof PdfNumber ? corner.value : 0));
    return areas.some((area) => overlap(corners, rectangleOf(area, view)));
  });
}

/** Converts an area to opposite corners in the coordinates of the page content. */
function rectangleOf(
  { x, y, width, height }: Area,
  { height: pageHeight, matrix: [a, b, c, d, e, f] }: PageView,
): number[] {
  const corner = (right: number, down: number) => [
    a * right + c * (pageHeight - down) + e,
    b * right + d * (pageHeight - down) + f,
  ];
  return [...corner(x, y), ...corner(x + width, y + height)];
}

function overlap(first: readonly number[], second: readonly number[]): boolean {
  return [0, 1].every((axis) => {
    const [a, b] = [first, second].map((corners) => [corners[axis] ?? 0, corners[axis + 2] ?? 0]);
    return Math.min(...(a ?? [])) < Math.max(...(b ?? [])) && Math.min(...(b ?? [])) < Math.max(...(a ?? []));
  });
}
