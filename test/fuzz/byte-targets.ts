import { kindOfBytes } from '../../src/imports/kind-of-bytes.ts';
import { isPlausiblePng } from '../../src/pdf/plausible-png.ts';
import { signatureInk } from '../../src/pdf/png/signature-ink.ts';
import { CertificateError } from '../../src/pdf/signatures/certificate-error.ts';
import { readDer } from '../../src/pdf/signatures/der.ts';
import { openPkcs12 } from '../../src/pdf/signatures/open-pkcs12.ts';
import { createSelfSigned } from '../../src/pdf/signatures/self-signed.ts';
import { writePkcs12 } from '../../src/pdf/signatures/write-pkcs12.ts';
import { drawnSignature, makePng } from '../../src/sealing/testing/sample-png.ts';
import { repairChecksums } from './repair-checksums.ts';
import { assertSo, refusingBy, type Target } from './target.ts';

export const derWords = [
  '\x30\x80',
  '\x24\x80',
  '\x04\x84\xff\xff\xff\xff',
  '\x02\x01\x00',
  '\x00\x00',
  '\x30\x82\x7f\xff',
  '\xa0\x80',
];
const pngWords = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', '\x00\x00\x00\x00', '\xff\xff\xff\xff', '\x00\x00\x07\xd0'];

const selfSigned = await createSelfSigned({
  commonName: 'Fuzz',
  notBefore: new Date('2026-01-01'),
  notAfter: new Date('2036-01-01'),
  serial: Buffer.alloc(16, 7),
});
const pkcs12 = await writePkcs12(selfSigned, 'fuzz');

/** Binary formats that are read in the service's own process or by an operator's command. */
export const byteTargets: Target[] = [
  {
    name: 'png',
    seeds: [
      drawnSignature(60, 20),
      ...[0, 2, 3, 4].map((colourType) => {
        const extra: Array<[string, Buffer]> = colourType === 3 ? [['PLTE', Buffer.alloc(12, 9)]] : [];
        const rows = Buffer.alloc(9 * 33, 1);
        return makePng({ width: 8, height: 9, colourType, extra, rows });
      }),
    ],
    dictionary: pngWords,
    msMax: 5000,
    run: (bytes) => {
      // Half of the inputs get correct checksums. Otherwise nearly all would be refused there.
      const image = bytes.length % 2 === 0 ? repairChecksums(bytes) : bytes;
      if (!isPlausiblePng(image)) return;
      const ink = signatureInk(image);
      assertSo(ink === null || ink.coverage.length === ink.width * ink.height, 'a plausible PNG decodes');
    },
  },
  {
    name: 'der',
    seeds: [selfSigned.certificate, pkcs12],
    dictionary: derWords,
    msMax: 5000,
    // It throws plain errors. Callers treat them as a damaged structure.
    run: (bytes) => refusingBy([Error], () => readDer(bytes)),
  },
  {
    name: 'pkcs12',
    seeds: [pkcs12],
    dictionary: derWords,
    msMax: 10_000,
    run: (bytes) => refusingBy([CertificateError], () => openPkcs12(bytes, 'fuzz')),
  },
  {
    name: 'kind-of-bytes',
    seeds: ['%PDF-1.7\n', '<!doctype html>', '<?xml version="1.0"?><html>'].map((text) => Buffer.from(text)),
    dictionary: ['<?xml', '?>', '<', '>', '%PDF-', ' '.repeat(900)],
    msMax: 2000,
    run: (bytes) => kindOfBytes(bytes.subarray(0, 1024)),
  },
];
