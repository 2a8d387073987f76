import { createHash, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createSelfSigned, type SelfSigned } from '../../src/pdf/signatures/self-signed.ts';
import { openSigningKey } from '../../src/pdf/signing-key/open-signing-key.ts';
import type { SigningKey } from '../../src/pdf/signing-key/signing-key.ts';
import { sampleInput } from '../../src/sealing/testing/sample-input.ts';
import { inspect, temporaryDirectory, testWorker } from '../../src/sealing/testing/tools.ts';
import { account, type GoogleKmsServer, keyRing, refusal, startGoogleKms } from './google-kms-server.ts';

const dates = { notBefore: new Date('2026-01-01'), notAfter: new Date('2036-01-01') };
const message = Buffer.from('to be signed');
const request = {
  digest: createHash('sha256').update(message).digest(),
  digestAlgorithm: 'SHA-256',
  keyType: 'RSA',
} as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
let own: SelfSigned;
let kms: GoogleKmsServer;

beforeAll(async () => {
  own = await createSelfSigned({ commonName: 'Sealed by Google', ...dates, serial: Buffer.alloc(16, 9) });
  const keys = { seal: own.key, rsa: rsa.privateKey, p384: p384.privateKey };
  // The service account uses the RSA key too, which saves generating another one.
  kms = await startGoogleKms(keys, rsa.publicKey);
});
afterAll(() => kms.close());
beforeEach(() => Object.assign(kms, { fault: null, tamper: (answer: object) => answer, tokens: 0, signCalls: 0 }));

function uriOf(key: string): string {
  return `gcpkms://${keyRing}/${key}/cryptoKeyVersions/1`;
}

function credentialsFile(changes: Record<string, unknown> = {}): string {
  const file = join(temporaryDirectory(), 'account.json');
  const key = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const content = { type: 'service_account', client_email: account, private_key: key, private_key_id: 'id' };
  writeFileSync(file, JSON.stringify({ ...content, token_uri: `${kms.url}/token`, ...changes }));
  return file;
}

/** Opens the key as the service does. */
function open(uri: string, env: Record<string, string> = {}): Promise<SigningKey> {
  const settings = {
    CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: `${kms.url}/`,
    ...(env.GCE_METADATA_HOST === undefined && { GOOGLE_APPLICATION_CREDENTIALS: credentialsFile() }),
    ...env,
  };
  const { signingKey } = readConfig({ ...settings, SIGNING_KEY: uri, SIGNING_CERT_FILE: 'chain.pem' });
  if (signingKey === null) throw new Error('no signing key');
  return openSigningKey(signingKey);
}

function holds(signature: Buffer): boolean {
  return verify('sha256', message, rsa.publicKey, signature);
}

test('seals a PDF that pdfsig calls valid, and says that the key is not the one of the certificate', async () => {
  const file = join(temporaryDirectory(), 'chain.pem');
  writeFileSync(file, new X509Certificate(own.certificate).toString());
  const certificate = { file, password: '' };
  const { seal, checkCertificate } = await testWorker({ certificate, signingKey: await open(uriOf('seal')) });
  expect(await checkCertificate()).toMatchObject({ subject: 'CN=Sealed by Google', key: 'EC P-256' });
  kms.fault = refusal(503, 'UNAVAILABLE', 'try\nlater');
  await expect(seal(sampleInput())).rejects.toThrow(
    'the signing key cannot be used: Google Cloud KMS answered 503 UNAVAILABLE: try later',
  );
  kms.fault = null;
  expect(inspect(await seal(sampleInput()), 'pdfsig')).toMatch(
    /Common Name: Sealed by Google[\s\S]*Total document signed[\s\S]*Signature is Valid/,
  );
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const { sign } = await open(uriOf('rsa'));
  kms.fault = { status: 200, body: (await strangersAnswer(stranger)).body };
  await expect(seal(sampleInput())).rejects.toThrow('it does not belong to the certificate');
  kms.fault = null;
  expect(holds(await sign(request))).toBe(true);
});

/** Returns a valid answer for another digest, by another key. */
async function strangersAnswer(key: SelfSigned['key']) {
  const other = await startGoogleKms({ seal: key }, rsa.publicKey);
  const answers: Array<Record<string, unknown>> = [];
  other.tamper = (answer) => {
    answers.push(answer);
    return answer;
  };
  const signer = await open(uriOf('seal'), {
    CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: other.url,
    GCE_METADATA_HOST: other.host,
  });
  await signer.sign({ ...request, keyType: 'EC' });
  other.close();
  return { body: answers[0] };
}

test('signs with RSA, and with P-384 and its digest', async () => {
  expect(holds(await (await open(uriOf('rsa'))).sign(request))).toBe(true);
  const digest = createHash('sha384').update(message).digest();
  const key = await open(`gcpkms://${keyRing}/p384/versions/1`);
  const signature = await key.sign({ digest, digestAlgorithm: 'SHA-384', keyType: 'EC' });
  expect(verify('sha384', message, p384.publicKey, signature)).toBe(true);
});

test('asks for one token, also for 50 signatures at once, and for a new one when it is refused', async () => {
  const key = await open(uriOf('rsa'), { GCE_METADATA_HOST: kms.host });
  const signatures = await Promise.all(Array.from({ length: 50 }, () => key.sign(request)));
  expect(signatures.every(holds)).toBe(true);
  expect(kms).toMatchObject({ tokens: 1, signCalls: 50 });
  kms.endTokens();
  expect((await Promise.all(Array.from({ length: 50 }, () => key.sign(request)))).every(holds)).toBe(true);
  expect(kms.tokens).toBe(2);
  const before = kms.signCalls;
  kms.fault = refusal(401, 'UNAUTHENTICATED');
  await expect(key.sign(request)).rejects.toThrow('does not accept the access token');
  expect(kms.signCalls - before).toBe(2);
});

test('discards an answer that is damaged or by another key version', async () => {
  const key = await open(uriOf('rsa'));
  const damages: Array<[Record<string, unknown>, string]> = [
    [{ verifiedDigestCrc32c: false }, 'was damaged on its way'],
    [{ signatureCrc32c: { toString: 1, valueOf: 1 } }, 'was damaged on its way'],
    [{ signatureCrc32c: '1' }, 'was damaged on its way'],
    [{ signature: 'AAAA' }, 'was damaged on its way'],
    [{ name: `${keyRing}/rsa/cryptoKeyVersions/2` }, 'signed with another key'],
    [{ signature: undefined }, 'answered without a signature'],
  ];
  for (const [change, says] of damages) {
    kms.tamper = (answer) => ({ ...answer, ...change });
    await expect(key.sign(request)).rejects.toThrow(says);
  }
});

test('says what is wrong', async () => {
  const key = await open(uriOf('rsa'));
  const faults = [
    [refusal(403, 'PERMISSION_DENIED'), 'needs cloudkms.cryptoKeyVersions.useToSign'],
    [refusal(429, 'RESOURCE_EXHAUSTED'), 'the quota of Google Cloud KMS is used up'],
    [refusal(400, 'FAILED_PRECONDITION', 'version 1 is not enabled'), 'FAILED_PRECONDITION: version 1 is not enabled'],
    [
      { status: 500, body: { error: { status: 'constructor', message: { toString: 1 } } } },
      '500 constructor: no message',
    ],
    [{ status: 502, body: '<html>Bad gateway' }, 'Google Cloud KMS answered 502: no message'],
    [{ status: 500, body: '{"error":"text"}' }, 'Google Cloud KMS answered 500: no message'],
    [{ status: 200, body: { signature: 'A'.repeat(70_000) } }, 'answered without a signature'],
  ] as const;
  for (const [fault, says] of faults) {
    kms.fault = fault;
    await expect(key.sign(request)).rejects.toThrow(says);
  }
  kms.fault = null;
  await expect((await open(uriOf('none'))).sign(request)).rejects.toThrow('has no such key version');
  const nowhere = await open(uriOf('rsa'), { CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: 'http://127.0.0.1:9' });
  await expect(nowhere.sign(request)).rejects.toThrow('Google Cloud KMS cannot be reached');
});

test('says what is wrong with the credentials', async () => {
  const file = credentialsFile;
  const wrong = [
    [file({ client_email: 'other' }), 'Google does not accept the service account: its key was deleted, or this clock'],
    [file({ type: 'external_account' }), 'must be the key file of a service account'],
    [file({ private_key: 'none' }), 'has no private_key that can be read'],
    [file({ token_uri: 'http://example.com/token' }), 'has a token_uri that does not start with https:'],
    [file({ token_uri: 'http://127.0.0.1:9/token' }), 'the token service of Google cannot be reached'],
    [join(temporaryDirectory(), 'missing'), 'which GOOGLE_APPLICATION_CREDENTIALS names: ENOENT'],
  ] as const;
  for (const [GOOGLE_APPLICATION_CREDENTIALS, says] of wrong) {
    const key = await open(uriOf('rsa'), { GOOGLE_APPLICATION_CREDENTIALS });
    await expect(key.sign(request)).rejects.toThrow(says);
  }
  const none = await open(uriOf('rsa'), { GCE_METADATA_HOST: '127.0.0.1:9' });
  await expect(none.sign(request)).rejects.toThrow('there are no Google credentials');
});

test('says that the clock may be wrong', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const key = await open(uriOf('rsa'));
  kms.now = Date.now();
  onTestFinished(() => {
    kms.now = null;
  });
  for (const minutes of [-10, 10]) {
    vi.setSystemTime(kms.now + minutes * 60_000);
    await expect(key.sign(request)).rejects.toThrow('or this clock is wrong: Invalid JWT: check iat and exp.');
  }
  vi.setSystemTime(kms.now);
  expect(holds(await key.sign(request))).toBe(true);
});

test('refuses a URI without a version, and an endpoint that is not safe', async () => {
  const key = uriOf('rsa').replace(/\/cryptoKeyVersions.*/, '');
  for (const bad of [key, `${key}/cryptoKeyVersions/`, `${key}/cryptoKeyVersions/1/x`, 'gcpkms://', `${uriOf('r?')}`]) {
    await expect(open(bad)).rejects.toThrow('bad setting SIGNING_KEY: it must look like gcpkms://projects/P');
  }
  const endpoint = { CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: 'http://kms.example.com/' };
  await expect(open(uriOf('rsa'), endpoint)).rejects.toThrow('bad setting CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS');
});
