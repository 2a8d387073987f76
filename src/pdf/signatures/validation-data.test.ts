import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PDF, type PdfDict, PdfStream } from '@libpdf/core';
import { expect, onTestFinished, test } from 'vitest';
import { sampleInput } from '../../sealing/testing/sample-input.ts';
import { inspect, openssl, temporaryDirectory, testWorker } from '../../sealing/testing/tools.ts';
import { startTsa } from '../../sealing/testing/tsa-server.ts';

/** Starts a certificate authority, OpenSSL behind HTTP, with a revocation list and an OCSP responder. */
async function startAuthority(says: { ocsp: boolean; crl: boolean }) {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.url === '/crl' && says.crl) return response.end(crl());
    if (request.url !== '/ocsp' || !says.ocsp) return response.writeHead(503).end();
    writeFileSync(path('request'), Buffer.concat(parts));
    const signer = ['-rsigner', path('ca.pem'), '-rkey', path('ca.key'), '-CA', path('ca.pem')];
    const files = ['-index', path('index.txt'), '-reqin', path('request'), '-respout', path('response')];
    openssl('ocsp', ...signer, ...files, '-ndays', '7');
    response.end(execFileSync('cat', [path('response')]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '365'];
  const ca = ['-subj', '/CN=Test CA', '-keyout', path('ca.key'), '-out', path('ca.pem')];
  openssl('req', '-x509', ...newKey, ...ca, '-addext', 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature');
  const issued = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-subj', '/CN=Acme Seal', '-set_serial', '0x1000'];
  const where = [
    ...['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'keyUsage=critical,digitalSignature'],
    ...['-addext', `authorityInfoAccess=OCSP;URI:${origin}/ocsp`],
    ...['-addext', `crlDistributionPoints=URI:${origin}/crl`],
  ];
  openssl('req', '-x509', ...newKey, ...issued, ...where, '-keyout', path('leaf.key'), '-out', path('leaf.pem'));
  writeFileSync(path('index.txt'), 'V\t360101000000Z\t\t1000\tunknown\t/CN=Acme Seal\n');
  const bundle = ['-inkey', path('leaf.key'), '-in', path('leaf.pem'), '-certfile', path('ca.pem')];
  openssl('pkcs12', '-export', ...bundle, '-passout', 'pass:test', '-out', path('seal.p12'));

  function crl(): Buffer {
    writeFileSync(path('crl.cnf'), `[ca]\ndefault_ca=c\n[c]\ndatabase=${path('index.txt')}\ndefault_md=sha256\n`);
    const key = ['-keyfile', path('ca.key'), '-cert', path('ca.pem')];
    const made = ['-crldays', '7', '-config', path('crl.cnf'), '-out', path('crl.pem')];
    openssl('ca', '-gencrl', ...key, ...made);
    openssl('crl', '-in', path('crl.pem'), '-outform', 'DER', '-out', path('crl.der'));
    return execFileSync('cat', [path('crl.der')]);
  }
  return { certificate: { file: path('seal.p12'), password: 'test' }, ca: path('ca.pem'), asked };
}

/** Returns the validation data in a sealed PDF. */
async function storeOf(sealed: Buffer): Promise<Record<'Certs' | 'OCSPs' | 'CRLs', Buffer[]> | null> {
  const pdf = await PDF.load(sealed);
  const resolve = (ref: Parameters<PDF['context']['resolve']>[0]) => pdf.context.resolve(ref);
  const store: PdfDict | undefined = pdf.context.catalog.getDict().getDict('DSS', resolve);
  if (store === undefined) return null;
  const all = (key: string) =>
    [...(store.getArray(key, resolve) ?? [])].map((item) => {
      const stream = item.type === 'ref' ? resolve(item) : item;
      return stream instanceof PdfStream ? Buffer.from(stream.getDecodedData()) : Buffer.alloc(0);
    });
  return { Certs: all('Certs'), OCSPs: all('OCSPs'), CRLs: all('CRLs') };
}

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
