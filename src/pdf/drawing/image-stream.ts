import { deflateSync } from 'node:zlib';
import { PdfName, PdfNumber, PdfStream } from '@libpdf/core';

/** Makes a compressed image of pixels of 8 bits per colour, row by row. */
export function imageStream(
  { width, height }: { width: number; height: number },
  colourSpace: 'DeviceRGB' | 'DeviceGray',
  pixels: Uint8Array,
): PdfStream {
  const entries = {
    Type: PdfName.of('XObject'),
    Subtype: PdfName.of('Image'),
    Width: PdfNumber.of(width),
    Height: PdfNumber.of(height),
    ColorSpace: PdfName.of(colourSpace),
    BitsPerComponent: PdfNumber.of(8),
    Filter: PdfName.of('FlateDecode'),
  };
  return PdfStream.fromDict(entries, deflateSync(pixels));
}
