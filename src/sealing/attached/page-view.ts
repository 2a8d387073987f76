import { PdfArray, type PdfObject } from '@libpdf/core';
import type { PageView } from '../../pdf/drawing/canvas.ts';
import type { TreePage } from '../../pdf/page-tree.ts';

type Box = [left: number, bottom: number, right: number, top: number];
type Resolve = (item: PdfObject | undefined) => PdfObject | null | undefined;

/** Default page size: US Letter, in points. */
const letter: Box = [0, 0, 612, 792];

/**
 * Returns the page as readers show it: the crop box within the media box, rotated by `/Rotate`. The matrix converts from
 * the page as shown (points from its lower left corner) to the coordinates of the page content.
 */
export function pageView(page: TreePage, resolve: Resolve): PageView {
  const media = boxOf(page.inherited('MediaBox'), resolve) ?? letter;
  const crop = boxOf(page.inherited('CropBox'), resolve);
  const [left, bottom, right, top] = (crop && overlap(crop, media)) ?? media;
  const [width, height] = [right - left, top - bottom];
  switch (rotationOf(page)) {
    case 90:
      return { width: height, height: width, matrix: [0, 1, -1, 0, right, bottom] };
    case 180:
      return { width, height, matrix: [-1, 0, 0, -1, right, top] };
    case 270:
      return { width: height, height: width, matrix: [0, -1, 1, 0, left, top] };
    default:
      return { width, height, matrix: [1, 0, 0, 1, left, bottom] };
  }
}

/** Returns the clockwise rotation in degrees. The caller treats values other than quarter turns as 0. */
function rotationOf(page: TreePage): number {
  const rotate = page.inherited('Rotate');
  return rotate?.type === 'number' ? ((rotate.value % 360) + 360) % 360 : 0;
}

/** Returns a box with its corners in order. Returns null unless the value is four numbers that span an area. */
function boxOf(value: PdfObject | undefined, resolve: Resolve): Box | null {
  if (!(value instanceof PdfArray)) return null;
  const numbers = [...value].map((item) => {
    const number = resolve(item);
    return number?.type === 'number' ? number.value : Number.NaN;
  });
  const [x1 = Number.NaN, y1 = Number.NaN, x2 = Number.NaN, y2 = Number.NaN] = numbers;
  return nonEmpty([Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]);
}

function overlap(a: Box, b: Box): Box | null {
  return nonEmpty([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
}

function nonEmpty(box: Box): Box | null {
  return box[2] > box[0] && box[3] > box[1] ? box : null;
}
