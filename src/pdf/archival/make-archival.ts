import { deflateSync } from 'node:zlib';
import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { srgbName, srgbProfile } from './srgb-profile.ts';
import { type ArchivalLevel, type DocumentFacts, makeXmp } from './xmp.ts';

/** Gives a new PDF the metadata and the colours of a PDF/A-3 file. What is drawn into it must be allowed in one. */
export function makeArchival(pdf: PDF, facts: DocumentFacts, level: ArchivalLevel): void {
  setMetadata(pdf, makeXmp(facts, level));
  addSrgbIntent(pdf);
}

/** Sets the XMP metadata. It stays uncompressed, so that programs which don't read PDFs find it. */
export function setMetadata(pdf: PDF, xmp: string): void {
  const entries = { Type: PdfName.of('Metadata'), Subtype: PdfName.of('XML') };
  const stream = PdfStream.fromDict(entries, Buffer.from(xmp, 'utf8'));
  pdf.context.catalog.getDict().set('Metadata', pdf.register(stream));
}

/** Says that colours without a colour space of their own are sRGB (ISO 19005-3, 6.2.3). */
export function addSrgbIntent(pdf: PDF): void {
  const catalog = pdf.context.catalog.getDict();
  const others = catalog.getArray('OutputIntents', (ref) => pdf.context.resolve(ref)) ?? [];
  const intent = PdfDict.of({
    Type: PdfName.of('OutputIntent'),
    S: PdfName.of('GTS_PDFA1'),
    OutputConditionIdentifier: PdfString.fromString(srgbName),
    RegistryName: PdfString.fromString('http://www.color.org'),
    Info: PdfString.fromString(srgbName),
    DestOutputProfile: profileOf(pdf),
  });
  catalog.set('OutputIntents', new PdfArray([...others, pdf.register(intent)]));
}

let deflated: Buffer | undefined;
const registered = new WeakMap<PDF, PdfRef>();

/** Returns the sRGB profile of a PDF, which is added once. */
export function profileOf(pdf: PDF): PdfRef {
  const known = registered.get(pdf);
  if (known !== undefined) return known;
  deflated ??= deflateSync(srgbProfile(), { level: 9 });
  const stream = PdfStream.fromDict({ N: PdfNumber.of(3), Filter: PdfName.of('FlateDecode') }, deflated);
  const ref = pdf.register(stream);
  registered.set(pdf, ref);
  return ref;
}
