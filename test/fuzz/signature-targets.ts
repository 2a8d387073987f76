import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDF, PdfDict, type PdfRef, PdfStream } from '@libpdf/core';
import { findSeals } from '../../src/pdf/reading/find-seals.ts';
import { readSignedData } from '../../src/pdf/reading/signed-data.ts';
import { over, readTimeStamp, timeStampAttribute } from '../../src/pdf/reading/time-stamp.ts';
import { isTrustedTimeStamp } from '../../src/pdf/reading/trusted-time-stamp.ts';
import { readValidationUpdate } from '../../src/pdf/reading/validation-update.ts';
import { objects, stamping, updated } from '../../src/pdf/strict/testing/stamped-pdf.ts';
import { drawing, plainPdf } from '../../src/pdf/strict/testing/updated-pdf.ts';
import { examineSeal, judgeSealStamp, type Seal } from '../../src/verify/examine-seal.ts';
import { verdictOf } from '../../src/verify/findings.ts';
import { derWords } from './byte-targets.ts';
import { assertSo, refusingBy, type Target } from './target.ts';

/** One page, sealed by `signPdf` with a P-256 key and a time-stamp of an authority made with OpenSSL. */
const file = readFileSync(join(import.meta.dirname, 'seeds/stamped.pdf'));
const [found] = findSeals(file);
if (found === undefined || found.contents === null) throw new Error('the seed has no seal');
const genuine: Seal = {
  ...found,
  isInUse: true,
  name: 'Fuzz',
  subFilter: 'ETSI.CAdES.detached',
  signedAt: null,
  isLast: true,
  build: { level: 'B-T' },
  attachment: () => null,
};
const contents = found.contents;
const signed = readSignedData(contents);
const token = signed.unsignedAttributes.get(timeStampAttribute)?.raw ?? Buffer.alloc(0);
const certificates = [signed.signer?.raw ?? Buffer.alloc(0)];
const anchors = readSignedData(token).certificates.map(({ raw }) => raw);
const stampedAt = readTimeStamp(token, over(signed.signature)).at;

const sealed = plainPdf(objects);
const view = await viewOf(sealed);

/** What a reader shows: the contents of each page, and the annotations that have a place on it. */
async function viewOf(bytes: Buffer): Promise<string> {
  const pdf = await PDF.load(bytes);
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const pages = pdf.getPages().map(({ dict }) => {
    const contents = dict.get('Contents', resolve);
    const annotations = [...(dict.getArray('Annots', resolve) ?? [])].map((item) => {
      const annotation = item.type === 'ref' ? resolve(item) : item;
      const rect = annotation instanceof PdfDict ? annotation.getArray('Rect', resolve) : null;
      return [...(rect ?? [])].map((corner) => (corner.type === 'number' ? corner.value : 0));
    });
    return [
      contents instanceof PdfStream ? Buffer.from(contents.getDecodedData()).toString('latin1') : null,
      annotations.filter(([left, bottom, right, top]) => left !== right && bottom !== top),
    ];
  });
  return JSON.stringify(pages);
}

/** Seals and time-stamps (CMS), as verifying reads them. */
export const signatureTargets: Target[] = [
  {
    name: 'seal-cms',
    seeds: [signed.raw],
    dictionary: derWords,
    msMax: 5000,
    run: async (bytes) => {
      const padded = Buffer.concat([bytes, Buffer.alloc(Math.max(0, contents.length - bytes.length))]);
      const seal = { ...genuine, contents: padded };
      const known = { anchors, now: stampedAt };
      const stampTrust = await judgeSealStamp(seal, stampedAt, known);
      const { findings } = examineSeal(file, seal, certificates, { stampTrust, update: null });
      assertSo(verdictOf(findings) !== 'valid' || isGenuine(padded), 'only the genuine seal is valid');
    },
  },
  {
    name: 'time-stamp',
    seeds: [token],
    dictionary: derWords,
    msMax: 5000,
    run: async (bytes) => {
      await isTrustedTimeStamp(bytes, stampedAt, anchors);
      let at = stampedAt;
      // It throws plain errors. A token that throws is reported as broken.
      await refusingBy([Error], () => {
        at = readTimeStamp(bytes, over(signed.signature)).at;
      });
      assertSo(at.getTime() === stampedAt.getTime(), 'a token says the time that its authority signed');
    },
  },
  {
    name: 'validation-update',
    seeds: [stamping, { 9: '<< /Certs [10 0 R 500 0 R] >>', 500: drawing('', 'a certificate') }].map((update) =>
      updated(sealed, update).subarray(sealed.length),
    ),
    dictionary: [
      ...['4 0 R', '500 0 R', ' 0 obj', 'endobj', 'xref', 'startxref', '%%EOF', '/Prev', '/Root', '/Annots', '/Rect'],
      ...['/Contents', '/Kids', '/Fields', '/AcroForm', '/DSS', '/AA', '/OpenAction', '4 1\n', '3 1\n', ' 00000 f '],
    ],
    msMax: 5000,
    run: async (added) => {
      const changed = Buffer.concat([sealed, added]);
      if (readValidationUpdate(changed, sealed.length) === null) return;
      assertSo((await viewOf(changed)) === view, 'what is taken for validation data shows nothing');
    },
  },
];

/** A time stamp belongs to its authority. Only what it attests is judged here. */
function isGenuine(padded: Buffer): boolean {
  const read = readSignedData(padded);
  const around = ({ signature, signedAttributes, certificates: own }: typeof signed) =>
    [signature, signedAttributes, ...own.map(({ raw }) => raw)].map((part) => part.toString('hex')).join();
  return around(read) === around(signed);
}
