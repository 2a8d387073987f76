import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfString } from '@libpdf/core';
import { finishPdf } from '../drawing/finish-pdf.ts';
import { textString } from '../drawing/text-string.ts';
import { sealBuild } from '../reading/open-pdf.ts';
import type { Signer } from './signer.ts';
import { timestampAuthority } from './timestamp-authority.ts';
import { embedValidationData } from './validation-data.ts';

export interface SignatureOptions {
  signer: Signer;
  /** Name of the signer, as PDF readers show it. */
  name: string;
  reason: string;
  signingTime: Date;
  /** URL of the time-stamp authority (PAdES B-T). Signing fails without its answer. Null for no time-stamp (B-B). */
  tsaUrl: string | null;
  /** Whether to embed revocation data of the certificates, for checks years later. */
  isLongTerm: boolean;
}

type LibpdfSigner = Parameters<PDF['sign']>[0]['signer'];

/** Bytes reserved for the signed attributes and the signature value, and for a time-stamp. */
const signatureBytes = 4096;
const timestampBytes = 12_288;

/** A finished PDF and the options of its seal. */
export interface Sealable {
  pdf: PDF;
  /** Whether the seal forbids all later changes (DocMDP, ISO 32000-1, 12.8.2.2). False when the file has other signatures. */
  isLast: boolean;
  /** Name of the signature field. No signed field may have this name. */
  fieldName: string;
}

/** Adds a PAdES signature over the whole file. The only place that signs with libpdf. */
export async function signPdf({ pdf, isLast, fieldName }: Sealable, options: SignatureOptions): Promise<Uint8Array> {
  const { signer, reason, signingTime, tsaUrl } = options;
  if (options.isLongTerm) await embedValidationData(pdf, signer, tsaUrl);
  finishPdf(pdf);
  const level = tsaUrl === null ? 'B-B' : 'B-T';
  describeSignature(pdf, options.name, level, isLast);
  const certificateBytes = [signer.certificate, ...signer.chain].reduce((sum, { raw }) => sum + raw.length, 0);
  const signed = await pdf.sign({
    signer: libpdfSigner(signer),
    digestAlgorithm: signer.digestAlgorithm,
    reason,
    signingTime,
    fieldName,
    level,
    ...(tsaUrl !== null && { timestampAuthority: timestampAuthority(tsaUrl) }),
    estimatedSize: signatureBytes + certificateBytes + (tsaUrl === null ? 0 : timestampBytes),
  });
  return signed.bytes;
}

function libpdfSigner({ certificate, chain, keyType, sign }: Signer): LibpdfSigner {
  return {
    certificate: certificate.raw,
    certificateChain: chain.map(({ raw }) => raw),
    keyType,
    signatureAlgorithm: keyType === 'RSA' ? 'RSASSA-PKCS1-v1_5' : 'ECDSA',
    sign,
  };
}

/** Adds the name, the build and DocMDP to a signature. libpdf has no options for them, so they are added on registration. */
function describeSignature(pdf: PDF, name: string, level: string, isLast: boolean): void {
  const { registry, catalog } = pdf.context;
  const register = registry.register.bind(registry);
  registry.register = (object) => {
    const isSignature = object instanceof PdfDict && object.getName('Type')?.value === 'Sig';
    if (!isSignature) return register(object);
    object.set('Name', textString(name));
    object.set('Prop_Build', buildOf(level));
    if (isLast) object.set('Reference', new PdfArray([noChanges()]));
    const ref = register(object);
    if (isLast) catalog.getDict().set('Perms', PdfDict.of({ DocMDP: ref }));
    return ref;
  };
}

/** Makes the build dictionary (PDF Signature Build Dictionary Specification, 2008). */
function buildOf(level: string): PdfDict {
  const { name, revision } = sealBuild;
  const app = { Name: PdfName.of(name), R: PdfNumber.of(revision), REx: PdfString.fromString(level) };
  return PdfDict.of({ App: PdfDict.of(app) });
}

/** Makes the signature reference that forbids all changes (ISO 32000-1, tables 253 and 254). */
function noChanges(): PdfDict {
  return PdfDict.of({
    Type: PdfName.of('SigRef'),
    TransformMethod: PdfName.of('DocMDP'),
    TransformParams: PdfDict.of({ Type: PdfName.of('TransformParams'), P: PdfNumber.of(1), V: PdfName.of('1.2') }),
  });
}
