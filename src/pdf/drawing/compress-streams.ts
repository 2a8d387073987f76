import { deflateSync } from 'node:zlib';
import { type PDF, PdfName, PdfStream } from '@libpdf/core';

/** Smaller streams are not compressed. */
const bytesMin = 512;
/** Larger streams are stored without compression, because they are files that are already compressed. */
const bytesMax = 8 * 2 ** 20;

/**
 * Compresses the new streams of a PDF with native code, except its metadata, which other programs search for. libpdf compresses in
 * JavaScript, which is several times slower.
 */
export function compressStreams(pdf: PDF): void {
  for (const object of pdf.context.registry.getNewObjects().values()) {
    if (!(object instanceof PdfStream) || object.has('Filter') || object.data.length < bytesMin) continue;
    if (object.getName('Type')?.value === 'Metadata') continue;
    const deflated = deflateSync(object.data, { level: object.data.length > bytesMax ? 0 : 6 });
    object.setData(deflated);
    object.set('Filter', PdfName.of('FlateDecode'));
  }
}
