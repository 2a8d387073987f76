import { PdfArray, type PdfObject } from '@libpdf/core';
import type { PageView } from '../../pdf/drawing/canvas.ts';
import type { TreePage } from '../../pdf/page-tree.ts';
import type { Area } from './draw-value.ts';

/** A box in the coordinates of the page content. */
export type Box = [left: number, bottom: number, right: number, top: number];
type Resolve = (item: PdfObject | undefined) => PdfObject | null | undefined;

/** Default page size: US Letter, in points. */
const letter: Box = [0, 0, 612, 792];

/**
 * Returns the page as readers show it: the crop box within the media box, rotated by `/Rotate`. The matrix converts from
 * the page as shown (points from its lower left corner) to the coordinates of the page content. Throws for entries that readers
 * show in different ways: a value must be sealed where its recipient saw it.
 */
export function pageView(page: TreePage, resolve: Resolve): PageView {
  const media = boxOf(page.inherited('MediaBox'), resolve) ?? letter;
  const crop = boxOf(page.inherited('CropBox'), resolve);
  const shown = crop === null ? media : overlap(crop, media);
  if (shown === null) throw new Error('the crop box of a page lies outside its media box');
  const [left, bottom, right, top] = shown;
  const [width, height] = [right - left, top - bottom];
  switch (rotationOf(page, resolve)) {
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

/** Converts an area of the page as shown, with `y` down from its upper edge. */
export function boxOfArea(
  { x, y, width, height }: Area,
  { height: pageHeight, matrix: [a, b, c, d, e, f] }: PageView,
): Box {
  const corner = (right: number, down: number): [number, number] => {
    const up = pageHeight - down;
    return [a * right + c * up + e, b * right + d * up + f];
  };
  return inOrder([...corner(x, y), ...corner(x + width, y + height)]);
}

/** Returns the clockwise rotation in degrees: 0, 90, 180 or 270. */
function rotationOf(page: TreePage, resolve: Resolve): number {
  const rotate = resolve(page.inherited('Rotate'));
  if (isAbsent(rotate)) return 0;
  if (rotate.type !== 'number' || rotate.value % 90 !== 0) throw new Error('a page is rotated by no quarter turn');
  return ((rotate.value % 360) + 360) % 360;
}

/** Returns a box with its corners in order. Null if there is none, or if it is empty, which is no box for readers either. */
function boxOf(value: PdfObject | undefined, resolve: Resolve): Box | null {
  const box = resolve(value);
  if (isAbsent(box)) return null;
  const corners = box instanceof PdfArray ? [...box].map((item) => resolve(item)) : [];
  const numbers = corners.map((item) => (item?.type === 'number' ? item.value : Number.NaN));
  if (numbers.length !== 4 || numbers.some(Number.isNaN)) throw new Error('a box of a page is not four numbers');
  return nonEmpty(inOrder(numbers as Box));
}

/** Returns the box with these opposite corners. */
export function inOrder([x1, y1, x2, y2]: Box): Box {
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

function isAbsent(value: PdfObject | null | undefined): value is null | undefined {
  return value === null || value === undefined || value.type === 'null';
}

/** Returns what two boxes have in common, or null. */
export function overlap(a: Box, b: Box): Box | null {
  return nonEmpty([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
}

function nonEmpty(box: Box): Box | null {
  return box[2] > box[0] && box[3] > box[1] ? box : null;
}
