import { type PDF, PDFImage } from '@libpdf/core';
import { loadPdfium } from '../pdfium/load-pdfium.ts';
import { type OpenDocument, openBytes, withPage } from '../pdfium/open-document.ts';
import { pagePixels } from '../pdfium/render-page.ts';
import { createCanvas, fontEmbedder } from './canvas.ts';
import { imageStream } from './image-stream.ts';

/** Pixels for each point: 144 to the inch. Small print stays readable, and a page of text has about 100 KB. */
const pixelsPerPoint = 2;
/** Limits of all pictures of a file. One beyond them is better read in a viewer than as pictures. */
const pagesMax = 200;
export const picturesBytesMax = 64 * 2 ** 20;
const msMax = 20_000;
/** The largest side of a page, in points (ISO 32000-1, annex C). */
const sideMax = 14_400;

/**
 * Adds a page to a new PDF for each page of a file, as large as the page is shown, with its picture. Returns false when a page
 * can't be shown, when the file has another number of pages than `pageCount`, or when its pictures would be too many, larger than
 * `bytesMax` together, or too slow to make. The PDF is then of no use.
 */
export async function addPicturePages(
  pdf: PDF,
  file: Uint8Array,
  pageCount: number,
  bytesMax: number,
): Promise<boolean> {
  const document = openBytes(await loadPdfium(), file);
  if (typeof document === 'string') return false;
  try {
    return document.pageCount === pageCount && pageCount <= pagesMax && addAll(pdf, document, bytesMax);
  } catch {
    return false;
  } finally {
    document.close();
  }
}

function addAll(pdf: PDF, document: OpenDocument, bytesMax: number): boolean {
  const end = performance.now() + msMax;
  const embed = fontEmbedder(pdf);
  let bytes = 0;
  for (let page = 1; page <= document.pageCount; page++) {
    const { width, height } = sizeOf(document, page);
    if (Math.max(width, height) > sideMax) return false;
    const { stream, image } = picture(pdf, pagePixels(document, page, Math.ceil(width * pixelsPerPoint)));
    bytes += stream.data.length;
    if (bytes > bytesMax || performance.now() > end) return false;
    const canvas = createCanvas(pdf.addPage({ width, height }), embed);
    canvas.image(image, { x: 0, y: 0, width, height });
    canvas.finish();
  }
  return true;
}

function sizeOf(document: OpenDocument, page: number): { width: number; height: number } {
  const { pdfium } = document;
  return withPage(document, page, (handle) => ({
    width: pdfium.FPDF_GetPageWidthF(handle),
    height: pdfium.FPDF_GetPageHeightF(handle),
  }));
}

/** Embeds opaque RGBA pixels: in grey when no pixel has a colour, which most pages of text don't have. */
function picture(pdf: PDF, { pixels, width, height }: ReturnType<typeof pagePixels>) {
  const isGrey = hasNoColour(pixels);
  const samples = isGrey ? 1 : 3;
  const data = Buffer.allocUnsafe(width * height * samples);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += samples) {
    data[to] = pixels[from] ?? 0;
    if (isGrey) continue;
    data[to + 1] = pixels[from + 1] ?? 0;
    data[to + 2] = pixels[from + 2] ?? 0;
  }
  const stream = imageStream({ width, height }, isGrey ? 'DeviceGray' : 'DeviceRGB', data);
  return { stream, image: new PDFImage(pdf.register(stream), width, height) };
}

function hasNoColour(pixels: Uint8ClampedArray): boolean {
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at] !== pixels[at + 1] || pixels[at] !== pixels[at + 2]) return false;
  }
  return true;
}
