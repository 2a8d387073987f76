import type { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { hasTool } from '../../test/support/tools.ts';
import { endOf, findSeals } from '../pdf/reading/find-seals.ts';
import { readSignedData } from '../pdf/reading/signed-data.ts';
import { over, readTimeStamp, timeStampAttribute } from '../pdf/reading/time-stamp.ts';
import type { SigningCertificateFile } from '../pdf/signatures/signing-certificate.ts';
import { sampleInput } from '../sealing/testing/sample-input.ts';
import { openssl, temporaryDirectory, testWorker } from '../sealing/testing/tools.ts';
import { startTsa } from '../sealing/testing/tsa-server.ts';
import { chooseSeal, examineSeal, examineValidity, type Seal } from './examine-seal.ts';
import { verdictOf } from './findings.ts';

/** Thousands of signatures are checked. */
const patientMs = 240_000;
/** Tomorrow: the certificates that tests make are valid from now on. */
const tomorrow = new Date(Date.now() + 86_400_000);

interface Options {
  certificate?: SigningCertificateFile;
  tsaUrl?: string | null;
}

async function sealed(
  options: Options = {},
  signingTime = tomorrow,
): Promise<{ pdf: Buffer; certificates: Uint8Array[] }> {
  const file = await (await testWorker(options)).seal(sampleInput({ signingTime: signingTime.toISOString() }));
  const [seal] = findSeals(file);
  // Without the time-stamp of the whole file, which follows the seal.
  const pdf = file.subarray(0, seal && endOf(seal));
  const { signer } = readSignedData(seal?.contents ?? Buffer.alloc(0));
  return { pdf, certificates: [signer?.raw ?? Buffer.alloc(0)] };
}

/** Examines the seal alone. */
function examine(pdf: Buffer, certificates: Uint8Array[]) {
  const seals = findSeals(pdf).map((seal) => ({
    ...seal,
    isInUse: true,
    name: null,
    subFilter: 'ETSI.CAdES.detached',
    signedAt: tomorrow,
    isLast: false,
    build: null,
    attachment: () => null,
  }));
  const seal = chooseSeal(seals, certificates);
  if (seal === null) return null;
  const { findings, facts } = examineSeal(pdf, seal, certificates);
  return { verdict: verdictOf(findings), ids: findings.map(({ id }) => id), facts };
}

test('a change of a digit of a signature is found, wherever it is', { timeout: patientMs }, async () => {
  const { pdf, certificates } = await sealed();
  expect(examine(pdf, certificates)?.verdict).toBe('valid');
  expect(unseenChanges(pdf, certificates, 5)).toEqual([]);
});

test.runIf(hasTool('openssl'))(
  'nor one of its certificates or its time-stamp, such that anything else is read',
  { timeout: patientMs },
  async () => {
    const { pdf, certificates } = await sealed({ tsaUrl: await startTsa(), certificate: chainedCertificate() });
    const examined = examine(pdf, certificates);
    expect(examined?.verdict).toBe('valid');
    expect(examined?.ids).toContain('time_stamp_unverified');
    expect(examined?.facts?.timeStamp?.authority).toBe('CN=Test TSA');
    // Inside a time-stamp there are bytes without meaning, and authorities write them as they like.
    expect(unseenChanges(pdf, certificates, 23, examined?.facts)).toEqual([]);
  },
);

test.runIf(hasTool('openssl'))('seals of every kind of key that can seal are recognised', async () => {
  for (const key of [['rsa:3072'], ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384']]) {
    const { pdf, certificates } = await sealed({ certificate: madeWith(...key) });
    expect(examine(pdf, certificates)).toMatchObject({ verdict: 'valid' });
    expect(examine(pdf, [])?.ids).toContain('certificate_unknown');
  }
});

test('a seal dated outside the validity of its certificate is not valid', async () => {
  const { pdf, certificates } = await sealed();
  const [seal] = findSeals(pdf);
  const signed = readSignedData(seal?.contents ?? Buffer.alloc(0));
  const { validFromDate, validToDate } = signed.signer as X509Certificate;
  expect(examineValidity(signed.signer as X509Certificate, validFromDate).id).toBe('certificate_in_validity');
  expect(examineValidity(signed.signer as X509Certificate, validToDate).id).toBe('certificate_in_validity');
  for (const at of [new Date(validFromDate.getTime() - 1000), new Date(validToDate.getTime() + 1000), null]) {
    expect(examineValidity(signed.signer as X509Certificate, at).id).toBe('certificate_out_of_validity');
  }
  expect(examine(pdf, certificates)?.ids).toContain('certificate_in_validity');
});

test('a replaced certificate is found, and other kinds of signatures are not judged by our rules', async () => {
  const { pdf, certificates } = await sealed();
  const hex = Buffer.from(certificates[0] as Uint8Array)
    .toString('hex')
    .toUpperCase();
  const serial = pdf.indexOf(hex) + 40;
  const swapped = Buffer.from(pdf);
  swapped.write(pdf.toString('latin1', serial, serial + 1) === '0' ? '1' : '0', serial);
  expect(examine(swapped, certificates)).toMatchObject({ verdict: 'altered' });
  expect(examine(swapped, certificates)?.ids).toContain('certificate_not_bound');

  const [seal] = findSeals(pdf);
  const foreign = { ...seal, contents: Buffer.of(0x30, 0), isInUse: true, name: null, subFilter: 'adbe.x509.rsa_sha1' };
  const { findings } = examineSeal(pdf, foreign as Seal, certificates);
  expect({ verdict: verdictOf(findings), last: findings.at(-1)?.id }).toEqual({
    verdict: 'not_sealed_here',
    last: 'foreign_signature',
  });
});

test.runIf(hasTool('openssl'))('a time-stamp that was changed, or is of another signature, is named', async () => {
  const { pdf, certificates } = await sealed({ tsaUrl: await startTsa() });
  const [seal] = findSeals(pdf);
  const token = readSignedData(seal?.contents ?? Buffer.alloc(0)).unsignedAttributes.get(timeStampAttribute)?.raw;
  const hex = token?.toString('hex').toUpperCase() ?? '';
  const lastDigit = pdf.indexOf(hex) + hex.length - 1;
  const changed = Buffer.from(pdf);
  changed.write(changed.toString('latin1', lastDigit, lastDigit + 1) === '0' ? '1' : '0', lastDigit);
  expect(examine(changed, certificates)?.ids.filter((id) => id.startsWith('time_stamp'))).toEqual([
    'time_stamp_broken',
  ]);
  expect(() => readTimeStamp(token ?? Buffer.alloc(0), over(Buffer.from('another signature')))).toThrow(
    /something else/,
  );
});

/**
 * Offsets at which another digit leaves the verdict `valid`, or with `facts`, valid with other facts. The zeros that fill
 * the room are tried at their ends.
 */
/** Changes every `step`th digit and the last ones. */
function unseenChanges(pdf: Buffer, certificates: Uint8Array[], step: number, facts: unknown = null): number[] {
  const [seal] = findSeals(pdf);
  if (seal?.contents == null) throw new Error('there is no seal');
  const start = seal.range[1] + 1;
  const end = start + readSignedData(seal.contents).raw.length * 2;
  const unseen: number[] = [];
  const places = [...Array.from({ length: end - start + 2 }, (_, i) => start + i), seal.range[2] - 2];
  for (const at of places.filter((_, i) => i % step === 0 || i > places.length - 5)) {
    const original = pdf[at] ?? 0;
    // One of the four bits of the digit, each in its turn.
    const digit = Number.parseInt(String.fromCharCode(original), 16) ^ (1 << (at % 4));
    pdf[at] = digit.toString(16).toUpperCase().charCodeAt(0);
    const examined = examine(pdf, certificates);
    pdf[at] = original;
    const isSeen = examined?.verdict !== 'valid' || (facts !== null && isDeepStrictEqual(examined.facts, facts));
    if (!isSeen) unseen.push(at - start);
  }
  return unseen;
}

const validFor = ['-days', '3650'];

function madeWith(...key: string[]): SigningCertificateFile {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  openssl(
    'req',
    '-x509',
    '-newkey',
    ...key,
    '-nodes',
    '-subj',
    '/CN=Sealer',
    ...validFor,
    '-keyout',
    path('k'),
    '-out',
    path('c'),
  );
  openssl('pkcs12', '-export', '-inkey', path('k'), '-in', path('c'), '-passout', 'pass:p', '-out', path('p12'));
  return { file: path('p12'), password: 'p' };
}

/** Makes a certificate that an authority issued. The file has the authority's certificate too. */
function chainedCertificate(): SigningCertificateFile {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  const make = (name: string, subject: string, ...more: string[]) =>
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      subject,
      ...validFor,
      ...more,
      '-keyout',
      path(`${name}.key`),
      '-out',
      path(name),
    );
  make('ca', '/CN=Test authority');
  make(
    'leaf',
    '/CN=Sealer',
    '-CA',
    path('ca'),
    '-CAkey',
    path('ca.key'),
    '-addext',
    'basicConstraints=critical,CA:false',
  );
  openssl(
    'pkcs12',
    '-export',
    '-inkey',
    path('leaf.key'),
    '-in',
    path('leaf'),
    '-certfile',
    path('ca'),
    '-passout',
    'pass:p',
    '-out',
    path('p12'),
  );
  return { file: path('p12'), password: 'p' };
}
