import { PDF } from '@libpdf/core';
import type { SealInput } from '../seal-input.ts';
import { drawAuditTrail } from './audit-pages.ts';
import { fontEmbedder } from './canvas.ts';
import { drawCertificate } from './certificate-pages.ts';
import { drawDocument } from './document-pages.ts';
import { createFlow, type PaperSize } from './flow.ts';
import { drawRunningLines } from './running-lines.ts';
import { createSignatureMark, type SignatureMark } from './signature-mark.ts';
import { wordsOf } from './words.ts';

/** The papers of American building and tax practice are on Letter whatever their language. */
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

/** The whole PDF, unsigned: the document, the certificate of completion, the audit trail and the embedded files. */
export async function drawPdf(input: SealInput): Promise<Uint8Array> {
  const pdf = PDF.create();
  describe(pdf, input);
  const flow = createFlow(pdf, paperFor(input), fontEmbedder(pdf));
  const marks = createMarks(pdf, input);
  drawDocument(flow, input, marks);
  drawCertificate(flow, input, marks);
  drawAuditTrail(flow, input);
  drawRunningLines(flow.pages, input);
  for (const page of flow.pages) page.finish();
  attach(pdf, input);
  return pdf.save({ subsetFonts: true });
}

function paperFor({ language, document }: SealInput): PaperSize {
  return language === 'en' || alwaysLetter.has(document.type) ? 'letter' : 'a4';
}

function describe(pdf: PDF, { document, accountName, language, signingTime }: SealInput): void {
  pdf.setTitle(document.title, { showInWindowTitleBar: true });
  pdf.setAuthor(accountName);
  pdf.setSubject(wordsOf[language].types[document.type] ?? document.type);
  pdf.setCreator('Countersign');
  pdf.setProducer('Countersign');
  pdf.setCreationDate(new Date(signingTime));
  pdf.setModificationDate(new Date(signingTime));
  pdf.setLanguage(language);
}

function createMarks(pdf: PDF, { parties }: SealInput): Map<string, SignatureMark> {
  const marks = new Map<string, SignatureMark>();
  for (const { id, signature } of parties) {
    if (signature !== null) marks.set(id, createSignatureMark(pdf, signature));
  }
  return marks;
}

function attach(pdf: PDF, { attachments, signingTime }: SealInput): void {
  const at = new Date(signingTime);
  for (const { name, mediaType, description, bytes } of attachments) {
    const options = { description, mimeType: mediaType, createdAt: at, modifiedAt: at };
    pdf.addAttachment(name, Buffer.from(bytes, 'base64'), options);
  }
}
