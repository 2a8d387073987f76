import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTimestampAuthority, PDF, type PdfRef, PdfStream } from '@libpdf/core';
import { expect, test } from 'vitest';
import { type CertificateAuthority, startAuthority } from '../../sealing/testing/certificate-authority.ts';
import { sampleInput } from '../../sealing/testing/sample-input.ts';
import { inspect, testWorker } from '../../sealing/testing/tools.ts';
import { startTsaOf } from '../../sealing/testing/tsa-server.ts';
import { storeOf } from '../../sealing/testing/validation-store.ts';
import { findSeals } from '../reading/find-seals.ts';
import { lastStampOf } from '../reading/last-stamp.ts';
import { readValidationUpdate } from '../reading/validation-update.ts';
import { renewPdf } from './renew-pdf.ts';

/** Starts a time-stamp authority with a certificate that `authority` issues. `renew` replaces it by one that ends later. */
async function startIssuedTsa({ issue }: CertificateAuthority) {
  const files = { key: '', certificate: '' };
  let issued = 0;
  // OpenSSL's list of certificates needs a subject of its own for each.
  const renew = () => {
    issued += 1;
    issue(`/CN=TSA ${issued}`, files.key, files.certificate, ['extendedKeyUsage=critical,timeStamping']);
  };
  const { url } = await startTsaOf((path) => {
    Object.assign(files, { key: path('tsa.key'), certificate: path('tsa.pem') });
    renew();
  });
  return { url, ...files, renew };
}

/** Returns the keys of the entries for single signatures, with the digests of what they name. */
async function entriesOf(file: Buffer): Promise<Map<string, string[]>> {
  const pdf = await PDF.load(file);
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const entries = pdf.context.catalog.getDict().getDict('DSS', resolve)?.getDict('VRI', resolve);
  const named = new Map<string, string[]>();
  for (const key of entries?.keys() ?? []) {
    const entry = entries?.getDict(key.value, resolve);
    const items = ['Cert', 'OCSP', 'CRL'].flatMap((name) => [...(entry?.getArray(name, resolve) ?? [])]);
    const streams = items.map((item) => (item.type === 'ref' ? resolve(item) : item));
    named.set(
      key.value,
      streams.map((stream) => (stream instanceof PdfStream ? sha256(stream.getDecodedData()) : 'no stream')),
    );
  }
  return named;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const vriKey = (contents: Buffer | null) =>
  createHash('sha1')
    .update(contents ?? '')
    .digest('hex')
    .toUpperCase();

test('each renewal adds what its time-stamp needs, nothing twice, and names it for each signature', async () => {
  const authority = await startAuthority({ ocsp: true, crl: true });
  const tsa = await startIssuedTsa(authority);
  const { certificate } = authority;
  const clock = { now: () => new Date() };
  const worker = await testWorker({ certificate, tsaUrl: tsa.url, clock });
  const sealed = await worker.seal(sampleInput({ signingTime: new Date().toISOString() }));
  const [seal, stamp] = findSeals(sealed);
  if (seal === undefined || stamp === undefined) throw new Error('the file has no time-stamp');
  expect([...(await entriesOf(sealed)).keys()]).toEqual([vriKey(seal.contents)]);

  let file = sealed;
  for (const round of [1, 2]) {
    const last = lastStampOf(file, seal.range);
    if (last === null) throw new Error('there is no time-stamp');
    // A later second, so that the new certificate ends later.
    await sleep(1100);
    tsa.renew();
    const renewed = await renewPdf(file, seal.range, last, { tsaUrl: tsa.url, anchors: [readDer(authority.ca)] });
    expect(renewed.file.subarray(0, file.length).equals(file)).toBe(true);
    file = renewed.file;
    expect(readValidationUpdate(file, seal.range[2] + seal.range[3])?.stamps).toHaveLength(1 + round);
  }
  const store = await storeOf(file);
  const all = Object.values(store ?? {})
    .flat()
    .map(sha256);
  expect(new Set(all).size).toBe(all.length);
  expect(store?.Certs.some((der) => der.equals(readDer(tsa.certificate)))).toBe(false); // its own comes with the next one
  const entries = await entriesOf(file);
  const stamps = findSeals(file).slice(1, -1);
  expect([...entries.keys()].sort()).toEqual([seal, ...stamps].map(({ contents }) => vriKey(contents)).sort());
  for (const named of entries.values()) {
    expect(named.length).toBeGreaterThan(1);
    for (const digest of named) expect(all).toContain(digest);
  }
  expect(inspect(file, 'qpdf', ['--check'])).not.toMatch(/WARNING|failed/);
  expect(inspect(file, 'pdfsig')).toMatch(/Signature is Valid/);
});

test('a renewed file with an update of another program is renewed again, and one with a change is not', async () => {
  const authority = await startAuthority({ ocsp: true, crl: false });
  const tsa = await startIssuedTsa(authority);
  const clock = { now: () => new Date() };
  const worker = await testWorker({ certificate: authority.certificate, tsaUrl: tsa.url, clock });
  const sealed = await worker.seal(sampleInput({ signingTime: new Date().toISOString() }));
  const [seal] = findSeals(sealed);
  if (seal === undefined) throw new Error('the file has no seal');
  const opened = await PDF.load(sealed);
  const { bytes } = await opened.addArchivalData({ timestampAuthority: new HttpTimestampAuthority(tsa.url) });
  const archived = Buffer.from(bytes);
  const last = lastStampOf(archived, seal.range);
  if (last === null) throw new Error('there is no time-stamp');
  await sleep(1100);
  tsa.renew();
  const options = { tsaUrl: tsa.url, anchors: [] };
  const { file } = await renewPdf(archived, seal.range, last, options);
  expect(readValidationUpdate(file, seal.range[2] + seal.range[3])?.stamps).toHaveLength(3);
  const digests = Object.values((await storeOf(file)) ?? {})
    .flat()
    .map(sha256);
  expect(new Set(digests).size).toBe(digests.length);

  const changed = await PDF.load(archived);
  changed.getPage(0)?.drawText('100,000', { x: 100, y: 100 });
  const other = Buffer.from(await changed.save({ incremental: true }));
  expect(() => lastStampOf(other, seal.range)).toThrow('something else than validation data');
  await expect(renewPdf(other, seal.range, last, options)).rejects.toMatchObject({ reason: 'unreadable' });
  await expect(renewPdf(file, seal.range, { ...last, until: new Date('2999-01-01') }, options)).rejects.toMatchObject({
    reason: 'no_later',
  });
});

function readDer(pem: string): Buffer {
  const [, base64 = ''] = /-----BEGIN CERTIFICATE-----([^-]+)/.exec(readFileSync(pem, 'latin1')) ?? [];
  return Buffer.from(base64, 'base64');
}
