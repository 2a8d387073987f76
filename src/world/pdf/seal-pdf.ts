import { openIdentity } from './open-identity.ts';
import { drawPdf } from './page/draw-pdf.ts';
import { wordsOf } from './page/words.ts';
import type { CertificateFile } from './process/messages.ts';
import type { SealInput } from './seal-input.ts';
import { signPdf } from './sign-pdf.ts';

/** Draws the completed document with its certificate of completion, and seals it. Runs in a PDF process. */
export async function sealPdf(input: SealInput, file: CertificateFile, tsaUrl: string | null): Promise<Uint8Array> {
  const signingTime = new Date(input.signingTime);
  const identity = openIdentity(file, signingTime);
  return signPdf(await drawPdf(input), {
    identity,
    name: input.accountName,
    reason: wordsOf[input.language].sealReason,
    signingTime,
    tsaUrl,
  });
}
