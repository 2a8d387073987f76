import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSeals } from '../../src/pdf/reading/find-seals.ts';
import { readSignedData } from '../../src/pdf/reading/signed-data.ts';
import { readTimeStamp, timeStampAttribute } from '../../src/pdf/reading/time-stamp.ts';
import { isTrustedTimeStamp } from '../../src/pdf/reading/trusted-time-stamp.ts';
import { examineSeal, hasTrustedStamp, type Seal } from '../../src/verify/examine-seal.ts';
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
const stampedAt = readTimeStamp(token, [signed.signature]).at;

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
      const isTrustedStamp = await hasTrustedStamp(seal, stampedAt, known);
      const { findings } = examineSeal(file, seal, certificates, { isTrustedStamp, update: null });
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
        at = readTimeStamp(bytes, [signed.signature]).at;
      });
      assertSo(at.getTime() === stampedAt.getTime(), 'a token says the time that its authority signed');
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
