import { createHash, type X509Certificate } from 'node:crypto';
import { type PDF, PdfArray, PdfDict, PdfName, type PdfRef, PdfStream } from '@libpdf/core';
import { BasicOCSPResponse, Certificate, type CRLDistributionPoints, OCSPRequest, OCSPResponse } from 'pkijs';
import { readSignedData } from '../reading/signed-data.ts';
import type { Signer } from './signer.ts';
import { timestampAuthority } from './timestamp-authority.ts';

/**
 * Data that shows, years later and offline, that the certificates of a seal were valid when it was made (PAdES B-LT). It is
 * embedded before sealing, so that the seal covers it and no change follows the seal.
 */
interface ValidationData {
  certificates: Uint8Array[];
  ocsps: Uint8Array[];
  crls: Uint8Array[];
}

const timeoutMs = 5000;
const answerBytesMax = 2 * 2 ** 20;
/** Time for which data is reused. Answers of authorities are usually valid for days. */
const reuseMs = 3_600_000;

/** Time before the next attempt when there was no data. */
const retryMs = 60_000;

/** Data by the certificates that it is for. */
const cached = new Map<string, { until: number; data: Promise<ValidationData> }>();
const cachedMax = 16;

/**
 * Embeds the revocation data that the issuers of the certificates of a seal publish. Skips issuers that name no address or do not
 * answer in time, and self-signed certificates. Never throws, because a seal is valid without this data.
 */
export async function embedValidationData(pdf: PDF, signer: Signer, tsaUrl: string | null): Promise<void> {
  const data = await dataOfSeal(signer, tsaUrl);
  if (!isEmpty(data)) addToStore(pdf, data);
}

/**
 * Names the data of a seal in the store, under the key of the seal (`/VRI`). Some readers look there only. The key is a hash of the
 * seal, so it is added after sealing. `contents`: the `/Contents` of the seal.
 */
export async function nameValidationData(
  pdf: PDF,
  contents: Buffer,
  signer: Signer,
  tsaUrl: string | null,
): Promise<void> {
  const data = await dataOfSeal(signer, tsaUrl);
  if (!isEmpty(data)) addToStore(pdf, data, contents);
}

/** Embeds the certificates of a time-stamp and the revocation data for them, also under the key of the time-stamp. */
export async function embedStampData(
  pdf: PDF,
  contents: Buffer,
  certificates: readonly X509Certificate[],
): Promise<void> {
  const key = certificates.map(({ fingerprint256 }) => fingerprint256).join(' ');
  addToStore(pdf, await reused(key, async () => collect(certificates)), contents);
}

function dataOfSeal(signer: Signer, tsaUrl: string | null): Promise<ValidationData> {
  return reused(`${signer.certificate.fingerprint256} ${tsaUrl}`, async () =>
    collect([signer.certificate, ...signer.chain, ...(tsaUrl === null ? [] : await tsaCertificates(tsaUrl))]),
  );
}

/** Returns data collected a short time ago, or collects it. */
async function reused(key: string, collectData: () => Promise<ValidationData>): Promise<ValidationData> {
  const known = cached.get(key);
  if (known !== undefined && known.until >= performance.now()) return known.data;
  cached.delete(key);
  if (cached.size >= cachedMax) cached.clear();
  const data = collectData();
  const until = performance.now() + (isEmpty(await data) ? retryMs : reuseMs);
  cached.set(key, { until, data });
  return data;
}

function isEmpty({ ocsps, crls }: ValidationData): boolean {
  return ocsps.length + crls.length === 0;
}

/** Keys of the store, and of its entries for single signatures (ISO 32000-2, tables 261 and 262). */
const storeKeys = [
  { key: 'Certs', entry: 'Cert', of: (data: ValidationData) => data.certificates },
  { key: 'OCSPs', entry: 'OCSP', of: (data: ValidationData) => data.ocsps },
  { key: 'CRLs', entry: 'CRL', of: (data: ValidationData) => data.crls },
];

/**
 * Adds data to the document security store (ISO 32000-2, 12.8.4.3). Keeps the data of earlier signatures, and adds none twice.
 * With the `/Contents` of a signature, also names the data in the entry of the signature.
 */
function addToStore(pdf: PDF, data: ValidationData, contents: Buffer | null = null): void {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const catalog = pdf.context.catalog.getDict();
  const store = catalog.getDict('DSS', resolve)?.clone() ?? PdfDict.of({ Type: PdfName.of('DSS') });
  const named = new PdfDict();
  for (const { key, entry, of } of storeKeys) {
    const items = [...(store.getArray(key, resolve) ?? [])];
    const known = new Map(items.map((item) => [digestOf(item.type === 'ref' ? resolve(item) : item), item]));
    const used = of(data).map((der) => {
      const digest = sha256(der);
      const item = known.get(digest) ?? pdf.register(new PdfStream([], der));
      if (!known.has(digest)) items.push(item);
      known.set(digest, item);
      return item;
    });
    if (items.length > 0) store.set(key, new PdfArray(items));
    if (used.length > 0) named.set(entry, new PdfArray(used));
  }
  if (contents !== null) {
    const entries = store.getDict('VRI', resolve)?.clone() ?? new PdfDict();
    entries.set(createHash('sha1').update(contents).digest('hex').toUpperCase(), pdf.register(named));
    store.set('VRI', entries);
  }
  catalog.set('DSS', pdf.register(store));
}

/** Returns the digest of a stream's data. Null for what is not a stream, or can't be decoded. */
function digestOf(item: unknown): string | null {
  if (!(item instanceof PdfStream)) return null;
  try {
    return sha256(item.getDecodedData());
  } catch {
    return null;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function collect(used: readonly X509Certificate[]): Promise<ValidationData> {
  const all = [...new Map(used.map((one) => [one.fingerprint256, one])).values()];
  const data: ValidationData = { certificates: all.map(({ raw }) => raw), ocsps: [], crls: [] };
  const issued = all.flatMap((one) => {
    const issuer = all.find((other) => other !== one && one.checkIssued(other));
    return issuer === undefined ? [] : [{ one, issuer }];
  });
  const readList = readOnce();
  for (const answer of await Promise.all(issued.map(({ one, issuer }) => revocationDataOf(one, issuer, readList)))) {
    if (answer !== null && !data[answer.kind].includes(answer.der)) data[answer.kind].push(answer.der);
  }
  return data;
}

/** Reads each address once: certificates of one issuer share a revocation list. */
function readOnce(): (url: string) => Promise<Uint8Array | null> {
  const lists = new Map<string, Promise<Uint8Array | null>>();
  return (url) => {
    const list = lists.get(url) ?? read(url).catch(() => null);
    lists.set(url, list);
    return list;
  };
}

/** Returns the certificates of a time-stamp authority. Requests a test time-stamp, because only a time-stamp contains them. */
async function tsaCertificates(tsaUrl: string): Promise<X509Certificate[]> {
  try {
    const token = await timestampAuthority(tsaUrl).timestamp(createHash('sha256').digest(), 'SHA-256');
    return readSignedData(Buffer.from(token)).certificates;
  } catch {
    return [];
  }
}

type Answer = { kind: 'ocsps' | 'crls'; der: Uint8Array };

async function revocationDataOf(
  certificate: X509Certificate,
  issuer: X509Certificate,
  readList: (url: string) => Promise<Uint8Array | null>,
): Promise<Answer | null> {
  const parsed = Certificate.fromBER(certificate.raw);
  const responder = /^OCSP - URI:(http.*)$/m.exec(certificate.infoAccess ?? '')?.[1];
  if (responder !== undefined) {
    const der = await requestOcspStatus(responder, parsed, Certificate.fromBER(issuer.raw)).catch(() => null);
    if (der !== null) return { kind: 'ocsps', der };
  }
  for (const url of crlUrlsOf(parsed)) {
    const der = await readList(url);
    if (der !== null) return { kind: 'crls', der };
  }
  return null;
}

/** Requests the status of a certificate from an OCSP responder (RFC 6960). Returns null unless the status is good. */
async function requestOcspStatus(
  url: string,
  certificate: Certificate,
  issuer: Certificate,
): Promise<Uint8Array | null> {
  const request = new OCSPRequest();
  await request.createForCertificate(certificate, { hashAlgorithm: 'SHA-1', issuerCertificate: issuer });
  const body = Buffer.from(request.toSchema(true).toBER());
  const headers = { 'content-type': 'application/ocsp-request' };
  const der = await read(url, { method: 'POST', headers, body });
  const bytes = OCSPResponse.fromBER(der).responseBytes?.response.valueBlock.valueHexView;
  if (bytes === undefined) return null;
  const { isForCertificate, status } = await BasicOCSPResponse.fromBER(bytes).getCertificateStatus(certificate, issuer);
  return isForCertificate && status === 0 ? der : null;
}

/** Returns the addresses of the certificate revocation lists (RFC 5280, 4.2.1.13). */
function crlUrlsOf({ extensions = [] }: Certificate): string[] {
  const points = extensions.find(({ extnID }) => extnID === '2.5.29.31')?.parsedValue as
    | CRLDistributionPoints
    | undefined;
  return (points?.distributionPoints ?? []).flatMap(({ distributionPoint }) =>
    Array.isArray(distributionPoint)
      ? distributionPoint.map(({ value }) => String(value)).filter((value) => value.startsWith('http'))
      : [],
  );
}

async function read(url: string, init: RequestInit = {}): Promise<Buffer<ArrayBuffer>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.length;
    if (bytes > answerBytesMax) throw new Error(`${url} answered more than ${answerBytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
