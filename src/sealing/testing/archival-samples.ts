import { ops, PDF, PdfArray, PdfDict, PdfName } from '@libpdf/core';
import { sampleJpeg, samplePng } from '../../../test/support/sample-logo.ts';
import { addIntent } from '../../pdf/archival/colours.ts';
import { setMetadata } from '../../pdf/archival/make-archival.ts';
import { type ArchivalLevel, makeXmp } from '../../pdf/archival/xmp.ts';
import { createCanvas, fontEmbedder } from '../../pdf/drawing/canvas.ts';
import { savePdf } from '../../pdf/drawing/finish-pdf.ts';
import { colours } from '../../pdf/drawing/theme.ts';
import { fontStacks } from '../../pdf/text/typefaces.ts';
import { oneLine } from '../../pdf/text/wrap-text.ts';
import { drawCertificatePdf } from '../completion/draw-pdf.ts';
import type { SealInput } from '../seal-input.ts';
import { startAuthority } from './certificate-authority.ts';
import { inputFor } from './sample-files.ts';
import { sampleInput } from './sample-input.ts';
import { sealHere } from './seal-here.ts';
import { testWorker } from './tools.ts';
import { startTsa } from './tsa-server.ts';

export interface ArchivalSample {
  what: string;
  /** The level of PDF/A-3 that it claims. */
  level: ArchivalLevel;
  bytes: Buffer;
}

/** Seals one document of each kind that claims PDF/A-3. */
export async function archivalSamples(): Promise<ArchivalSample[]> {
  const samples: ArchivalSample[] = [];
  const add = (what: string, level: ArchivalLevel, bytes: Uint8Array) =>
    samples.push({ what, level, bytes: Buffer.from(bytes) });
  add('drawn', 'A', await sealHere(sampleInput(), null));
  add('drawn, with a time-stamp', 'A', await sealHere(withAllScripts(), null, await startTsa()));
  add('drawn, with all of B-LTA', 'A', await sealLongTerm());
  add('unsigned complete certificate', 'A', await drawCertificatePdf(sampleInput({ language: 'es', logo: jpegLogo })));
  for (const [part, conformance, space, level] of attachable) {
    const file = await archivalFile(part, conformance, space);
    const what = `attached PDF/A-${part}${conformance}, ${space}`;
    add(what, level, await sealHere(withDrawnValue(file), file));
  }
  const file = await archivalFile('1', 'B');
  const enclosed = withDrawnValue(file);
  if (enclosed.document.file !== null) enclosed.document.file.isEmbedded = true;
  add('enclosed', 'U', await sealHere(enclosed, file));
  return samples;
}

const attachable = [
  ['1', 'A', 'rgb', 'B'],
  ['2', 'U', 'none', 'U'],
  ['3', 'B', 'gray', 'B'],
] as const;

const jpegLogo = { type: 'jpeg', bytes: sampleJpeg.toString('base64') } as const;

/** Text in every script that has a font of its own, and characters without a font. */
function withAllScripts(): SealInput {
  const sample = sampleInput({ logo: { type: 'png', bytes: samplePng().toString('base64') } });
  const message =
    'שלום (אבג) 123\nسلام بلا بَب\n契約書 한국어 👩‍💻👍🏽 \u{e000}\u0007\u{10efff}\nПривет Ω ệ x́ ½ \u00a0 \u200d \u00ad\n' +
    'क्षितिज সড়ক ᓄᓇᕗᑦ ᏣᎳᎩ አማርኛ ქართული ગુજરાતી ਪੰਜਾਬੀ ಕನ್ನಡ ព្រះ\u17ff ລາວ മലയാളം မြန်မာ ଓଡ଼ିଆ සිංහල தமிழ் తెలుగు ދިވެހި ข้าพเจ้า བོད ⵜⵉⴼ Հայերեն';
  return { ...sample, document: { ...sample.document, message } };
}

/** Seals with revocation data of the certificates, and renews the time-stamp. */
async function sealLongTerm(): Promise<Buffer> {
  const authority = await startAuthority({ ocsp: true, crl: true });
  const tsaUrl = await startTsa();
  const clock = { now: () => new Date() };
  const worker = await testWorker({ certificate: authority.certificate, tsaUrl, clock });
  return worker.seal(sampleInput({ signingTime: new Date().toISOString() }));
}

/** A text value, and the signature that was drawn. */
function withDrawnValue(file: Uint8Array): SealInput {
  const recipientId = sampleInput().recipients[1]?.id ?? '';
  return inputFor(file, 1, [{ value: 'Blue door' }, { type: 'signature', value: 'true', y: 300, recipientId }]);
}

/**
 * Makes a PDF of one page that claims PDF/A. `space`: the kind of its output intent. With `gray` and `none`, the page has no colours.
 * `other`: it has intents for something else.
 */
export async function archivalFile(
  part: string,
  conformance: string,
  space: 'rgb' | 'gray' | 'none' | 'other' = 'rgb',
): Promise<Buffer> {
  const pdf = PDF.create();
  for (const set of ['setTitle', 'setAuthor', 'setCreator', 'setProducer'] as const) pdf[set]('Lease');
  for (const set of ['setCreationDate', 'setModificationDate'] as const) pdf[set](facts.at);
  const page = pdf.addPage({ size: 'letter' });
  if (space === 'rgb') {
    const canvas = createCanvas(page, fontEmbedder(pdf));
    const line = oneLine('Clause 1: the lease', { stack: fontStacks.serif, size: 12 }, 400);
    canvas.text(line, { x: 72, y: 72, size: 12, colour: colours.accent });
    canvas.finish();
    addIntent(pdf, null);
  }
  if (space === 'gray') {
    page.drawOperators([ops.setNonStrokingGray(0.5), ops.rectangle(72, 700, 100, 20), ops.fill()]);
    addIntent(pdf, grayProfile());
  }
  if (space === 'other') {
    const intent = PdfDict.of({ Type: PdfName.of('OutputIntent'), S: PdfName.of('GTS_PDFX') });
    pdf.context.catalog.getDict().set('OutputIntents', new PdfArray([intent]));
  }
  setMetadata(pdf, claimOf(part, conformance));
  return Buffer.from(await savePdf(pdf));
}

/** Makes XMP metadata with a claim. `conformance` may bring more XML. */
export function claimOf(part: string, conformance: string): string {
  return makeXmp(facts, 'B')
    .replace('<pdfaid:part>3<', `<pdfaid:part>${part}<`)
    .replace('<pdfaid:conformance>B<', `<pdfaid:conformance>${conformance}<`);
}

const facts = { title: 'Lease', author: 'Lease', subject: null, language: null, program: 'Lease', at: new Date(0) };

/** An ICC profile of a gray display with the gamma 2.2 (ICC.1:1998-09). */
function grayProfile(): Buffer {
  const text = (value: string) => Buffer.from(value, 'latin1');
  const number = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex');
  const description = Buffer.concat([text('desc\0\0\0\0'), number(5), text('gray\0'), Buffer.alloc(78 + 1)]);
  const tags: Array<[name: string, data: Buffer]> = [
    ['desc', description.subarray(0, description.length & ~3)],
    ['cprt', text('text\0\0\0\0none')],
    ['wtpt', Buffer.concat([text('XYZ \0\0\0\0'), number(0xf6d6), number(0x10000), number(0xd32d)])],
    ['kTRC', Buffer.concat([text('curv\0\0\0\0'), number(1), Buffer.from([2, 0x33, 0, 0])])],
  ];
  let at = 128 + 4 + 12 * tags.length;
  const entries = tags.map(([name, { length }]) => {
    const entry = Buffer.concat([text(name), number(at), number(length)]);
    at += length;
    return entry;
  });
  const header = Buffer.alloc(128);
  for (const [place, value] of [
    [12, 'mntrGRAYXYZ '],
    [36, 'acsp'],
  ] as const)
    header.write(value, place, 'latin1');
  header.set(number(at), 0);
  header.set(number(0x02100000), 8);
  header.set(Buffer.concat([number(0xf6d6), number(0x10000), number(0xd32d)]), 68);
  return Buffer.concat([header, number(tags.length), ...entries, ...tags.map(([, data]) => data)]);
}
