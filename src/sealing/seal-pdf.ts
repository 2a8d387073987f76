import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { PDF } from '@libpdf/core';
import { type ByteRange, type FoundSeal, sealAt } from '../pdf/reading/find-seals.ts';
import { BrokenStampError, lastStampAmong, type StampValidity } from '../pdf/reading/last-stamp.ts';
import { type CertificateFile, openSigner } from '../pdf/signatures/open-signer.ts';
import { type OwnSeal, ownSeal } from '../pdf/signatures/own-seal.ts';
import { type Sealable, signPdf } from '../pdf/signatures/sign-pdf.ts';
import type { Signer } from '../pdf/signatures/signer.ts';
import { stampPdf } from '../pdf/signatures/stamp-pdf.ts';
import { TimeStampError } from '../pdf/signatures/timestamp-authority.ts';
import { nameValidationData } from '../pdf/signatures/validation-data.ts';
import { SigningKeyError } from '../pdf/signing-key/signing-key.ts';
import { prepareShaping } from '../pdf/text/shaper.ts';
import { ChangedPageError } from './attached/changed-page-error.ts';
import { compareMsMax, firstChangedPage } from './attached/first-changed-page.ts';
import { digestOf, encloseFile, sealFile } from './attached/seal-file.ts';
import { drawPdf } from './completion/draw-pdf.ts';
import { wordsOf } from './completion/words.ts';
import type { SealedPdf, SealFiles } from './jobs.ts';
import type { SealFile, SealInput } from './seal-input.ts';

/**
 * Seals a completed document with its certificate of completion. The document is its attached file, or pages drawn from its
 * content. Reads and writes files itself, so that they are not sent between processes. Runs in a PDF process.
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
  const { bytes, isLate } = await makeSealed(input, files.source, sign);
  const seal = ownSeal(bytes, signer.certificate);
  if (seal === null) throw new Error('the new seal is not valid');
  const { file, stamp } = await stampSeal(bytes, seal, signer, tsaUrl);
  await writeFile(files.output, file);
  const sha256 = createHash('sha256').update(file).digest('hex');
  return { sha256, bytes: file.length, isLate, stamp, ...seal };
}

/** Adds the time-stamp over the whole file, and names the validation data of the seal. */
async function stampSeal(
  bytes: Uint8Array,
  { byteRange }: OwnSeal,
  signer: Signer,
  tsaUrl: string | null,
): Promise<{ file: Uint8Array; stamp: StampValidity | null }> {
  if (tsaUrl === null) return { file: bytes, stamp: null };
  const { contents } = sealAt(asBuffer(bytes), byteRange);
  const { file, stamps } = await stampPdf(bytes, tsaUrl, async (pdf) => {
    if (contents !== null) await nameValidationData(pdf, contents, signer, tsaUrl);
  });
  return { file, stamp: validityIn(asBuffer(file), byteRange, stamps) };
}

/** Returns until when the file is protected. Null for a time-stamp of a kind that is not accepted. */
function validityIn(file: Buffer, byteRange: ByteRange, stamps: readonly FoundSeal[]): StampValidity | null {
  try {
    const last = lastStampAmong(file, byteRange, stamps);
    return last && { at: last.at, until: last.until };
  } catch (error) {
    if (error instanceof BrokenStampError) return null;
    throw error;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

type Sign = (sealable: Sealable) => Promise<Uint8Array>;

interface Sealed {
  bytes: Uint8Array;
  /** Whether the file was embedded because comparing its pages took too long. */
  isLate: boolean;
}

async function makeSealed(input: SealInput, source: string | null, sign: Sign): Promise<Sealed> {
  const { file } = input.document;
  if (file === null || source === null) {
    const pdf = await PDF.load(await drawPdf(input));
    return { bytes: await sign({ pdf, isLast: true, fieldName: 'Countersign' }), isLate: false };
  }
  const bytes = await readFile(source);
  if (digestOf(bytes).sha256 !== file.sha256) throw new Error('the attached file has changed since it was sent');
  const made = file.isEmbedded ? null : await sealWithId(input, file, bytes, sign);
  if (made instanceof Uint8Array) return { bytes: made, isLate: false };
  const isLate = made === 'late';
  const withPictures = !isLate && file.withoutPictures !== true;
  return { bytes: await sign(await encloseFile(input, file, bytes, withPictures)), isLate };
}

/** Time limits of the comparison of a file whose pages all have the id, and of a second attempt without it. */
const idCompareMsMax = 10_000;
const laterCompareMsMax = compareMsMax - idCompareMsMax;

/**
 * Seals a file with its own pages, with the document's id on each if the company wants it. A file that takes too long to
 * compare with it, or doesn't keep its look, goes without the id, because its own pages are worth more. Otherwise as `sealPages`.
 */
async function sealWithId(input: SealInput, file: SealFile, bytes: Buffer, sign: Sign) {
  const { document } = input;
  if (!document.printsId || document.isTest) return sealPages(input, file, bytes, sign);
  const made = await sealPages(input, file, bytes, sign, idCompareMsMax).catch((error) => {
    if (error instanceof ChangedPageError) return null;
    throw error;
  });
  if (made instanceof Uint8Array) return made;
  return sealPages({ ...input, document: { ...document, printsId: false } }, file, bytes, sign, laterCompareMsMax);
}

/**
 * Seals a file with its own pages. Returns null when the file must be embedded instead, and `late` when comparing its pages
 * took too long.
 *
 * @throws a `ChangedPageError` when a page looks different in the sealed PDF.
 */
async function sealPages(
  input: SealInput,
  file: SealFile,
  bytes: Buffer,
  sign: Sign,
  msMax = compareMsMax,
): Promise<Uint8Array | 'late' | null> {
  const made = await sealAndSign(input, file, bytes, sign);
  if (made === null || made.parts === null) return made?.pdf ?? null;
  const page = await firstChangedPage(bytes, made.pdf, made.parts, msMax);
  if (page === null) return made.pdf;
  // A file that cannot be compared is embedded unchanged. So is a rewritten file that looks different, because the copy shows
  // how libpdf understood a damaged or encrypted file.
  if (page === 'late') return page;
  if (page === 'unstable' || made.manner === 'rewritten') return null;
  throw new ChangedPageError(page);
}

/** Seals and signs a file. Returns null when damage in the file prevents adding to it. */
async function sealAndSign(input: SealInput, file: SealFile, bytes: Buffer, sign: Sign) {
  try {
    const { manner, parts, ...sealable } = await sealFile(input, file, bytes);
    return { manner, parts, pdf: await sign(sealable) };
  } catch (error) {
    // The key or the authority may work on the next attempt, so the file does not count as damaged.
    if (error instanceof SigningKeyError || error instanceof TimeStampError) throw error;
    return null; // other errors would occur again
  }
}
