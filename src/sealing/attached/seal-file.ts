import { createHash } from 'node:crypto';
import { PDF } from '@libpdf/core';
import { dropAccessibleClaim } from '../../pdf/archival/file-claim.ts';
import { savePdf } from '../../pdf/drawing/finish-pdf.ts';
import { addPicturePages, picturesBytesMax } from '../../pdf/drawing/picture-pages.ts';
import { freezeLayers } from '../../pdf/freeze-layers.ts';
import { readPages, type TreePage } from '../../pdf/page-tree.ts';
import type { Sealable } from '../../pdf/signatures/sign-pdf.ts';
import { createPdf, drawCertificateInto, drawPdf } from '../completion/draw-pdf.ts';
import { wordsOf } from '../completion/words.ts';
import type { Digest, EnclosedFile, FileFacts, FileManner } from '../file-facts.ts';
import { isFilled, type SealAttachment, type SealFile, type SealInput } from '../seal-input.ts';
import { certificateBytesMax, sealedBytesMax } from '../sealed-bytes.ts';
import { activeParts, printAsShown } from './active-parts.ts';
import { annotatePages } from './annotate-pages.ts';
import { addFieldWithFiles } from './enclosed-files.ts';
import { fillPages } from './fill-pages.ts';
import { type PageParts, partsOf } from './first-changed-page.ts';
import { type ClaimKeeper, claimKeeper } from './keep-claim.ts';
import { openAttached, updateInPlace } from './open-attached.ts';
import { pageMarks } from './page-marks.ts';

/** Name of the embedded file with the `FileFacts`. */
const factsFile = 'file.json';
const certificateFile = 'certificate.pdf';
/** Name of the embedded original. Its own name could collide with another embedded file. */
const enclosedFile = 'attached.pdf';

export interface FileToSign extends Sealable {
  manner: FileManner;
  /** The original parts of the file's pages. Null when the file is embedded and its pages are not in the sealed PDF. */
  parts: PageParts[] | null;
}

/** Makes the PDF to sign from an attached file. The file decides the manner (see `FileManner`). */
export async function sealFile(input: SealInput, file: SealFile, bytes: Uint8Array): Promise<FileToSign> {
  const before = digestOf(bytes);
  // An id is not worth embedding the file instead of showing its pages, but a test must be seen on each page.
  const attached = await openAttached(bytes, file.pageCount, input.fields.length > 0 || input.document.isTest);
  switch (attached.manner) {
    case 'pages':
    case 'rewritten': {
      const { pdf, pages, manner } = attached;
      const parts = partsOf(pdf, pages, input.fields.filter(isFilled), pageMarks(input).length > 0);
      const claim = claimKeeper(pdf, manner);
      const filled = await fillAndReload(pdf, pages, input, attached.bytes, claim);
      removeActiveParts(pdf);
      const facts = { name: file.name, manner, before, after: digestOf(filled) };
      drawCertificateInto(pdf, file.pageCount, withFacts(input, facts), facts);
      claim.prepare();
      claim.settle();
      dropAccessibleClaim(pdf);
      return { pdf, isLast: true, fieldName: freeFieldName(pdf), manner, parts };
    }
    case 'signed': {
      const { pdf, pages, manner, mayAnnotate } = attached;
      const parts = partsOf(pdf, pages, input.fields.filter(isFilled), mayAnnotate && pageMarks(input).length > 0);
      if (mayAnnotate) annotatePages(pdf, pages, input);
      claimKeeper(pdf, manner).settle();
      return { ...(await addSignature(pdf, input, { name: file.name, manner, before, after: null })), manner, parts };
    }
    case 'enclosed':
      return encloseFile(input, file, bytes);
  }
}

/**
 * Embeds a file unchanged in a new PDF, behind pictures of its pages with the values. Without `withPictures`, and for a file whose
 * pages can't be shown, pages about the document take their place. This works for every file, and is the fallback for the other
 * manners.
 */
export async function encloseFile(
  input: SealInput,
  file: SealFile,
  bytes: Uint8Array,
  withPictures = true,
): Promise<FileToSign> {
  const facts = { name: file.name, manner: 'enclosed', before: digestOf(bytes), after: null } as const;
  const description = words(input).enclosedFile(file.name);
  const enclosed = { name: enclosedFile, mediaType: 'application/pdf', description, bytes };
  const pictured = withPictures
    ? await drawPictures(input, file.pageCount, { ...facts, pictures: file.pageCount }, enclosed)
    : null;
  return {
    pdf: await PDF.load(pictured ?? (await drawPdf(withFacts(input, facts), { facts, enclosed }))),
    isLast: true,
    fieldName: 'Countersign',
    manner: 'enclosed',
    parts: null,
  };
}

/** Draws pictures of the pages, the values on them, and the certificate. Null when there can't be pictures. */
async function drawPictures(
  input: SealInput,
  pageCount: number,
  facts: FileFacts,
  enclosed: EnclosedFile,
): Promise<Uint8Array | null> {
  // Pictures of text have no structure.
  const pdf = createPdf(input, 'U');
  const room = sealedBytesMax - certificateBytesMax - enclosed.bytes.length;
  if (!(await addPicturePages(pdf, enclosed.bytes, pageCount, Math.min(picturesBytesMax, room)))) return null;
  fillPages(pdf, readPages(pdf), input, resourceName(input));
  drawCertificateInto(pdf, pageCount, withFacts(input, facts), facts, enclosed);
  return savePdf(pdf);
}

/** Draws the values in a separate update, so that the certificate can print the digest of the file with its values. */
async function fillAndReload(
  pdf: PDF,
  pages: readonly TreePage[],
  input: SealInput,
  bytes: Uint8Array,
  claim: ClaimKeeper,
): Promise<Uint8Array> {
  if (!fillPages(pdf, pages, input, resourceName(input))) return bytes;
  claim.prepare();
  const filled = await savePdf(pdf, { incremental: true });
  await pdf.reload(filled);
  updateInPlace(pdf);
  if (readPages(pdf).length !== pages.length) throw new Error('the file lost pages when it was filled in');
  return filled;
}

/** Returns a resource name that the file cannot contain: it includes the digest of the file. */
function resourceName({ document }: SealInput): string {
  return `Countersign${document.file?.sha256 ?? ''}`;
}

/** Prepares another signature on a signed file. The certificate, a separate PDF, and the attachments are part of it. */
async function addSignature(pdf: PDF, input: SealInput, facts: FileFacts): Promise<Sealable> {
  const own = withFacts(input, facts);
  const certificate = await drawPdf({ ...own, attachments: [] }, { facts, isCertificateOnly: true });
  const fieldName = freeFieldName(pdf);
  addFieldWithFiles(pdf, fieldName, [
    { name: certificateFile, mediaType: 'application/pdf', description: words(input).certificate, bytes: certificate },
    ...own.attachments.map((attachment) => ({ ...attachment, bytes: Buffer.from(attachment.bytes, 'base64') })),
  ]);
  return { pdf, isLast: false, fieldName };
}

/** Removes what could show something other than the signed pages. The seal itself replaces usage rights. */
function removeActiveParts(pdf: PDF): void {
  const pages = readPages(pdf);
  for (const remove of activeParts(pdf, pages)) remove();
  for (const page of pages) printAsShown(pdf, page);
  freezeLayers(pdf);
}

/** Returns a field name that the form does not use yet. */
function freeFieldName(pdf: PDF): string {
  const taken = new Set(
    pdf
      .getForm()
      ?.getFields()
      .map(({ name }) => name),
  );
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'Countersign' : `Countersign ${n}`;
    if (!taken.has(name)) return name;
  }
}

function withFacts(input: SealInput, facts: FileFacts): SealInput {
  const json = Buffer.from(JSON.stringify(facts));
  const own: SealAttachment = {
    name: factsFile,
    mediaType: 'application/json',
    description: words(input).factsFile,
    bytes: json.toString('base64'),
  };
  return { ...input, attachments: [...input.attachments, own] };
}

function words({ language }: SealInput) {
  return wordsOf[language];
}

export function digestOf(bytes: Uint8Array): Digest {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
}
