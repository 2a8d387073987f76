import { documentTypeName } from '../../document-types.ts';
import {
  asFigure,
  asGroup,
  asPart,
  type Block,
  columns,
  gap,
  label,
  rule,
  stack,
  text,
} from '../../pdf/drawing/block.ts';
import { type Flow, flowText } from '../../pdf/drawing/flow.ts';
import { qrBlock } from '../../pdf/drawing/qr-block.ts';
import type { SignatureMark } from '../../pdf/drawing/signature-mark.ts';
import { colours, type Style } from '../../pdf/drawing/theme.ts';
import type { FileFacts } from '../file-facts.ts';
import { isFilled, type SealInput, type SealPart, type SealRecipient } from '../seal-input.ts';
import { drawAuditTrail } from './audit-trail.ts';
import { fine } from './certificate-styles.ts';
import { roleOf } from './document-pages.ts';
import { inOneLine } from './in-one-line.ts';
import { recipientFacts } from './recipient-facts.ts';
import { longTime } from './times.ts';
import { type Words, wordsOf } from './words.ts';

const nameColumn = 88;
const between = 16;
const qrWidth = 50;

/** Draws the certificate of completion: the company's logo, the recipients, what they agreed to, and the audit trail. */
export function drawCertificate(
  flow: Flow,
  input: SealInput,
  marks: ReadonlyMap<string, SignatureMark>,
  facts: FileFacts | null,
  logo: Block | null,
): void {
  const words = wordsOf[input.language];
  flow.place(introduction(input, words, logo, flow.width));
  flow.gap(5);
  for (const row of documentFacts(input, facts, words, flow.width)) flow.place(row);
  flow.gap(6);
  drawRecipients(flow, input, marks, words);
  drawDisclosures(flow, input, words);
  drawAuditTrail(flow, input, facts);
}

/** Says what the certificate is, with the address of the page that checks it, also as a QR code. */
function introduction(
  { document, language, verifyAddress, isComplete }: SealInput,
  words: Words,
  logo: Block | null,
  width: number,
) {
  const textWidth = width - qrWidth - 16;
  return columns(
    [
      0,
      stack(
        ...(logo === null ? [] : [logo, gap(6)]),
        label(documentTypeName(document.type, language), colours.accent),
        text(isComplete ? words.completeCertificate : words.certificate, fine.title, colours.ink, textWidth),
        gap(2),
        text(
          isComplete ? words.completeIntroduction : words.certificateIntroduction,
          fine.value,
          colours.soft,
          textWidth,
        ),
        text(words.check(verifyAddress), fine.value, colours.ink, textWidth),
      ),
    ],
    [width - qrWidth, qrBlock(verifyAddress, qrWidth)],
  );
}

function documentFacts(input: SealInput, facts: FileFacts | null, words: Words, width: number): Block[] {
  const { document, accountName, senderEmail, attachments, language } = input;
  const row: Row = (name, value, style = fine.value) => lined(fact(name, value, width, style), width);
  const half = (width - between) / 2;
  const pair = (left: Fact, right: Fact) => {
    const [leftFact, rightFact] = [left, right].map(([name, value, style]) => fact(name, value, half, style));
    return lined(columns([0, leftFact ?? gap(0)], [half + between, rightFact ?? gap(0)]), width);
  };
  const files = attachments.map(({ name, description }) => `${name}: ${description}`).join(' ');
  return [
    row(words.document, inOneLine(document.title)),
    pair(
      [words.documentType, documentTypeName(document.type, language)],
      [words.created, longTime(document.createdAt, language)],
    ),
    pair([words.documentId, document.id, fine.code], [words.sent, longTime(document.sentAt, language)]),
    pair(
      [words.sentBy, senderEmail === null ? accountName : `${accountName}\n${senderEmail}`],
      [words.completed, longTime(document.completedAt, language)],
    ),
    ...(facts === null ? [] : fileRows(facts, words, row)),
    ...partRows(document.file?.parts ?? [], words, row),
    row(words.contentHash, document.contentSha256, fine.code),
    ...(files === '' ? [] : [row(words.attachments, files, fine.note)]),
    ...(facts?.manner === 'enclosed' ? fieldRows(input, words, row) : []),
  ];
}

type Fact = [name: string, value: string, style?: Style];
type Row = (name: string, value: string, style?: Style) => Block;

function lined(block: Block, width: number): Block {
  return stack(rule(width, colours.rule), gap(1.2), block, gap(1.2));
}

function fact(name: string, value: string, width: number, style: Style = fine.value): Block {
  return asPart(
    'P',
    columns(
      [0, text(name, fine.value, colours.soft, nameColumn - 8)],
      [nameColumn, text(value, style, colours.ink, width - nameColumn)],
    ),
  );
}

/** Describes the attached file: its digests before and after the values were added, and how it was sealed. */
function fileRows({ name, before, after, manner, pictures }: FileFacts, words: Words, row: Row): Block[] {
  const kept = [words.manners[manner], ...(pictures === undefined ? [] : [words.pictures])].join(' ');
  return [
    row(words.file, name),
    row(words.fileBefore, words.hashOfBytes(before.sha256, before.bytes), fine.code),
    ...(after === null ? [] : [row(words.fileAfter, words.hashOfBytes(after.sha256, after.bytes), fine.code)]),
    row(words.fileKept, kept, fine.note),
  ];
}

/** Lists the files that were joined, with the hash of each as it was uploaded. */
function partRows(parts: readonly SealPart[], words: Words, row: Row): Block[] {
  return parts.map(({ name, sha256, firstPage, pageCount }, i) =>
    row(i === 0 ? words.parts : '', words.part(i + 1, name, firstPage, firstPage + pageCount - 1, sha256)),
  );
}

/** Lists the field values, for a file whose own pages could not be changed. */
function fieldRows({ fields, recipients }: SealInput, words: Words, row: Row): Block[] {
  const names = new Map(recipients.map(({ id, name }) => [id, name]));
  return fields.filter(isFilled).map(({ recipientId, type, page, label, value }, i) => {
    const filled = type === 'text' || type === 'date' ? value : words.fieldTypes[type];
    const where = words.onPage(page, label);
    return row(
      i === 0 ? words.fields : '',
      `${where}: ${inOneLine(filled)} (${names.get(recipientId) ?? recipientId})`,
    );
  });
}

/**
 * Draws two recipients next to each other. One alone has the whole width, and so has each when one of them needs more than a page,
 * because of many files.
 */
function drawRecipients(
  flow: Flow,
  { document, recipients, language }: SealInput,
  marks: ReadonlyMap<string, SignatureMark>,
  words: Words,
): void {
  const inRow = recipients.length === 1 ? 1 : 2;
  const width = (flow.width - (inRow - 1) * between) / inRow;
  const partsOf = (recipient: SealRecipient, partWidth: number) => [
    recipientHead(recipient, marks.get(recipient.id), words, partWidth),
    ...recipientFacts(recipient, document.isTest, words, language, partWidth),
  ];
  const heading = text(words.recipients, fine.heading, colours.ink, flow.width);
  const cards = recipients.map((recipient) => asGroup('Sect', stack(...partsOf(recipient, width))));
  if (cards.some(({ height }) => height > flow.room - heading.height - cardSpace)) {
    flow.place(heading);
    for (const recipient of recipients) placeParts(flow, partsOf(recipient, flow.width));
    return;
  }
  const rows = cards.flatMap((card, i) => {
    if (i % inRow !== 0) return [];
    const next = inRow === 2 ? cards[i + 1] : undefined;
    const row = columns([0, card], ...(next === undefined ? [] : [[width + between, next] as [number, Block]]));
    return [stack(rule(flow.width, colours.rule), gap(4), row)];
  });
  flow.place(stack(heading, gap(2), rows[0] ?? gap(0)));
  for (const row of rows.slice(1)) {
    flow.gap(5);
    flow.place(row);
  }
}

/** More than what is drawn above a card. */
const cardSpace = 12;

/** Draws a recipient over several pages. */
function placeParts(flow: Flow, [head, ...facts]: Block[]): void {
  flow.gap(5);
  flow.place(stack(rule(flow.width, colours.rule), gap(4), head ?? gap(0)));
  for (const fact of facts) flow.place(fact);
}

/** Name, role and signature. */
function recipientHead(recipient: SealRecipient, mark: SignatureMark | undefined, words: Words, width: number): Block {
  const markSize = { width: 84, height: 22 };
  const nameWidth = mark === undefined ? width : width - markSize.width - 8;
  const name = stack(
    text(recipient.name, fine.name, colours.ink, nameWidth),
    text(roleOf(recipient, words), fine.value, colours.soft, nameWidth),
    gap(2),
  );
  if (mark === undefined) return name;
  const drawn: Block = {
    height: markSize.height,
    draw: (canvas, x, y) => mark(canvas, { x, y: y - 1, ...markSize }),
  };
  const signature = asFigure(drawn, `${words.signature}: ${recipient.name}`);
  return columns([0, name], [width - markSize.width, signature]);
}

/** Prints the texts about signing electronically that were accepted. */
function drawDisclosures(flow: Flow, { disclosures }: SealInput, words: Words): void {
  for (const { version, heading, points, statement, sha256 } of disclosures) {
    flow.gap(6);
    flow.place(text(words.disclosure(version), fine.heading, colours.ink, flow.width));
    flowText(flow, [heading, ...points].join(' · '), fine.note, colours.soft);
    const agreed = [statement && words.ticked(statement), sha256 && words.textHash(sha256)].filter(Boolean);
    if (agreed.length > 0) flowText(flow, agreed.join(' · '), fine.note, colours.ink);
  }
}
