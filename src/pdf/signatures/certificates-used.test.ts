import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleInput } from '../../sealing/testing/sample-input.ts';
import { temporaryDirectory, testCertificate, testWorker } from '../../sealing/testing/tools.ts';
import { findSeals } from '../reading/find-seals.ts';
import { readSignedData } from '../reading/signed-data.ts';
import { readCertificatesUsed, readPem, storeCertificate } from './certificates-used.ts';

function signerOf(pdf: Uint8Array): Uint8Array {
  const [seal] = findSeals(Buffer.from(pdf));
  return readSignedData(seal?.contents ?? Buffer.alloc(0)).signer?.raw ?? Buffer.alloc(0);
}

test('every certificate used is stored, also one renewed while the service runs', async () => {
  const certificatesDir = join(temporaryDirectory(), 'certificates');
  const [first, second] = [await testCertificate(), await testCertificate()];
  const worker = await testWorker({ certificate: first, certificatesDir });
  expect(await readCertificatesUsed(certificatesDir)).toEqual([]);
  const sealedFirst = await worker.seal(sampleInput());
  copyFileSync(second.file, first.file);
  const sealedSecond = await worker.seal(sampleInput());
  await worker.seal(sampleInput());

  const kept = (await readCertificatesUsed(certificatesDir)).map((der) => Buffer.from(der).toString('hex')).sort();
  const signers = [sealedFirst, sealedSecond].map((pdf) => Buffer.from(signerOf(pdf)).toString('hex')).sort();
  expect(kept).toEqual(signers);
  expect(new Set(kept).size).toBe(2);
});

test('processes that start at once store a certificate once and leave no other files', async () => {
  const directory = join(temporaryDirectory(), 'certificates');
  const der = signerOf(await (await testWorker()).seal(sampleInput()));
  await Promise.all(Array.from({ length: 5 }, () => storeCertificate(directory, der)));
  expect(readdirSync(directory)).toHaveLength(1);
  expect(await readCertificatesUsed(directory)).toEqual([der]);
});

test('a file added by an operator may contain several certificates, and a damaged one is named', async () => {
  const directory = temporaryDirectory();
  const ders = [];
  for (let certificate = 0; certificate < 2; certificate++) {
    ders.push(signerOf(await (await testWorker()).seal(sampleInput())));
  }
  const pem = ders.map(
    (der) => `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`,
  );
  writeFileSync(join(directory, 'moved.pem'), `# of the old machine\n${pem.join('')}`);
  expect(await readCertificatesUsed(directory)).toEqual(ders);
  expect(readPem(Buffer.from('nothing'))).toEqual([]);

  writeFileSync(join(directory, 'broken.pem'), pem[0]?.slice(0, 80).concat('\n-----END CERTIFICATE-----\n') ?? '');
  await expect(readCertificatesUsed(directory)).rejects.toThrow(/broken\.pem contains a damaged certificate/);
});
