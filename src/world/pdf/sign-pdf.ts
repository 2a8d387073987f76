import { sign } from 'node:crypto';
import { PDF, PdfDict, PdfName } from '@libpdf/core';
import type { SigningIdentity } from './certificate/signing-identity.ts';
import { textString } from './page/canvas.ts';
import { timestampAuthority } from './timestamp-authority.ts';

export interface SignatureOptions {
  identity: SigningIdentity;
  /** Whose signature it is and why, as PDF readers show it. */
  name: string;
  reason: string;
  signingTime: Date;
  /** Null: no time-stamp (PAdES B-B). Else its answer is part of the signature (B-T), and without it nothing is signed. */
  tsaUrl: string | null;
}

type Signer = Parameters<PDF['sign']>[0]['signer'];

/** Room for the signed attributes and the signature value, and for what a time-stamp authority answers. */
const signatureBytes = 4096;
const timestampBytes = 12_288;

/** Adds a PAdES signature over the whole file. The only place that signs with libpdf. */
export async function signPdf(bytes: Uint8Array, options: SignatureOptions): Promise<Uint8Array> {
  const { identity, reason, signingTime, tsaUrl } = options;
  const pdf = await PDF.load(bytes);
  nameSignature(pdf, options.name);
  const certificateBytes = [identity.certificate, ...identity.chain].reduce((sum, { raw }) => sum + raw.length, 0);
  const signed = await pdf.sign({
    signer: signerOf(identity),
    reason,
    signingTime,
    fieldName: 'Countersign',
    level: tsaUrl === null ? 'B-B' : 'B-T',
    ...(tsaUrl !== null && { timestampAuthority: timestampAuthority(tsaUrl) }),
    estimatedSize: signatureBytes + certificateBytes + (tsaUrl === null ? 0 : timestampBytes),
  });
  return signed.bytes;
}

function signerOf({ key, keyType, certificate, chain }: SigningIdentity): Signer {
  return {
    certificate: certificate.raw,
    certificateChain: chain.map(({ raw }) => raw),
    keyType,
    signatureAlgorithm: keyType === 'RSA' ? 'RSASSA-PKCS1-v1_5' : 'ECDSA',
    sign: async (data, algorithm) => sign(algorithm.replace('-', ''), data, key),
  };
}

/** libpdf has no option for the signature's name, so it is added when the signature dictionary is registered. */
function nameSignature(pdf: PDF, name: string): void {
  const { registry } = pdf.context;
  const register = registry.register.bind(registry);
  registry.register = (object) => {
    const isSignature = object instanceof PdfDict && object.getName('Type')?.value === 'Sig';
    if (isSignature) object.set(PdfName.of('Name'), textString(name));
    return register(object);
  };
}
