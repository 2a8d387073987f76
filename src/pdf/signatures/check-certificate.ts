import { PDF } from '@libpdf/core';
import { CertificateError } from './certificate-error.ts';
import { type CertificateFile, openSigner } from './open-signer.ts';
import { ownSeal } from './own-seal.ts';
import { signPdf } from './sign-pdf.ts';
import { type CertificateSummary, summarize } from './signing-certificate-rules.ts';

/** Checks a certificate by signing an empty page with it. Runs in a PDF process. */
export async function checkCertificate(file: CertificateFile, now: Date): Promise<CertificateSummary> {
  const signer = await openSigner(file, now);
  const pdf = PDF.create();
  pdf.addPage();
  const sealable = { pdf: await PDF.load(await pdf.save()), isLast: true, fieldName: 'Countersign' };
  const signed = await signPdf(sealable, {
    signer,
    name: 'Countersign',
    reason: 'Test',
    signingTime: now,
    tsaUrl: null,
    isLongTerm: false,
  });
  if (ownSeal(signed, signer.certificate) === null) {
    throw new CertificateError('the key does not belong to it, or it does not sign with RSASSA-PKCS1-v1_5 or ECDSA');
  }
  return summarize(signer);
}
