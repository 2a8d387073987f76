import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { PDF } from '@libpdf/core';
import { sealFile } from './attached/seal-file.ts';
import { openIdentity } from './open-identity.ts';
import { drawPdf } from './page/draw-pdf.ts';
import { wordsOf } from './page/words.ts';
import type { CertificateFile, SealedPdf, SealFiles } from './process/messages.ts';
import type { SealInput } from './seal-input.ts';
import { type Sealable, signPdf } from './sign-pdf.ts';

/**
 * Seals the completed document with its certificate of completion: its attached file, or without one the pages drawn
 * from what it says. Files are read and written here, so that no large one travels between processes. Runs in a PDF
 * process.
 */
export async function sealPdf(
  input: SealInput,
  files: SealFiles,
  certificate: CertificateFile,
  tsaUrl: string | null,
): Promise<SealedPdf> {
  const signingTime = new Date(input.signingTime);
  const identity = openIdentity(certificate, signingTime);
  const bytes = await signPdf(await sealableOf(input, files.source), {
    identity,
    name: input.accountName,
    reason: wordsOf[input.language].sealReason,
    signingTime,
    tsaUrl,
  });
  await writeFile(files.output, bytes);
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
}

async function sealableOf(input: SealInput, source: string | null): Promise<Sealable> {
  if (input.document.file === null || source === null) {
    return { pdf: await PDF.load(await drawPdf(input)), isLast: true, fieldName: 'Countersign' };
  }
  return sealFile(input, input.document.file, await readFile(source));
}
