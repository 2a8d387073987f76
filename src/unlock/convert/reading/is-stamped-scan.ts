import type { Pdfium } from '../../../pdf/pdfium/load-pdfium.ts';
import type { Box } from '../../../pdf/pdfium/place-on-page.ts';
import type { Size } from './upright.ts';

/** Minimum part of the page that the pictures of a scan cover. */
const picturesMin = 0.8;
/** Maximum part of the page that stamped text covers. */
const stampsMax = 0.05;
/** Maximum depth of forms in forms. */
const depthMax = 4;
const objectsMax = 20_000;
const [textObject, imageObject, formObject] = [1, 3, 5];
/** Text render modes that draw nothing. */
const invisible = [3, 7];

/**
 * Whether a loaded page is a scan with a little text drawn over it, such as a page number or an envelope ID. Not a scan with
 * a text layer of its own: that is invisible, or below the picture.
 */
export function isStampedScan(pdfium: Pdfium, page: number, size: Size, words: readonly Box[]): boolean {
  const area = size.width * size.height;
  if (words.reduce((sum, { width, height }) => sum + width * height, 0) > stampsMax * area) return false;
  let covered = 0;
  let listed = 0;
  for (const { object, type, scale } of listObjects(pdfium, page)) {
    listed += 1;
    if (listed > objectsMax) return false;
    if (type === imageObject) covered += scale * scaleOf(pdfium, object);
    else if (covered < picturesMin * area || invisible.includes(pdfium.FPDFTextObj_GetTextRenderMode(object)))
      return false;
  }
  return covered >= picturesMin * area;
}

interface DrawnObject {
  object: number;
  type: number;
  /** Area on the page of one square unit of the form that has the object. */
  scale: number;
}

/** Lists texts and pictures in the order in which they are drawn, also those in forms. */
function* listObjects(pdfium: Pdfium, page: number): Generator<DrawnObject> {
  const count = pdfium.FPDFPage_CountObjects(page);
  for (let index = 0; index < count; index += 1)
    yield* listObject(pdfium, pdfium.FPDFPage_GetObject(page, index), 1, 0);
}

function* listObject(pdfium: Pdfium, object: number, scale: number, depth: number): Generator<DrawnObject> {
  const type = pdfium.FPDFPageObj_GetType(object);
  if (type === textObject || type === imageObject) yield { object, type, scale };
  if (type !== formObject || depth === depthMax) return;
  const inner = scale * scaleOf(pdfium, object);
  const count = pdfium.FPDFFormObj_CountObjects(object);
  for (let index = 0; index < count; index += 1)
    yield* listObject(pdfium, pdfium.FPDFFormObj_GetObject(object, index), inner, depth + 1);
}

/** Returns the area of the unit square after the object's matrix. For a picture, this is its area. */
function scaleOf(pdfium: Pdfium, object: number): number {
  const { memory } = pdfium;
  const matrix = memory.allocate(24);
  const isKnown = pdfium.FPDFPageObj_GetMatrix(object, matrix);
  const [a, b, c, d] = [0, 4, 8, 12].map((offset) => memory.float(matrix + offset)) as [number, number, number, number];
  memory.free(matrix);
  return isKnown ? Math.abs(a * d - b * c) : 0;
}
