import { PDF, PDFPage, PdfArray, PdfDict, PdfName, PdfNumber } from '@libpdf/core';
import { documentTypeName } from '../../document-types.ts';
import { associateFile } from '../../pdf/archival/associate-file.ts';
import { makeArchival } from '../../pdf/archival/make-archival.ts';
import { type ArchivalLevel, xmlText } from '../../pdf/archival/xmp.ts';
import { asFigure, type Block } from '../../pdf/drawing/block.ts';
import { fontEmbedder } from '../../pdf/drawing/canvas.ts';
import { embedLogo } from '../../pdf/drawing/embed-logo.ts';
import { savePdf } from '../../pdf/drawing/finish-pdf.ts';
import { createFlow, type Flow } from '../../pdf/drawing/flow.ts';
import { createSignatureMark, type SignatureMark } from '../../pdf/drawing/signature-mark.ts';
import { continueStructure, createStructure } from '../../pdf/drawing/structure.ts';
import { type Margins, margins } from '../../pdf/drawing/theme.ts';
import { appendPages } from '../../pdf/page-tree.ts';
import { prepareShaping } from '../../pdf/text/shaper.ts';
import type { EnclosedFile, FileFacts } from '../file-facts.ts';
import type { SealInput } from '../seal-input.ts';
import { drawCertificate } from './certificate-pages.ts';
import { drawDocument } from './document-pages.ts';
import { drawRunningLines, type RunningPage } from './running-lines.ts';

/** Document types of US construction and tax practice. They use Letter in every language. */
const alwaysLetter = new Set([
  'change_order',
  'lien_waiver',
  'notice_to_owner',
  'schedule_of_values',
  'pay_app',
  'coi',
  'w9',
  'check',
  'notice_of_commencement',
]);

export interface DrawOptions {
  facts?: FileFacts;
  /** Whether to draw only the certificate, because an attached file is the document. */
  isCertificateOnly?: boolean;
  /** A file embedded together with the attachments. */
  enclosed?: EnclosedFile;
}

/** Draws an unsigned tagged PDF: the document, the certificate of completion, the audit trail and the embedded files. */
export async function drawPdf(
  input: SealInput,
  { facts, isCertificateOnly = false, enclosed }: DrawOptions = {},
): Promise<Uint8Array> {
  const pdf = createPdf(input, 'A');
  const structure = createStructure(pdf);
  const newPage = () => pdf.addPage({ size: formatFor(input) });
  const embed = fontEmbedder(pdf);
  const marks = createMarks(pdf, input);
  const pages: RunningPage[] = [];
  if (!isCertificateOnly) {
    const flow = createFlow(newPage, embed, margins, structure);
    structure.group('Sect', () => drawDocument(flow, input, marks));
    pages.push(...flow.pages.map((canvas) => ({ canvas, margins, ...documentLines })));
  }
  const flow = createFlow(newPage, embed, certificateMargins, structure);
  structure.group('Sect', () => drawCertificate(flow, input, marks, facts ?? null, embeddedLogo(pdf, input)));
  pages.push(...runningPages(flow));
  drawRunningLines(pages, input);
  for (const { canvas } of pages) canvas.finish();
  structure.finish();
  attach(pdf, input, enclosed);
  return savePdf(pdf);
}

/** Draws an unsigned PDF of the certificate alone, with the embedded files. */
export async function drawCertificatePdf(input: SealInput): Promise<Uint8Array> {
  await prepareShaping(JSON.stringify({ ...input, attachments: [] }));
  return drawPdf(input, { isCertificateOnly: true });
}

/** Makes a PDF without pages that has the title and the language of a document, and claims PDF/A-3 at this level. */
export function createPdf(input: SealInput, level: ArchivalLevel): PDF {
  const pdf = PDF.create();
  describe(pdf, input, level);
  return pdf;
}

/** Adds the pages of the certificate of completion and the embedded files to a PDF of `pageCount` pages. */
export function drawCertificateInto(
  pdf: PDF,
  pageCount: number,
  input: SealInput,
  facts: FileFacts,
  enclosed?: EnclosedFile,
): void {
  const pages: PDFPage[] = [];
  const newPage = () => {
    const page = unplacedPage(pdf, formatFor(input), pageCount + pages.length);
    pages.push(page);
    return page;
  };
  const structure = continueStructure(pdf, input.language);
  const flow = createFlow(newPage, fontEmbedder(pdf), certificateMargins, structure);
  const marks = createMarks(pdf, input);
  structure.group('Sect', () => drawCertificate(flow, input, marks, facts, embeddedLogo(pdf, input)));
  drawRunningLines(runningPages(flow), input, pageCount);
  for (const page of flow.pages) page.finish();
  structure.finish();
  appendPages(
    pdf,
    pageCount,
    pages.map(({ ref }) => ref),
  );
  attach(pdf, input, enclosed);
}

/** Narrower than those of documents, so that the certificate of one or two signers is one page. */
const certificateMargins: Margins = { side: 42, top: 56, bottom: 46 };

/** Baselines of header and footer, in points from the edges of the page. */
const documentLines = { head: 46, foot: 40 };
const certificateLines = { head: 36, foot: 26 };

function runningPages({ pages }: Flow): RunningPage[] {
  return pages.map((canvas) => ({ canvas, margins: certificateMargins, ...certificateLines }));
}

type PageFormat = 'letter' | 'a4';

const pageFormats: Record<PageFormat, readonly [width: number, height: number]> = {
  letter: [612, 792],
  a4: [595.28, 841.89],
};

function formatFor({ language, document }: SealInput): PageFormat {
  return language === 'en' || alwaysLetter.has(document.type) ? 'letter' : 'a4';
}

/** Makes a page with all its own attributes, so that it inherits nothing from the page tree. */
function unplacedPage(pdf: PDF, size: PageFormat, index: number): PDFPage {
  const box = () => new PdfArray([0, 0, ...pageFormats[size]].map((number) => PdfNumber.of(number)));
  const dict = PdfDict.of({
    Type: PdfName.of('Page'),
    MediaBox: box(),
    CropBox: box(),
    Rotate: PdfNumber.of(0),
    Resources: new PdfDict(),
  });
  return new PDFPage(pdf.register(dict), dict, index, pdf.context);
}

function describe(pdf: PDF, { document, accountName, language, signingTime }: SealInput, level: ArchivalLevel): void {
  const facts = {
    title: xmlText(document.title),
    author: xmlText(accountName),
    subject: documentTypeName(document.type, language),
    language,
    program: 'Countersign',
    at: new Date(signingTime),
  };
  pdf.setTitle(facts.title, { showInWindowTitleBar: true });
  pdf.setAuthor(facts.author);
  pdf.setSubject(facts.subject);
  pdf.setCreator(facts.program);
  pdf.setProducer(facts.program);
  pdf.setCreationDate(facts.at);
  pdf.setModificationDate(facts.at);
  pdf.setLanguage(language);
  makeArchival(pdf, facts, level);
}

function createMarks(pdf: PDF, { recipients }: SealInput): Map<string, SignatureMark> {
  const marks = new Map<string, SignatureMark>();
  for (const { id, signature } of recipients) {
    if (signature !== null) marks.set(id, createSignatureMark(pdf, signature));
  }
  return marks;
}

function embeddedLogo(pdf: PDF, { logo, accountName }: SealInput): Block | null {
  const drawn = logo && embedLogo(pdf, logo);
  return drawn && asFigure(drawn, accountName);
}

function attach(pdf: PDF, { attachments, signingTime }: SealInput, enclosed?: EnclosedFile): void {
  const at = new Date(signingTime);
  const files = attachments.map((file) => ({ ...file, bytes: Buffer.from(file.bytes, 'base64') }));
  for (const { name, mediaType, description, bytes } of enclosed === undefined ? files : [...files, enclosed]) {
    // Replaces an attachment of the file with the same name, which could be mistaken for this one.
    const options = { description, mimeType: mediaType, createdAt: at, modifiedAt: at, overwrite: true };
    pdf.addAttachment(name, bytes, options);
    associateFile(pdf, name, mediaType, name === enclosed?.name ? 'Source' : 'Data');
  }
}
