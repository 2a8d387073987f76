import { createHash, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createSelfSigned, type SelfSigned } from '../../src/pdf/signatures/self-signed.ts';
import { openSigningKey } from '../../src/pdf/signing-key/open-signing-key.ts';
import type { SigningKey } from '../../src/pdf/signing-key/signing-key.ts';
import { sampleInput } from '../../src/sealing/testing/sample-input.ts';
import { inspect, temporaryDirectory, testWorker } from '../../src/sealing/testing/tools.ts';
import {
  type AzureServer,
  assertion,
  client,
  identityHeader,
  refusal,
  secret,
  startAzure,
  tenant,
  version,
} from './azure-server.ts';

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
let azure: AzureServer;
let byClient: Record<string, string>;

beforeAll(async () => {
  own = await createSelfSigned({ commonName: 'Sealed by Azure', ...dates, serial: Buffer.alloc(16, 9) });
  azure = await startAzure({ seal: own.key, rsa: rsa.privateKey, p384: p384.privateKey });
  byClient = { AZURE_AUTHORITY_HOST: azure.url, AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: client };
});
afterAll(() => azure.close());
beforeEach(() => Object.assign(azure, { fault: null, tokens: 0, signCalls: 0 }));

/** Opens the key as the service does. */
function open(key: string, env: Record<string, string> = { ...byClient, AZURE_CLIENT_SECRET: secret }) {
  return openUri(`azurekms://${azure.host}/${key}`, env);
}

async function openUri(uri: string, env: Record<string, string> = {}): Promise<SigningKey> {
  const { signingKey } = readConfig({ ...env, SIGNING_KEY: uri, SIGNING_CERT_FILE: 'chain.pem' });
  if (signingKey === null) throw new Error('no signing key');
  return openSigningKey(signingKey);
}

function holds(signature: Buffer): boolean {
  return verify('sha256', message, rsa.publicKey, signature);
}

test('seals a PDF that pdfsig calls valid, and after a failure the next try succeeds', async () => {
  const file = join(temporaryDirectory(), 'chain.pem');
  writeFileSync(file, new X509Certificate(own.certificate).toString());
  const certificate = { file, password: '' };
  const { seal, checkCertificate } = await testWorker({ certificate, signingKey: await open(`seal/${version}`) });
  expect(await checkCertificate()).toMatchObject({ subject: 'CN=Sealed by Azure', key: 'EC P-256' });
  azure.fault = refusal(503, 'ServiceUnavailable', 'later');
  await expect(seal(sampleInput())).rejects.toThrow(
    'the signing key cannot be used: Azure Key Vault answered 503 ServiceUnavailable: later',
  );
  azure.fault = null;
  expect(inspect(await seal(sampleInput()), 'pdfsig')).toMatch(
    /Common Name: Sealed by Azure[\s\S]*Total document signed[\s\S]*Signature is Valid/,
  );
});

test('signs with the current version of an RSA key, and with P-384 and its digest', async () => {
  expect(holds(await (await open('rsa')).sign(request))).toBe(true);
  const digest = createHash('sha384').update(message).digest();
  const signature = await (await open('p384')).sign({ digest, digestAlgorithm: 'SHA-384', keyType: 'EC' });
  expect(verify('sha384', message, p384.publicKey, signature)).toBe(true);
});

test('finds credentials as Azure libraries do', async () => {
  const federated = join(temporaryDirectory(), 'token');
  writeFileSync(federated, `${assertion}\n`);
  const secretFile = join(temporaryDirectory(), 'secret');
  writeFileSync(secretFile, `${secret}\n`);
  const appService = { IDENTITY_ENDPOINT: `${azure.url}/msi/token`, IDENTITY_HEADER: identityHeader };
  const machine = { AZURE_POD_IDENTITY_AUTHORITY_HOST: azure.url };
  const environments: Array<Record<string, string>> = [
    { ...byClient, AZURE_CLIENT_SECRET_FILE: secretFile },
    { ...byClient, AZURE_FEDERATED_TOKEN_FILE: federated },
    appService,
    { ...appService, AZURE_CLIENT_ID: client },
    machine,
    { ...machine, AZURE_CLIENT_ID: client },
  ];
  for (const environment of environments) {
    const key = await open('rsa', environment);
    azure.tokens = 0;
    expect(holds(await key.sign(request))).toBe(true);
    expect(holds(await key.sign(request))).toBe(true);
    expect(azure.tokens).toBe(1);
  }
});

test('asks for a new token when it is refused, and says when that is refused too', async () => {
  const key = await open('rsa');
  await key.sign(request);
  azure.endTokens();
  expect((await Promise.all(Array.from({ length: 20 }, () => key.sign(request)))).every(holds)).toBe(true);
  expect(azure.tokens).toBe(2);
  azure.fault = refusal(401, 'Unauthorized', 'AKV10032: Invalid issuer.');
  await expect(key.sign(request)).rejects.toThrow('of one tenant? (AKV10032: Invalid issuer.)');
});

test('says what is wrong', async () => {
  const key = await open('rsa');
  const kid = `${azure.url}/keys/rsa/${version}`;
  const faults = [
    [refusal(403, 'Forbidden', 'Caller is not authorized'), 'need the permission keys/sign'],
    [refusal(429, 'Throttled', 'slow down'), 'the request limit of Azure Key Vault is reached'],
    [{ status: 502, body: '<html>Bad gateway' }, 'Azure Key Vault answered 502: no message'],
    [{ status: 200, body: '[1]' }, 'answered without a signature'],
    [{ status: 200, body: { kid: kid.replace('rsa', 'other'), value: 'AAAA' } }, 'signed with another key'],
  ] as const;
  for (const [fault, says] of faults) {
    azure.fault = fault;
    await expect(key.sign(request)).rejects.toThrow(says);
  }
  azure.fault = { status: 200, body: { kid, value: 'AAAA' } };
  await expect(key.sign({ ...request, keyType: 'EC' })).rejects.toThrow("of another curve than the certificate's");
  azure.fault = null;
  await expect((await open('none')).sign(request)).rejects.toThrow('has no such key or version');
  await expect(key.sign({ ...request, keyType: 'EC' })).rejects.toThrow('algorithm are incompatible: ES256');
});

test('says what is wrong with the credentials, without the secret', async () => {
  const wrong = await open('rsa', { ...byClient, AZURE_CLIENT_SECRET: 'not the secret' });
  const error = await wrong.sign(request).catch((reason: Error) => reason.message);
  expect(error).toMatch(/^Microsoft Entra ID does not accept the credentials: AADSTS7000215: .* Trace ID: 0$/);
  expect(error).not.toContain('not the secret');
  const missing = await open('rsa', { ...byClient, AZURE_FEDERATED_TOKEN_FILE: '/nonexistent/token' });
  await expect(missing.sign(request)).rejects.toThrow('which AZURE_FEDERATED_TOKEN_FILE names: ENOENT');
  const none = await open('rsa', { AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:9' });
  await expect(none.sign(request)).rejects.toThrow('there are no Azure credentials');
  const other = await open('rsa', { AZURE_POD_IDENTITY_AUTHORITY_HOST: azure.url, AZURE_CLIENT_ID: 'other' });
  await expect(other.sign(request)).rejects.toThrow('answered 400: Identity not found');
});

test('refuses hosts that are not vaults, and settings that do not fit', async () => {
  const bad = [
    ['azurekms://name.vault.azure.net', 'must look like azurekms://name.vault.azure.net/key'],
    ['azurekms://name.vault.azure.net/key/1', 'must look like azurekms://name.vault.azure.net/key'],
    ['azurekms://name.vault.azure.net/key?x', 'must look like azurekms://name.vault.azure.net/key'],
    ['azurekms://vault.azure.net.example.com/key', 'must name a vault'],
    ['azurekms://name.vault.azure.net:8443/key', 'must name a vault'],
    ['azurekms://example.com/key', 'must name a vault'],
  ] as const;
  for (const [uri, says] of bad) await expect(openUri(uri)).rejects.toThrow(`bad setting SIGNING_KEY: it ${says}`);
  await expect(open('rsa', { AZURE_CLIENT_SECRET: secret })).rejects.toThrow(
    'needs AZURE_TENANT_ID and AZURE_CLIENT_ID',
  );
  const authority = { ...byClient, AZURE_CLIENT_SECRET: secret, AZURE_AUTHORITY_HOST: 'http://login.example.com' };
  await expect(open('rsa', authority)).rejects.toThrow('bad setting AZURE_AUTHORITY_HOST');
  const hosts = ['name.vault.azure.cn', 'NAME.vault.usgovcloudapi.net', 'name.managedhsm.azure.net'];
  for (const host of hosts) await expect(openUri(`azurekms://${host}/key`)).resolves.toBeDefined();
});
