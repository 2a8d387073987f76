import { deflateSync } from 'node:zlib';
import { type PDF, PdfName, PdfStream } from '@libpdf/core';

/** Below that it is not worth it. */
const bytesMin = 512;
/** A stream as large is a file that was compressed inside by whoever made it. */
const bytesMax = 8 * 2 ** 20;

/** Compresses what was added to a PDF, natively: libpdf would do it in JavaScript, which takes several times as long. */
export function compressStreams(pdf: PDF): void {
  for (const object of pdf.context.registry.getNewObjects().values()) {
    if (!(object instanceof PdfStream) || object.has('Filter') || object.data.length < bytesMin) continue;
    const deflated = deflateSync(object.data, { level: object.data.length > bytesMax ? 0 : 6 });
    object.setData(deflated);
    object.set('Filter', PdfName.of('FlateDecode'));
  }
}
