import { createHash, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createSelfSigned, type SelfSigned } from '../../src/pdf/signatures/self-signed.ts';
import { openSigningKey } from '../../src/pdf/signing-key/open-signing-key.ts';
import type { SigningKey } from '../../src/pdf/signing-key/signing-key.ts';
import { sampleInput } from '../../src/sealing/testing/sample-input.ts';
import { inspect, temporaryDirectory, testWorker } from '../../src/sealing/testing/tools.ts';
import { type AwsKmsServer, credentials, type Fault, startAwsKms } from './aws-kms-server.ts';

const dates = { notBefore: new Date('2026-01-01'), notAfter: new Date('2036-01-01') };
const digest = createHash('sha256').update('to be signed').digest();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
let own: SelfSigned;
let kms: AwsKmsServer;

beforeAll(async () => {
  own = await createSelfSigned({ commonName: 'Sealed by AWS KMS', ...dates, serial: Buffer.alloc(16, 9) });
  kms = await startAwsKms({ 'alias/seal': own.key, 'alias/rsa': rsa.privateKey });
});
afterAll(() => kms.close());

/** Opens the key as the service does. */
function open(uri: string, env: Record<string, string> = {}): Promise<SigningKey> {
  const settings = { AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_KMS: kms.url, ...credentials, ...env };
  const { signingKey } = readConfig({ ...settings, SIGNING_KEY: uri, SIGNING_CERT_FILE: 'chain.pem' });
  if (signingKey === null) throw new Error('no signing key');
  return openSigningKey(signingKey);
}

async function worker(alias: string) {
  const file = join(temporaryDirectory(), 'chain.pem');
  writeFileSync(file, new X509Certificate(own.certificate).toString());
  return testWorker({ certificate: { file, password: '' }, signingKey: await open(`awskms:///${alias}`) });
}

test('seals a PDF that pdfsig calls valid, and after a failure the next try succeeds', async () => {
  const { seal, checkCertificate } = await worker('alias/seal');
  expect(await checkCertificate()).toMatchObject({ subject: 'CN=Sealed by AWS KMS', key: 'EC P-256' });
  withFault({ status: 500, type: 'KMSInternalException' });
  await expect(seal(sampleInput())).rejects.toThrow(
    'the signing key cannot be used: AWS KMS answered 500 KMSInternalException',
  );
  kms.fault = null;
  expect(inspect(await seal(sampleInput()), 'pdfsig')).toMatch(
    /Common Name: Sealed by AWS KMS[\s\S]*Total document signed[\s\S]*Signature is Valid/,
  );
});

test('says at the start that the key is not the one of the certificate', async () => {
  await expect((await worker('alias/rsa')).checkCertificate()).rejects.toThrow('of another type than the certificate');
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const other = await startAwsKms({ 'alias/seal': stranger });
  onTestFinished(() => other.close());
  const file = join(temporaryDirectory(), 'chain.pem');
  writeFileSync(file, new X509Certificate(own.certificate).toString());
  const signingKey = await open('awskms:///alias/seal', { AWS_ENDPOINT_URL_KMS: other.url });
  const mistaken = await testWorker({ certificate: { file, password: '' }, signingKey });
  await expect(mistaken.checkCertificate()).rejects.toThrow(
    'the signing key cannot be used: it does not belong to the certificate',
  );
});

test('signs with RSA', async () => {
  const key = await open('awskms:///alias/rsa');
  const signature = await key.sign({ digest, digestAlgorithm: 'SHA-256', keyType: 'RSA' });
  expect(verify('sha256', Buffer.from('to be signed'), rsa.publicKey, signature)).toBe(true);
});

function withFault(fault: Fault): void {
  kms.fault = fault;
  onTestFinished(() => {
    kms.fault = null;
  });
}

const request = { digest, digestAlgorithm: 'SHA-256', keyType: 'EC' } as const;

test('says what is wrong', async () => {
  const key = await open('awskms:///alias/seal');
  await expect((await open('awskms:///alias/none')).sign(request)).rejects.toThrow('has no such key in this region');
  const impostor = await open('awskms:///alias/seal', { AWS_SECRET_ACCESS_KEY: 'wrong' });
  await expect(impostor.sign(request)).rejects.toThrow('the secret key is wrong');
  const nowhere = await open('awskms:///alias/seal', { AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:9' });
  await expect(nowhere.sign(request)).rejects.toThrow('AWS KMS cannot be reached');
  withFault({ status: 500, type: 'constructor' });
  await expect(key.sign(request)).rejects.toThrow('AWS KMS answered 500 constructor: no');
  withFault({ status: 400, type: 'AccessDeniedException' });
  await expect(key.sign(request)).rejects.toThrow('need kms:Sign on the key');
});

test('a URI that names no key is refused', async () => {
  for (const bad of ['awskms:alias/seal', 'awskms:///', 'awskms:///alias/a b', 'awskms:///k?x=1']) {
    await expect(open(bad)).rejects.toThrow('bad setting SIGNING_KEY: it must look like awskms:///alias/name');
  }
  await expect(open('awskms:///alias/seal', { AWS_REGION: '' })).rejects.toThrow('needs AWS_REGION');
});
