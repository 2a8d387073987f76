import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfString } from '@libpdf/core';
import { asFinished, finishPdf } from '../drawing/finish-pdf.ts';
import { textString } from '../drawing/text-string.ts';
import { sealBuild } from '../reading/open-pdf.ts';
import { makeSeal } from './make-seal.ts';
import { pdfDate } from './pdf-date.ts';
import { addSignatureField } from './signature-field.ts';
import { addPlaceholder, fillPlaceholder } from './signature-placeholder.ts';
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

/** Adds a PAdES signature over the whole file (ETSI EN 319 142-1, 6.3). The only place that seals. */
export async function signPdf({ pdf, isLast, fieldName }: Sealable, options: SignatureOptions): Promise<Uint8Array> {
  const { signer, tsaUrl } = options;
  if (options.isLongTerm) await embedValidationData(pdf, signer, tsaUrl);
  finishPdf(pdf);
  const certificateBytes = [signer.certificate, ...signer.chain].reduce((sum, { raw }) => sum + raw.length, 0);
  const reserved = signatureBytes + certificateBytes + (tsaUrl === null ? 0 : timestampBytes);
  addSignatureField(pdf, fieldName, (field) => {
    const ref = pdf.register(signatureDictionary(options, isLast, reserved));
    field.set('V', ref);
    if (isLast) pdf.context.catalog.getDict().set('Perms', PdfDict.of({ DocMDP: ref }));
  });
  const { buffer, byteOffset, byteLength } = await pdf.save({ incremental: true, ...asFinished });
  const file = Buffer.from(buffer, byteOffset, byteLength);
  const authority = tsaUrl === null ? null : timestampAuthority(tsaUrl);
  await fillPlaceholder(file, reserved, signer.digestAlgorithm, (digest) =>
    makeSeal(digest, signer, authority && ((stamped, algorithm) => authority.timestamp(stamped, algorithm))),
  );
  return file;
}

function signatureDictionary(
  { name, reason, signingTime, tsaUrl }: SignatureOptions,
  isLast: boolean,
  reserved: number,
): PdfDict {
  const dictionary = PdfDict.of({
    Type: PdfName.of('Sig'),
    Filter: PdfName.of('Adobe.PPKLite'),
    SubFilter: PdfName.of('ETSI.CAdES.detached'),
  });
  addPlaceholder(dictionary, reserved);
  dictionary.set('M', PdfString.fromString(pdfDate(signingTime)));
  dictionary.set('Name', textString(name));
  dictionary.set('Reason', PdfString.fromString(reason));
  dictionary.set('Prop_Build', buildOf(tsaUrl === null ? 'B-B' : 'B-T'));
  if (isLast) dictionary.set('Reference', new PdfArray([noChanges()]));
  return dictionary;
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
