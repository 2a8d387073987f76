import { deflateSync } from 'node:zlib';
import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { srgbName, srgbProfile } from './srgb-profile.ts';

/**
 * The colours that `DeviceRGB` has in a file, by its output intent for PDF/A (ISO 19005-3, 6.2.3): `none` without one, and
 * `unknown` when the file has other intents, which must share their profile.
 */
export type DeviceColours =
  | { kind: 'none' }
  | { kind: 'unknown' }
  | { kind: 'profile'; space: string; profile: PdfStream };

export function deviceColours(pdf: PDF): DeviceColours {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const intents = [...(pdf.context.catalog.getDict().getArray('OutputIntents', resolve) ?? [])]
    .map((item) => (item.type === 'ref' ? resolve(item) : item))
    .filter((item) => item instanceof PdfDict);
  if (intents.length === 0) return { kind: 'none' };
  const intent = intents.find((one) => one.getName('S', resolve)?.value === 'GTS_PDFA1');
  const profile = intent?.get('DestOutputProfile', resolve);
  if (!(profile instanceof PdfStream)) return { kind: 'unknown' };
  try {
    const space = Buffer.from(profile.getDecodedData()).toString('latin1', 16, 20).trim();
    return { kind: 'profile', space, profile };
  } catch {
    return { kind: 'unknown' };
  }
}

/** Says that colours without a colour space of their own are sRGB. The PDF must have no output intent. */
export function addSrgbIntent(pdf: PDF): void {
  setIntent(pdf, srgbName, srgbOf(pdf));
}

/** Says that they are those of an ICC profile, or sRGB. The PDF must have no output intent. */
export function addIntent(pdf: PDF, profile: Buffer | null): void {
  if (profile === null) {
    addSrgbIntent(pdf);
    return;
  }
  const colours = colourCounts[profile.toString('latin1', 16, 20)];
  const entries = { N: PdfNumber.of(colours ?? 3), Filter: PdfName.of('FlateDecode') };
  setIntent(pdf, 'Custom', pdf.register(PdfStream.fromDict(entries, deflateSync(profile))));
}

/** The number of colours in a colour space of ICC profiles. */
const colourCounts: Record<string, number> = { GRAY: 1, 'RGB ': 3, CMYK: 4 };

function setIntent(pdf: PDF, name: string, profile: PdfRef): void {
  const intent = PdfDict.of({
    Type: PdfName.of('OutputIntent'),
    S: PdfName.of('GTS_PDFA1'),
    OutputConditionIdentifier: PdfString.fromString(name),
    Info: PdfString.fromString(name),
    DestOutputProfile: profile,
  });
  pdf.context.catalog.getDict().set('OutputIntents', new PdfArray([pdf.register(intent)]));
}

/**
 * Says the same of the new pages and drawings of a PDF alone (ISO 32000-1, 8.6.5.6), for a file whose own colours are of another kind.
 * Call it before they are saved.
 */
export function useSrgbInNewParts(pdf: PDF): void {
  for (const object of pdf.context.registry.getNewObjects().values()) {
    const resources = object instanceof PdfDict ? object.get('Resources') : undefined;
    if (!(resources instanceof PdfDict) || resources.has('ColorSpace')) continue;
    const srgb = new PdfArray([PdfName.of('ICCBased'), srgbOf(pdf)]);
    resources.set('ColorSpace', PdfDict.of({ DefaultRGB: srgb }));
  }
}

let deflated: Buffer | undefined;
const added = new WeakMap<PDF, PdfRef>();

/** Returns the sRGB profile of a PDF, which is added once. */
function srgbOf(pdf: PDF): PdfRef {
  const known = added.get(pdf);
  if (known !== undefined) return known;
  deflated ??= deflateSync(srgbProfile(), { level: 9 });
  const entries = { N: PdfNumber.of(3), Filter: PdfName.of('FlateDecode') };
  const ref = pdf.register(PdfStream.fromDict(entries, deflated));
  added.set(pdf, ref);
  return ref;
}
