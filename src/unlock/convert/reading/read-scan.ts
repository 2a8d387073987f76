import type { OpenDocument } from '../../../pdf/pdfium/open-document.ts';
import type { Word } from '../layout/word.ts';
import type { GreyImage, Recogniser } from './recogniser.ts';

/** Pixels per point. Tesseract was trained on 300 dpi. At 200 dpi it is almost as good and twice as fast. */
const scaleUsual = 200 / 72;
const pixelsMax = 5_000_000;
const grey = 1;
const annotationsToo = 0x01;
const greyscale = 0x08;
const white = 0xffffffff;
/** Font size in parts of the line height. A line is usually higher than its font size. */
const sizeOfLine = 0.85;

/** Recognises the words of a scanned page. Null for an empty page. */
export function readScan({ pdfium }: OpenDocument, page: number, recogniser: Recogniser): Word[] | null {
  const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
  const scale = Math.min(scaleUsual, Math.sqrt(pixelsMax / (width * height)));
  const image = draw({ pdfium }, page, Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  if (image === null) return null;
  return recogniser.recognise(image).map((word) => ({
    ...word,
    x: word.x / scale,
    y: word.y / scale,
    width: word.width / scale,
    height: word.height / scale,
    baseline: word.baseline / scale,
    size: Math.round((word.size / scale) * sizeOfLine * 2) / 2,
  }));
}

/** Draws a page in grey. Null for a page of one shade. */
function draw({ pdfium }: Pick<OpenDocument, 'pdfium'>, page: number, width: number, height: number): GreyImage | null {
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, grey, 0, 0);
  if (bitmap === 0) return null;
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, annotationsToo | greyscale);
    const stride = pdfium.FPDFBitmap_GetStride(bitmap);
    const drawn = pdfium.memory.bytes(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height);
    const pixels = new Uint8Array(width * height);
    for (let row = 0; row < height; row += 1)
      pixels.set(drawn.subarray(row * stride, row * stride + width), row * width);
    return pixels.every((shade) => shade === pixels[0]) ? null : { pixels, width, height };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}
