import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { child, type DerNode, readDer, readOid } from '../pdf/signatures/der.ts';
import type { SigningCertificateFile } from '../pdf/signatures/signing-certificate.ts';
import { startAuthority } from './testing/certificate-authority.ts';
import { sampleInput } from './testing/sample-input.ts';
import { attributesOf, documentTimeStampOf, signatureOf } from './testing/signature-of.ts';
import { openssl, temporaryDirectory, testCertificate, testWorker } from './testing/tools.ts';
import { startTsa, startTsaOf } from './testing/tsa-server.ts';
import { storeOf } from './testing/validation-store.ts';

/**
 * The requirements of ETSI EN 319 142-1, 6.3, and of the CMS attributes in ETSI EN 319 122-1, 5. The checks read the bytes
 * of the file and the DER structure, not what sealing or verifying says about them.
 */

const oids = {
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  commitmentType: '1.2.840.113549.1.9.16.2.16',
  policy: '1.2.840.113549.1.9.16.2.15',
  timeStamp: '1.2.840.113549.1.9.16.2.14',
};

const contextTag = { first: 0xa0, second: 0xa1 };

interface Cms {
  signedData: DerNode;
  certificates: X509Certificate[];
  signerInfos: DerNode[];
  signed: Map<string, DerNode>;
}

function readCms(cms: Buffer): Cms {
  const contentInfo = readDer(cms);
  expect(readOid(child(contentInfo, 0))).toBe('1.2.840.113549.1.7.2');
  const signedData = child(child(contentInfo, 1), 0);
  const certificates = signedData.children.find(({ tag }) => tag === contextTag.first)?.children ?? [];
  const signerInfos = signedData.children.at(-1)?.children ?? [];
  const attributes = signerInfos[0]?.children.find(({ tag }) => tag === contextTag.first)?.children ?? [];
  return {
    signedData,
    certificates: certificates.map(({ raw }) => new X509Certificate(raw)),
    signerInfos,
    signed: new Map(attributes.map((one) => [readOid(child(one, 0)), child(child(one, 1), 0)])),
  };
}

/** Asserts what every PAdES baseline level requires of the signature in a sealed PDF, which covers all of it. */
function expectBaseline(pdf: Buffer): Cms {
  const { cms, signedBytes, dictionary } = signatureOf(pdf);
  const { signed: signedOids } = attributesOf(cms);
  const read = readCms(cms);
  expectDictionary(pdf, dictionary, signedBytes);

  // One signer. The content is external, of the type id-data.
  expect(read.signerInfos).toHaveLength(1);
  const content = child(read.signedData, 2);
  expect([content.children.length, readOid(child(content, 0))]).toEqual([1, oids.data]);

  // Each attribute once, in the order of DER, the forbidden ones never.
  expect(new Set(signedOids).size).toBe(signedOids.length);
  for (const required of [oids.contentType, oids.messageDigest, oids.signingCertificateV2]) {
    expect(signedOids).toContain(required);
  }
  for (const forbidden of [oids.signingTime, oids.signingCertificate, oids.commitmentType, oids.policy]) {
    expect(signedOids).not.toContain(forbidden);
  }
  const set = read.signerInfos[0]?.children.find(({ tag }) => tag === contextTag.first)?.children ?? [];
  const encoded = set.map(({ raw }) => raw);
  expect([...encoded].sort(Buffer.compare)).toEqual(encoded);

  // The values: id-data, the digest of the covered bytes, and the digest of the signer's certificate.
  expect(readOid(value(read, oids.contentType))).toBe(oids.data);
  const digest = value(read, oids.messageDigest).content;
  expect(createHash(hashName(digest)).update(signedBytes).digest()).toEqual(digest);
  const [signer] = read.certificates;
  const essCertId = child(child(value(read, oids.signingCertificateV2), 0), 0);
  const certHash = essCertId.children.find(({ tag }) => tag === 0x04)?.content ?? Buffer.alloc(0);
  expect(
    createHash(hashName(certHash))
      .update(signer?.raw ?? '')
      .digest(),
  ).toEqual(certHash);
  // SHA-256 is the default of the algorithm, which DER leaves out.
  expect(child(essCertId, 0).tag === 0x04).toBe(certHash.length === 32);

  // The signer's certificate is there, and none is there twice.
  expect(new Set(read.certificates.map(({ fingerprint256 }) => fingerprint256)).size).toBe(read.certificates.length);
  expectSameAlgorithms(read);
  return read;
}

function expectDictionary(pdf: Buffer, dictionary: string, signedBytes: Buffer): void {
  expect(dictionary).toContain('/SubFilter /ETSI.CAdES.detached');
  expect(dictionary).toMatch(/\/Filter \/\w/);
  expect(dictionary).toContain('/M (D:');
  expect(dictionary).not.toMatch(/\/Cert[\s[(<]/);
  // The range covers everything except the value of /Contents.
  const [gap] = /\/Contents <[0-9A-F]+>/.exec(dictionary) ?? [''];
  expect(signedBytes.length + gap.length - '/Contents '.length).toBe(pdf.length);
}

/** The digest and signature algorithms are the same in the signer info, the protection attribute and the digest list. */
function expectSameAlgorithms({ signerInfos, signedData, signed }: Cms): void {
  const [, , digestAlgorithm, , signatureAlgorithm] = signerInfos[0]?.children ?? [];
  const protection = signed.get('1.2.840.113549.1.9.52');
  expect(child(child(signedData, 1), 0).raw).toEqual(digestAlgorithm?.raw);
  expect(protection && child(protection, 0).raw).toEqual(digestAlgorithm?.raw);
  expect(protection && child(protection, 1).content).toEqual(signatureAlgorithm?.content);
}

function value({ signed }: Cms, oid: string): DerNode {
  const found = signed.get(oid);
  if (found === undefined) throw new Error(`the attribute ${oid} is missing`);
  return found;
}

function hashName(digest: Buffer): string {
  return `sha${digest.length * 8}`;
}

async function sealedWith(certificate: SigningCertificateFile, tsaUrl: string | null = null): Promise<Buffer> {
  const worker = await testWorker({ certificate, tsaUrl, clock: { now: () => new Date() } });
  return worker.seal(sampleInput({ signingTime: new Date().toISOString() }));
}

/** Makes a key whose certificate a certificate authority issued. Both are in the file. */
function issuedCertificate(key: string[]): SigningCertificateFile {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  const fresh = ['-newkey', ...key, '-nodes', '-days', '365'];
  openssl('req', '-x509', ...fresh, '-subj', '/CN=Root', '-keyout', path('ca.key'), '-out', path('ca.pem'));
  const issued = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-addext', 'basicConstraints=critical,CA:FALSE'];
  openssl('req', '-x509', ...fresh, ...issued, '-subj', '/CN=Seal', '-keyout', path('key'), '-out', path('pem'));
  const parts = ['-inkey', path('key'), '-in', path('pem'), '-certfile', path('ca.pem')];
  openssl('pkcs12', '-export', ...parts, '-passout', 'pass:test', '-out', path('seal.p12'));
  return { file: path('seal.p12'), password: 'test' };
}

test('a seal with the generated certificate has the PAdES level B-B', async () => {
  const pdf = await sealedWith(await testCertificate());
  expect(expectBaseline(pdf).certificates).toHaveLength(1);
  expect(attributesOf(signatureOf(pdf).cms).unsigned).toEqual([]);
});

test.each([
  ['RSA', ['rsa:2048']],
  ['P-384', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384']],
])('a seal with an issued certificate (%s) has the level B-B and its chain', async (_, key) => {
  const { certificates } = expectBaseline(await sealedWith(issuedCertificate(key)));
  const [leaf, root] = certificates;
  expect([certificates.length, root !== undefined && leaf?.checkIssued(root)]).toEqual([2, true]);
});

test('a seal with a time-stamp has the level B-T: one time-stamp over the signature value, not signed', async () => {
  const pdf = await sealedWith(await testCertificate(), await startTsa());
  expectTimeStamped(beforeDocumentTimeStamp(pdf));
});

/** Returns the file as it was sealed, without the update that the time-stamp of the whole file is in. */
function beforeDocumentTimeStamp(pdf: Buffer): Buffer {
  return pdf.subarray(0, signatureOf(pdf).end);
}

test('a time-stamp over the seal and its validation data ends the file (B-LTA), and OpenSSL accepts it', async () => {
  const authority = await startAuthority({ ocsp: true, crl: false });
  const { url } = await startTsaOf((path) =>
    authority.issue('/CN=Stamp', path('tsa.key'), path('tsa.pem'), ['extendedKeyUsage=critical,timeStamping']),
  );
  const pdf = await sealedWith(authority.certificate, url);
  const { cms: token, signedBytes, dictionary, end } = documentTimeStampOf(pdf);

  // The entries of the dictionary (5.4.3), and nothing of a signature that a person makes.
  for (const entry of ['/Type /DocTimeStamp', '/SubFilter /ETSI.RFC3161']) expect(dictionary).toContain(entry);
  expect(dictionary).not.toMatch(
    /\/(?:Cert|Name|M|Location|Reason|Reference|Changes|R|Prop_AuthTime|Prop_AuthType)[\s[(<]/,
  );
  // It covers everything but itself: the seal, and the validation data of the seal and its time-stamp.
  const [gap] = /\/Contents <[0-9A-F]+>/.exec(dictionary) ?? [''];
  expect([end, signedBytes.length + gap.length - '/Contents '.length]).toEqual([pdf.length, pdf.length]);
  const store = await storeOf(beforeDocumentTimeStamp(pdf));
  const stored = (store?.Certs ?? []).map((der) => new X509Certificate(der).fingerprint256);
  const { certificates } = readCms(token);
  expect(certificates).not.toHaveLength(0);
  for (const { fingerprint256 } of certificates) expect(stored).toContain(fingerprint256);

  const directory = temporaryDirectory();
  const written = (name: string, content: Buffer | string) => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
  const verify = (data: Buffer) =>
    spawnSync('openssl', [
      ...['ts', '-verify', '-token_in', '-in', written('token', token)],
      ...['-data', written('data', data), '-CAfile', authority.ca],
    ]).status;
  expect(verify(signedBytes)).toBe(0);
  signedBytes[100] = (signedBytes[100] ?? 0) ^ 1;
  expect(verify(signedBytes)).not.toBe(0);
});

/** Asserts the level B-T. Returns the token of the time-stamp. */
function expectTimeStamped(pdf: Buffer): { cms: Cms; token: Buffer } {
  const cms = expectBaseline(pdf);
  const { signerInfos } = cms;
  const [signature, unsigned] = signerInfos[0]?.children.slice(-2) ?? [];
  expect(attributesOf(signatureOf(pdf).cms).unsigned).toEqual([oids.timeStamp]);
  const values = unsigned && child(child(unsigned, 0), 1).children;
  expect(values).toHaveLength(1);
  const token = values?.[0]?.raw ?? Buffer.alloc(0);
  const tstInfo = child(child(child(child(readDer(token), 1), 0), 2), 1);
  const imprint = createHash('sha256')
    .update(signature?.content ?? '')
    .digest('hex');
  expect(tstInfo.raw.toString('hex')).toContain(imprint);
  return { cms, token };
}

test.each([
  ['OCSP answers', { ocsp: true, crl: false }],
  ['a revocation list', { ocsp: false, crl: true }],
])(
  'with a time-stamp and %s the level is B-LT: all certificates, and the status of each that was issued',
  async (_, says) => {
    const authority = await startAuthority(says);
    const { url } = await startTsaOf((path) =>
      authority.issue('/CN=Stamp', path('tsa.key'), path('tsa.pem'), ['extendedKeyUsage=critical,timeStamping']),
    );
    const pdf = await sealedWith(authority.certificate, url);
    const { cms, token } = expectTimeStamped(beforeDocumentTimeStamp(pdf));
    const store = await storeOf(pdf);
    if (store === null) throw new Error('there is no document security store');

    // Every certificate of the signature and of its time-stamp, each once (5.4.2.2).
    const certificates = store.Certs.map((der) => new X509Certificate(der));
    const known = new Set(certificates.map(({ fingerprint256 }) => fingerprint256));
    const stamping = readCms(token).certificates;
    expect(stamping).not.toHaveLength(0);
    for (const { fingerprint256 } of [...cms.certificates, ...stamping]) expect(known).toContain(fingerprint256);
    expect(known.size).toBe(certificates.length);

    // The status of each issued certificate, checked by OpenSSL with nothing but what is in the store.
    const issued = certificates.filter((one) => !one.checkIssued(one));
    expect(issued).toHaveLength(2);
    // An answer for each, or the one list of their issuer.
    expect([store.OCSPs.length, store.CRLs.length]).toEqual(says.ocsp ? [2, 0] : [0, 1]);
    for (const certificate of issued) {
      const issuer = certificates.find((other) => other !== certificate && certificate.checkIssued(other));
      expect(statusOf(certificate, issuer, store)).toBe('good');
    }
  },
);

/** Returns the status that OpenSSL finds for a certificate with the validation data of a PDF. */
function statusOf(
  certificate: X509Certificate,
  issuer: X509Certificate | undefined,
  { OCSPs, CRLs }: { OCSPs: Buffer[]; CRLs: Buffer[] },
): 'good' | 'unknown' {
  const directory = temporaryDirectory();
  const stored = (name: string, content: Buffer | string) => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
  const [cert, ca] = [stored('cert.pem', certificate.toString()), stored('ca.pem', issuer?.toString() ?? '')];
  for (const [i, der] of OCSPs.entries()) {
    const answer = ['-respin', stored(`ocsp-${i}`, der), '-issuer', ca, '-cert', cert, '-CAfile', ca];
    // It fails for an answer about another certificate.
    const { stdout } = spawnSync('openssl', ['ocsp', ...answer, '-no_nonce'], { encoding: 'utf8' });
    if (stdout.includes('cert.pem: good')) return 'good';
  }
  const lists = CRLs.map((der, i) =>
    openssl('crl', '-inform', 'DER', '-in', stored(`crl-${i}`, der), '-outform', 'PEM'),
  );
  if (lists.length === 0) return 'unknown';
  const crls = stored('crls.pem', lists.join(''));
  const checked = openssl('verify', '-crl_check', '-CRLfile', crls, '-CAfile', ca, '-purpose', 'any', cert);
  return checked.includes('cert.pem: OK') ? 'good' : 'unknown';
}
