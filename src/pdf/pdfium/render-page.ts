import { encodeWebp } from './encode-webp.ts';
import { type OpenDocument, withPage } from './open-document.ts';
import { showFormFields } from './shown-annotations.ts';

export interface PageImage {
  mediaType: 'image/webp';
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** Limits of an image. The image of a very tall page is narrower than requested. */
const pixelsMax = 12_000_000;
const sideMax = 12_000;

const annotations = 0x01;
const redFirst = 0x10;
const withoutAlpha = 0;
const white = 0xffffffff;

/** Renders a page (from 1) on white, `width` pixels wide, as WebP. */
export async function renderPage(document: OpenDocument, page: number, width: number): Promise<PageImage> {
  const { pixels, ...size } = pagePixels(document, page, width);
  return { mediaType: 'image/webp', bytes: await encodeWebp({ data: pixels, ...size }), ...size };
}

/**
 * Renders a page (from 1) to RGBA pixels, as signers see it: with the values of its form fields. Throws when the page cannot be
 * read.
 */
export function pagePixels(document: OpenDocument, page: number, width: number) {
  return withPage(document, page, (handle) => {
    showFormFields(document, handle);
    return draw(document, handle, width);
  });
}

function draw({ pdfium }: OpenDocument, page: number, requestedWidth: number) {
  const { width, height } = imageSize(
    pdfium.FPDF_GetPageWidthF(page),
    pdfium.FPDF_GetPageHeightF(page),
    requestedWidth,
  );
  const bitmap = pdfium.FPDFBitmap_Create(width, height, withoutAlpha);
  if (bitmap === 0) throw new Error(`an image of ${width} × ${height} pixels cannot be made`);
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, annotations | redFirst);
    const pixels = new Uint8ClampedArray(pdfium.memory.bytes(pdfium.FPDFBitmap_GetBuffer(bitmap), width * height * 4));
    for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255;
    return { pixels, width, height };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

function imageSize(pageWidth: number, pageHeight: number, requestedWidth: number): { width: number; height: number } {
  const ratio = pageHeight / pageWidth;
  const width = Math.min(requestedWidth, sideMax / ratio, Math.sqrt(pixelsMax / ratio));
  if (!(width > 0)) throw new Error('the page has no size');
  return { width: Math.max(1, Math.round(width)), height: Math.min(sideMax, Math.max(1, Math.round(width * ratio))) };
}
