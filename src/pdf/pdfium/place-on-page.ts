import type { Pdfium } from './load-pdfium.ts';

/** A rectangle in points from the top left corner of the page as shown. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A rectangle in the coordinates of the page content, with y upwards and before rotation. */
export interface PageRectangle {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Makes a function that converts a rectangle of a loaded page to the page as shown: cropped and rotated. */
export function placeOnPage(pdfium: Pdfium, page: number): (rectangle: PageRectangle) => Box {
  const crop = pdfium.memory.allocate(16);
  pdfium.FPDF_GetPageBoundingBox(page, crop);
  const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => pdfium.memory.float(crop + offset)) as Corners;
  pdfium.memory.free(crop);
  const turns = pdfium.FPDFPage_GetRotation(page);

  return (rectangle) => {
    const [width, height] = [rectangle.right - rectangle.left, rectangle.top - rectangle.bottom];
    switch (turns) {
      case 1:
        return { x: rectangle.bottom - bottom, y: rectangle.left - left, width: height, height: width };
      case 2:
        return { x: right - rectangle.right, y: rectangle.bottom - bottom, width, height };
      case 3:
        return { x: top - rectangle.top, y: right - rectangle.right, width: height, height: width };
      default:
        return { x: rectangle.left - left, y: top - rectangle.top, width, height };
    }
  };
}

type Corners = [number, number, number, number];

/** Reads the rectangle of an annotation, an `FS_RECTF`: left, top, right, bottom. A file may have them in reverse. */
export function rectangleOf({ memory, ...pdfium }: Pdfium, annotation: number): PageRectangle {
  const rectangle = memory.allocate(16);
  pdfium.FPDFAnnot_GetRect(annotation, rectangle);
  const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => memory.float(rectangle + offset)) as Corners;
  memory.free(rectangle);
  return {
    left: Math.min(left, right),
    right: Math.max(left, right),
    bottom: Math.min(top, bottom),
    top: Math.max(top, bottom),
  };
}
