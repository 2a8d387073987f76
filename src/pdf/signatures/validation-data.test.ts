import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAuthority } from '../../sealing/testing/certificate-authority.ts';
import { sampleInput } from '../../sealing/testing/sample-input.ts';
import { inspect, openssl, temporaryDirectory, testWorker } from '../../sealing/testing/tools.ts';
import { startTsa } from '../../sealing/testing/tsa-server.ts';
import { storeOf } from '../../sealing/testing/validation-store.ts';

const now = { clock: { now: () => new Date() } };
const input = () => sampleInput({ signingTime: new Date().toISOString() });

test('the answer of the OCSP responder is requested once and embedded under the seal', async () => {
  const { certificate, ca, asked } = await startAuthority({ ocsp: true, crl: true });
  const worker = await testWorker({ certificate, ...now });
  const sealed = await worker.seal(input());
  const store = await storeOf(sealed);
  expect([store?.Certs.length, store?.OCSPs.length, store?.CRLs.length]).toEqual([2, 1, 0]);
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'ocsp'), store?.OCSPs[0] ?? '');
  expect(openssl('ocsp', '-respin', join(directory, 'ocsp'), '-CAfile', ca, '-resp_text')).toContain(
    'Cert Status: good',
  );
  expect(inspect(sealed, 'pdfsig')).toMatch(/Total document signed[\s\S]*Signature is Valid/);

  expect((await storeOf(await worker.seal(input())))?.OCSPs).toHaveLength(1);
  expect(asked).toEqual(['/ocsp']);
});

test('without a responder, the revocation list is embedded', async () => {
  const { certificate } = await startAuthority({ ocsp: false, crl: true });
  const sealed = await (await testWorker({ certificate, ...now })).seal(input());
  const store = await storeOf(sealed);
  expect([store?.OCSPs.length, store?.CRLs.length]).toEqual([0, 1]);
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'crl'), store?.CRLs[0] ?? '');
  expect(openssl('crl', '-inform', 'DER', '-in', join(directory, 'crl'), '-noout', '-issuer')).toContain('Test CA');
});

test('a second seal of a file adds nothing that is there already', async () => {
  const { certificate } = await startAuthority({ ocsp: true, crl: false });
  const worker = await testWorker({ certificate, ...now });
  const first = await worker.seal(input());
  const { document } = input();
  const file = { name: 'first.pdf', sha256: createHash('sha256').update(first).digest('hex'), pageCount: 4 };
  const sealed = await worker.seal({ ...input(), document: { ...document, file } }, first);
  const [before, after] = [await storeOf(first), await storeOf(sealed)];
  expect(before?.OCSPs).toHaveLength(1);
  expect(after).toEqual(before);
});

test('an authority that does not answer does not prevent sealing, with or without a time-stamp', async () => {
  const { certificate } = await startAuthority({ ocsp: false, crl: false });
  for (const tsaUrl of [null, await startTsa()]) {
    const sealed = await (await testWorker({ certificate, tsaUrl, ...now })).seal(input());
    expect(await storeOf(sealed)).toBeNull();
    expect(inspect(sealed, 'pdfsig')).toContain('Signature is Valid');
  }
});

test('a self-signed certificate has no validation data', async () => {
  expect(await storeOf(await (await testWorker()).seal(sampleInput()))).toBeNull();
});
