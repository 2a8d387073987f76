import 'reflect-metadata'; // must be imported before @peculiar/x509
import { randomBytes, type webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { Integer, Null, ObjectIdentifier, OctetString, Sequence, UTCTime } from 'asn1js';
import {
  Accuracy,
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './tools.ts';

/** How the authority answers: as it should, with an error, never, with something else, or with a signature that does not hold. */
type Manner = 'good' | 'down' | 'silent' | 'rubbish' | 'unsigned';

/** A time-stamp authority with its own time, whose certificate can be replaced. */
export interface ShortLivedTsa {
  url: string;
  /** Path of the certificate of the root, which is valid for 40 years. */
  root: string;
  /** Replaces its certificate by one that is valid for so many days from its present time. */
  issue(days: number): Promise<void>;
  manner: Manner;
  /** How many time-stamps it was asked for. */
  asked: number;
}

interface Identity {
  keys: webcrypto.CryptoKeyPair;
  /** The subject of the certificate. */
  name: string;
  pem: string;
  certificate: Certificate;
}

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const oids = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  signedData: '1.2.840.113549.1.7.2',
  policy: '1.2.3.4.1',
};

/** Starts an authority that lives at the time of `clock`. Its first certificate is valid for `days`. */
export async function startShortLivedTsa(clock: { now(): Date }, days: number): Promise<ShortLivedTsa> {
  const root = await createIdentity('Root of time', clock.now(), 14_600, null);
  const rootPath = join(temporaryDirectory(), 'root.pem');
  writeFileSync(rootPath, root.pem);
  let identity: Identity;
  const tsa: ShortLivedTsa = {
    url: '',
    root: rootPath,
    async issue(validDays) {
      identity = await createIdentity(`Time for ${validDays} days`, clock.now(), validDays, root);
    },
    manner: 'good',
    asked: 0,
  };
  await tsa.issue(days);

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    tsa.asked += 1;
    if (tsa.manner === 'silent') return;
    if (tsa.manner === 'down') return response.writeHead(503).end();
    const reply = await stamp(Buffer.concat(parts), identity, clock.now());
    // The signature is in the last bytes.
    if (tsa.manner === 'unsigned') reply.writeUInt8(255 - reply.readUInt8(reply.length - 9), reply.length - 9);
    const body = tsa.manner === 'rubbish' ? '<html>Maintenance</html>' : reply;
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  tsa.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return tsa;
}

/** Creates a root when `issuer` is null, and the certificate of an authority otherwise. */
async function createIdentity(name: string, from: Date, days: number, issuer: Identity | null): Promise<Identity> {
  const keys = (await crypto.subtle.generateKey(
    { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  )) as webcrypto.CryptoKeyPair;
  const isRoot = issuer === null;
  const made = await X509CertificateGenerator.create({
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    subject: `CN=${name}`,
    issuer: issuer?.name ?? `CN=${name}`,
    notBefore: from,
    notAfter: new Date(from.getTime() + days * 86_400_000),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    extensions: [
      new BasicConstraintsExtension(isRoot, undefined, true),
      ...(isRoot ? [] : [new ExtendedKeyUsageExtension([ExtendedKeyUsage.timeStamping], true)]),
    ],
  });
  return { keys, name: made.subject, pem: made.toString('pem'), certificate: Certificate.fromBER(made.rawData) };
}

/** Answers a request for a time-stamp (RFC 3161). */
async function stamp(query: Buffer, { keys, certificate }: Identity, at: Date): Promise<Buffer> {
  const { messageImprint, nonce, certReq } = TimeStampReq.fromBER(query);
  const info = new TSTInfo({
    version: 1,
    policy: oids.policy,
    messageImprint,
    serialNumber: Integer.fromBigInt(BigInt(`0x01${randomBytes(7).toString('hex')}`)),
    genTime: new Date(Math.floor(at.getTime() / 1000) * 1000),
    accuracy: new Accuracy({ seconds: 1 }),
    ...(nonce && { nonce }),
  });
  const content = info.toSchema().toBER();
  const attributes = [
    new Attribute({ type: oids.contentType, values: [new ObjectIdentifier({ value: oids.timeStampInfo })] }),
    new Attribute({ type: oids.signingTime, values: [new UTCTime({ valueDate: at })] }),
    new Attribute({ type: oids.messageDigest, values: [new OctetString({ valueHex: await sha256(content) })] }),
    new Attribute({ type: oids.signingCertificate, values: [await signingCertificateOf(certificate)] }),
  ];
  const signed = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: oids.timeStampInfo,
      eContent: new OctetString({ valueHex: content }),
    }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
      }),
    ],
    ...(certReq && { certificates: [certificate] }),
  });
  await signed.sign(keys.privateKey, 0, 'SHA-256');
  const token = new ContentInfo({ contentType: oids.signedData, content: signed.toSchema(true) });
  const reply = new TimeStampResp({ status: new PKIStatusInfo({ status: 0 }), timeStampToken: token });
  return Buffer.from(reply.toSchema().toBER());
}

/** The attribute that names the certificate of the signer by its digest (RFC 5816). */
async function signingCertificateOf(certificate: Certificate): Promise<Sequence> {
  const algorithmIdentifier = new AlgorithmIdentifier({ algorithmId: oids.sha256, algorithmParams: new Null() });
  const digest = new OctetString({ valueHex: await sha256(certificate.toSchema().toBER()) });
  const id = new Sequence({ value: [algorithmIdentifier.toSchema(), digest] });
  return new Sequence({ value: [new Sequence({ value: [id] })] });
}

function sha256(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', bytes);
}
