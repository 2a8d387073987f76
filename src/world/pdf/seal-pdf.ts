import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { PDF } from '@libpdf/core';
import { SigningKeyError } from '../signing-key/signing-key.ts';
import { ChangedPageError } from './attached/changed-page-error.ts';
import { firstChangedPage } from './attached/first-changed-page.ts';
import { digestOf, encloseFile, sealFile } from './attached/seal-file.ts';
import { openSigner } from './open-signer.ts';
import { ownSeal } from './own-seal.ts';
import { drawPdf } from './page/draw-pdf.ts';
import { wordsOf } from './page/words.ts';
import type { CertificateFile, SealedPdf, SealFiles } from './process/messages.ts';
import type { SealFile, SealInput } from './seal-input.ts';
import { type Sealable, signPdf } from './sign-pdf.ts';
import { prepareShaping } from './text/shaper.ts';

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
  const signer = await openSigner(certificate, signingTime);
  const sign = async (sealable: Sealable) =>
    signPdf(sealable, {
      signer,
      name: input.accountName,
      reason: wordsOf[input.language].sealReason,
      signingTime,
      tsaUrl,
      isLongTerm: true,
    });
  await prepareShaping(JSON.stringify({ ...input, attachments: [] }));
  const { bytes, isLate } = await sealed(input, files.source, sign);
  const seal = ownSeal(bytes, signer.certificate);
  if (seal === null) throw new Error('the seal does not hold');
  await writeFile(files.output, bytes);
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length, isLate, ...seal };
}

type Sign = (sealable: Sealable) => Promise<Uint8Array>;

interface Sealed {
  bytes: Uint8Array;
  /** The file was embedded because the time for comparing its pages was over. */
  isLate: boolean;
}

async function sealed(input: SealInput, source: string | null, sign: Sign): Promise<Sealed> {
  const { file } = input.document;
  if (file === null || source === null) {
    const pdf = await PDF.load(await drawPdf(input));
    return { bytes: await sign({ pdf, isLast: true, fieldName: 'Countersign' }), isLate: false };
  }
  const bytes = await readFile(source);
  if (digestOf(bytes).sha256 !== file.sha256) throw new Error('the attached file is not what was sent');
  const made = file.isEmbedded ? null : await sealedWithPages(input, file, bytes, sign);
  if (made instanceof Uint8Array) return { bytes: made, isLate: false };
  return { bytes: await sign(await encloseFile(input, file, bytes)), isLate: made === 'late' };
}

/**
 * Null for a file that must be embedded as it is, `late` when the time for comparing its pages was over. Throws a
 * `ChangedPageError` when a page means something else in the sealed PDF.
 */
async function sealedWithPages(
  input: SealInput,
  file: SealFile,
  bytes: Buffer,
  sign: Sign,
): Promise<Uint8Array | 'late' | null> {
  const made = await signedFile(input, file, bytes, sign);
  if (made === null || made.parts === null) return made?.pdf ?? null;
  const page = await firstChangedPage(bytes, made.pdf, made.parts);
  if (page === null) return made.pdf;
  // A file that cannot be compared is embedded unchanged, so that the document is sealed all the same.
  // The copy of a damaged or encrypted file shows what the library that wrote it made of it.
  if (page === 'late') return page;
  if (page === 'unstable' || made.manner === 'rewritten') return null;
  throw new ChangedPageError(page);
}

/** Null for a file that is damaged in ways that show only when something is added to it. */
async function signedFile(input: SealInput, file: SealFile, bytes: Buffer, sign: Sign) {
  try {
    const { manner, parts, ...sealable } = await sealFile(input, file, bytes);
    return { manner, parts, pdf: await sign(sealable) };
  } catch (error) {
    // The next try may find the key again, and then the file must not have been taken for a damaged one.
    if (error instanceof SigningKeyError) throw error;
    return null; // anything else that failed fails again
  }
}
