import { readDocumentFile } from '../../documents/attachment.ts';
import { originalFileKey, pdfKey } from '../../documents/completed-file.ts';
import type { Document } from '../../documents/document.ts';
import { listSignedFiles } from '../../documents/field-file.ts';
import { fileKey, sha256OfFileKey } from '../../documents/stored-files.ts';
import { Refusal } from '../../errors.ts';
import type { Query } from '../../http/page-request.ts';
import { savedAs } from '../../http/saved-as.ts';
import { PdfWorkerError } from '../../pdf/process/pdf-worker-error.ts';
import { attachmentHeaders } from '../../signing/attachment-headers.ts';
import { completeCertificate, mayHaveCompleteCertificate } from '../../signing/complete-certificate.ts';
import { type FilePages, pageWidths, type ShownFile } from '../../signing/file-pages.ts';
import { SigningError } from '../../signing/signing-error.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { RawAnswer } from '../core/raw-answer.ts';
import { findOwnDocument } from './own-document.ts';

/** The files of a document: pages as pictures, the original, and the completed PDF with its pages. */
export const documentFileEndpoints = [
  forMembers('GET /documents/:id/pages/:page', 'member', {}, showPage),
  forMembers('GET /documents/:id/pages/:page/text', 'member', {}, showPageText),
  forMembers('GET /documents/:id/sealed', 'member', {}, showSealed),
  forMembers('GET /documents/:id/sealed/pages/:page', 'member', {}, showSealedPage),
  forMembers('GET /documents/:id/sealed/pages/:page/text', 'member', {}, showSealedText),
  forMembers('GET /documents/:id/pdf', 'member', {}, downloadPdf),
  forMembers('GET /documents/:id/original', 'member', {}, downloadOriginal),
  forMembers('GET /documents/:id/certificate', 'member', {}, downloadCertificate),
  forMembers('GET /documents/:id/uploads/:field', 'member', {}, downloadUpload),
];

const widthDefault = 900;

export async function showPage({ db, pages }: ConsoleDeps, call: MemberCall) {
  const { file, page } = await findPage(db, call);
  return showPicture(pages, file, page, call.query);
}

/** Answers with a page of a PDF as a picture, at least `?width=` pixels wide if offered. Throws `page_unavailable`. */
export async function showPicture(
  pages: FilePages,
  file: ShownFile,
  page: number,
  { width }: Query,
): Promise<RawAnswer> {
  const widthMin = typeof width === 'string' ? Number(width) : widthDefault;
  const chosen = pageWidths.find((offered) => offered >= widthMin) ?? (pageWidths.at(-1) as number);
  const { mediaType, bytes } = await orUnavailable(pages.image(file, page, chosen));
  return new RawAnswer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { 'content-type': mediaType });
}

/** Answers with the text of a page, for screen readers. */
async function showPageText({ db, pages }: ConsoleDeps, call: MemberCall) {
  const { file, page } = await findPage(db, call);
  const { lines } = await orUnavailable(pages.text(file, page));
  return { text: lines.map(({ text }) => text).join('\n') };
}

export async function findPage(db: ConsoleDeps['db'], call: MemberCall): Promise<{ file: ShownFile; page: number }> {
  const { account_id, id } = await findOwnDocument(db, call);
  const file = await readDocumentFile(db, account_id, id);
  if (file === null) throw new ConsoleError('not_found');
  return {
    file: { sha256: file.sha256.toString('hex'), accountId: account_id },
    page: readPageNumber(call, file.page_count),
  };
}

/** Reads the page number from the path. The first page is 1. Throws `not_found` if it is not within `pages`. */
export function readPageNumber({ params: { page: pageText = '' } }: Pick<MemberCall, 'params'>, pages: number): number {
  const page = /^[1-9]\d{0,5}$/.test(pageText) ? Number(pageText) : 0;
  if (page < 1 || page > pages) throw new ConsoleError('not_found');
  return page;
}

/** Answers with the hash and the page sizes of the sealed PDF. Throws `not_found` before it is sealed. */
async function showSealed({ db, pages }: ConsoleDeps, call: MemberCall) {
  const file = await findSealed(db, call);
  const sizes = await orUnavailable(pages.sizes(file));
  return { sha256: file.sha256, pages: sizes.map(({ width, height }): [number, number] => [width, height]) };
}

async function showSealedPage({ db, pages }: ConsoleDeps, call: MemberCall) {
  const { file, page } = await findSealedPage(db, pages, call);
  return showPicture(pages, file, page, call.query);
}

async function showSealedText({ db, pages }: ConsoleDeps, call: MemberCall) {
  const { file, page } = await findSealedPage(db, pages, call);
  const { lines } = await orUnavailable(pages.text(file, page));
  return { text: lines.map(({ text }) => text).join('\n') };
}

async function findSealedPage(db: ConsoleDeps['db'], pages: FilePages, call: MemberCall) {
  const file = await findSealed(db, call);
  const sizes = await orUnavailable(pages.sizes(file));
  return { file, page: readPageNumber(call, sizes.length) };
}

/** Returns the sealed PDF. A PDF that the e-signature vendor sealed is the document's own file. */
async function findSealed(db: ConsoleDeps['db'], call: MemberCall): Promise<ShownFile> {
  const { account_id, sealed_file } = await findOwnDocument(db, call);
  if (sealed_file === null) throw new ConsoleError('not_found');
  return { sha256: sha256OfFileKey(sealed_file), accountId: account_id };
}

export async function orUnavailable<Made>(making: Promise<Made>): Promise<Made> {
  try {
    return await making;
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    const { retryAfterSeconds } = error;
    throw new ConsoleError('page_unavailable', {
      cause: error,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
}

/** Answers with the sealed PDF of a completed document, or else with its original file. */
async function downloadPdf({ db, files }: ConsoleDeps, call: MemberCall) {
  const document = await findOwnDocument(db, call);
  const { key, isSealing } = await pdfKey(db, document);
  if (isSealing) throw new ConsoleError('not_sealed_yet', { retryAfterSeconds: 5 });
  return storedPdf(files, document, key);
}

/** Answers with the file as it was attached or imported, with any status of the document. */
async function downloadOriginal({ db, files }: ConsoleDeps, call: MemberCall) {
  const document = await findOwnDocument(db, call);
  return storedPdf(files, document, await originalFileKey(db, document));
}

/** Answers with the complete certificate. Throws `not_found` before the document is sealed, and `no_complete_certificate`. */
async function downloadCertificate({ world, db, drawCertificate, origin }: ConsoleDeps, call: MemberCall) {
  const document = await findOwnDocument(db, call);
  if (!mayHaveCompleteCertificate(document)) throw new ConsoleError('not_found');
  const pdf = await completeCertificate(world, db, drawCertificate, document, `${origin()}/verify`).catch((error) => {
    if (error instanceof Refusal) throw new ConsoleError('no_complete_certificate');
    if (error instanceof PdfWorkerError && error.failure === 'busy') throw new ConsoleError('too_many_tries');
    throw error;
  });
  return new RawAnswer(pdf, {
    'content-type': 'application/pdf',
    'content-disposition': savedAs(`${document.title} ${certificateName[call.language]}`, 'pdf'),
  });
}

/** Answers with a file with which a recipient signed. Throws `not_found` before that. */
async function downloadUpload({ db, files }: ConsoleDeps, call: MemberCall) {
  const document = await findOwnDocument(db, call);
  const upload = (await listSignedFiles(db, document)).find(({ field_id }) => field_id === call.params.field);
  const stored = upload && (await files.get(fileKey(upload.sha256.toString('hex'))));
  if (!upload || !stored) throw new ConsoleError('not_found');
  const headers = { ...attachmentHeaders(upload), 'content-length': String(stored.sizeBytes) };
  return new RawAnswer(stored.stream, headers);
}

const certificateName = { en: 'certificate', es: 'certificado' };

async function storedPdf(
  files: ConsoleDeps['files'],
  document: Pick<Document, 'title'>,
  key: string | null,
): Promise<RawAnswer> {
  if (key === null) throw new ConsoleError('not_found');
  const file = await files.get(key);
  if (file === null) throw new Error(`the file store has no ${key}`);
  return new RawAnswer(file.stream, {
    'content-type': 'application/pdf',
    'content-length': String(file.sizeBytes),
    'content-disposition': savedAs(document.title, 'pdf'),
  });
}
