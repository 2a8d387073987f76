import { type PDF, PdfName, PdfStream } from '@libpdf/core';
import { addSrgbIntent } from './colours.ts';
import { type ArchivalLevel, type DocumentFacts, makeXmp } from './xmp.ts';

/** Gives a new PDF the metadata and the colours of a PDF/A-3 file. Only what such a file allows may be drawn into it. */
export function makeArchival(pdf: PDF, facts: DocumentFacts, level: ArchivalLevel): void {
  setMetadata(pdf, makeXmp(facts, level));
  addSrgbIntent(pdf);
}

/** Sets the XMP metadata. It stays uncompressed, so that programs which don't read PDFs find the claim in it. */
export function setMetadata(pdf: PDF, xmp: string): void {
  const entries = { Type: PdfName.of('Metadata'), Subtype: PdfName.of('XML') };
  const stream = PdfStream.fromDict(entries, Buffer.from(xmp, 'utf8'));
  pdf.context.catalog.getDict().set('Metadata', pdf.register(stream));
}
