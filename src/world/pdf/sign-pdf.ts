import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfString } from '@libpdf/core';
import type { Signer } from './certificate/signer.ts';
import { textString } from './page/canvas.ts';
import { finishPdf } from './page/draw-pdf.ts';
import { sealBuild } from './reading/open-pdf.ts';
import { timestampAuthority } from './timestamp-authority.ts';
import { embedValidationData } from './validation-data.ts';

export interface SignatureOptions {
  signer: Signer;
  /** Whose signature it is and why, as PDF readers show it. */
  name: string;
  reason: string;
  signingTime: Date;
  /** Null: no time-stamp (PAdES B-B). Else its answer is part of the signature (B-T), and without it nothing is signed. */
  tsaUrl: string | null;
  /** Whether to ask the issuers of the certificates what is embedded for those who check it years later. */
  isLongTerm: boolean;
}

type LibpdfSigner = Parameters<PDF['sign']>[0]['signer'];

/** Room for the signed attributes and the signature value, and for what a time-stamp authority answers. */
const signatureBytes = 4096;
const timestampBytes = 12_288;

/** A PDF with all that it is to show, and how its seal is to be. */
export interface Sealable {
  pdf: PDF;
  /** Whether the seal forbids every later change (DocMDP, ISO 32000-1, 12.8.2.2). It may not where others signed first. */
  isLast: boolean;
  /** No field of that name is signed yet. */
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

/** libpdf has no option for the name of a signature, its build or DocMDP: all are added when its dictionary is registered. */
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

/** PDF Signature Build Dictionary Specification, 2008. */
function buildOf(level: string): PdfDict {
  const { name, revision } = sealBuild;
  const app = { Name: PdfName.of(name), R: PdfNumber.of(revision), REx: PdfString.fromString(level) };
  return PdfDict.of({ App: PdfDict.of(app) });
}

/** ISO 32000-1, tables 253 and 254. */
function noChanges(): PdfDict {
  return PdfDict.of({
    Type: PdfName.of('SigRef'),
    TransformMethod: PdfName.of('DocMDP'),
    TransformParams: PdfDict.of({ Type: PdfName.of('TransformParams'), P: PdfNumber.of(1), V: PdfName.of('1.2') }),
  });
}
