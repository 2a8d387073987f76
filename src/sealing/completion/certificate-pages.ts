import { documentTypeName } from '../../document-types.ts';
import { type Block, columns, gap, label, rule, stack, text } from '../../pdf/drawing/block.ts';
import { type Flow, flowText } from '../../pdf/drawing/flow.ts';
import { qrBlock } from '../../pdf/drawing/qr-block.ts';
import type { SignatureMark } from '../../pdf/drawing/signature-mark.ts';
import { colours, styles } from '../../pdf/drawing/theme.ts';
import type { Language } from '../../platform/language.ts';
import type { FileFacts } from '../file-facts.ts';
import { isFilled, type SealInput, type SealRecipient } from '../seal-input.ts';
import { describeDevice } from './describe-device.ts';
import { roleOf } from './document-pages.ts';
import { longTime } from './times.ts';
import { type Words, wordsOf } from './words.ts';

const nameColumn = 116;
const recipientColumn = 168;
const qrWidth = 58;
/** Maximum characters of a user agent. The audit trail has all of it. */
const userAgentMax = 240;

/** Draws the certificate of completion: the company's logo, the recipients, how they were identified, and when they acted. */
export function drawCertificate(
  flow: Flow,
  input: SealInput,
  marks: ReadonlyMap<string, SignatureMark>,
  facts: FileFacts | null,
  logo: Block | null,
): void {
  const words = wordsOf[input.language];
  if (logo !== null) {
    flow.place(logo);
    flow.gap(14);
  }
  flow.place(label(documentTypeName(input.document.type, input.language), colours.accent));
  flow.gap(4);
  flowText(flow, words.certificate, styles.title, colours.ink);
  flow.gap(8);
  flow.place(introduction(input.verifyAddress, words, flow.width));
  flow.gap(16);
  for (const row of documentFacts(input, facts, words, flow.width)) flow.place(row);
  flow.place(rule(flow.width, colours.rule));
  flow.gap(22);
  drawRecipients(flow, input, marks, words);
  drawDisclosures(flow, input, words);
}

/** Says what the certificate is, with the address of the page that checks it, also as a QR code. */
function introduction(verifyAddress: string, words: Words, width: number): Block {
  const textWidth = width - qrWidth - 22;
  return columns(
    [
      0,
      stack(
        text(words.certificateIntroduction, styles.value, colours.soft, textWidth),
        text(words.check(verifyAddress), styles.value, colours.ink, textWidth),
      ),
    ],
    [width - qrWidth, qrBlock(verifyAddress, qrWidth)],
  );
}

function documentFacts(input: SealInput, facts: FileFacts | null, words: Words, width: number): Block[] {
  const { document, accountName, senderEmail, attachments, language } = input;
  const row: Row = (name, value, style = styles.value) =>
    stack(
      rule(width, colours.rule),
      gap(3.5),
      columns(
        [0, text(name, styles.value, colours.soft, nameColumn - 10)],
        [nameColumn, text(value, style, colours.ink, width - nameColumn)],
      ),
      gap(3.5),
    );
  const files = attachments.map(({ name, description }) => `${name}: ${description}`).join('\n');
  return [
    row(words.document, document.title),
    row(words.documentType, documentTypeName(document.type, language)),
    row(words.documentId, document.id, styles.code),
    ...(facts === null ? [] : fileRows(facts, words, row)),
    row(words.contentHash, document.contentSha256, styles.code),
    row(words.sentBy, senderEmail === null ? accountName : `${accountName}\n${senderEmail}`),
    row(words.created, longTime(document.createdAt, language)),
    row(words.sent, longTime(document.sentAt, language)),
    row(words.completed, longTime(document.completedAt, language)),
    ...(files === '' ? [] : [row(words.attachments, files)]),
    ...(facts?.manner === 'enclosed' ? fieldRows(input, words, row) : []),
  ];
}

type Row = (name: string, value: string, style?: typeof styles.value | typeof styles.code) => Block;

/** Describes the attached file: its digests before and after the values were added, and how it was sealed. */
function fileRows({ name, before, after, manner }: FileFacts, words: Words, row: Row): Block[] {
  return [
    row(words.file, name),
    row(words.fileBefore, words.hashOfBytes(before.sha256, before.bytes), styles.code),
    ...(after === null ? [] : [row(words.fileAfter, words.hashOfBytes(after.sha256, after.bytes), styles.code)]),
    row(words.fileKept, words.manners[manner]),
  ];
}

/** Lists the field values, for a file whose pages could not be changed. */
function fieldRows({ fields, recipients }: SealInput, words: Words, row: Row): Block[] {
  const names = new Map(recipients.map(({ id, name }) => [id, name]));
  return fields.filter(isFilled).map(({ recipientId, type, page, label, value }, i) => {
    const filled = type === 'text' || type === 'date' ? value : words.fieldTypes[type];
    const where = words.onPage(page, label);
    return row(i === 0 ? words.fields : '', `${where}: ${filled} (${names.get(recipientId) ?? recipientId})`);
  });
}

function drawRecipients(
  flow: Flow,
  { recipients, language }: SealInput,
  marks: ReadonlyMap<string, SignatureMark>,
  words: Words,
): void {
  const blocks = recipients.map((recipient) =>
    stack(
      rule(flow.width, colours.rule),
      gap(10),
      columns(
        [0, recipientCard(recipient, marks.get(recipient.id), words)],
        [recipientColumn, recipientFacts(recipient, words, language, flow.width - recipientColumn)],
      ),
    ),
  );
  const heading = text(words.recipients, styles.heading, colours.ink, flow.width);
  flow.place(stack(heading, gap(10), blocks[0] ?? gap(0)));
  for (const block of blocks.slice(1)) {
    flow.gap(12);
    flow.place(block);
  }
}

function recipientCard(recipient: SealRecipient, mark: SignatureMark | undefined, words: Words): Block {
  const width = recipientColumn - 18;
  const markHeight = 26;
  return stack(
    text(recipient.name, styles.name, colours.ink, width),
    text(roleOf(recipient, words), styles.small, colours.soft, width),
    mark === undefined
      ? gap(0)
      : stack(gap(6), {
          height: markHeight,
          draw: (canvas, x, y) => mark(canvas, { x, y, width: width * 0.8, height: markHeight }),
        }),
  );
}

function recipientFacts(recipient: SealRecipient, words: Words, language: Language, width: number): Block {
  const names = 74;
  const row = (name: string, value: string | null, detail?: string | null) =>
    value === null
      ? gap(0)
      : stack(
          columns(
            [0, text(name, styles.small, colours.soft, names - 6)],
            [names, text(value, styles.small, colours.ink, width - names)],
          ),
          detail ? columns([names, text(detail, styles.tiny, colours.soft, width - names)]) : gap(0),
          gap(2),
        );
  const time = (at: string | null) => (at === null ? null : longTime(at, language));
  const device = recipient.userAgent === null ? null : describeDevice(recipient.userAgent);
  const userAgent = recipient.userAgent === null ? null : shortened(recipient.userAgent);
  const isCopy = recipient.kind === 'cc';
  return stack(
    row(words.email, recipient.email),
    row(words.phone, recipient.phone),
    isCopy ? gap(0) : row(words.identifiedBy, identification(recipient, words, language)),
    row(words.sent, time(recipient.sentAt), acceptance(recipient, words, language)),
    row(words.viewed, time(recipient.viewedAt)),
    row(recipient.kind === 'approver' ? words.approved : words.signed, time(recipient.signedAt)),
    row(words.signature, recipient.method && words.methods[recipient.method], pictureHash(recipient, words)),
    row(words.consent, consentOf(recipient, words, language)),
    row(words.ip, recipient.ip),
    row(words.device, device ?? userAgent, device === null ? null : userAgent),
    row(words.recipientId, recipient.id),
  );
}

function identification(recipient: SealRecipient, words: Words, language: Language): string {
  const link = words.personalLink[recipient.channel];
  if (recipient.verification !== null) {
    const { channel, numberEnding, at, wrongCodes } = recipient.verification;
    const code = words.code[channel](numberEnding, longTime(at, language));
    return words.and(link, wrongCodes === 0 ? code : `${code}, ${words.wrongCodes(wrongCodes)}`);
  }
  if (recipient.authLevel === 'l0_account_session') return words.and(link, words.accountSession);
  return link;
}

/** Says which text was accepted, when and how. */
function consentOf({ consent }: SealRecipient, words: Words, language: Language): string | null {
  if (consent === null) return null;
  const accepted = words.disclosureAccepted(consent.disclosure, longTime(consent.at, language));
  return consent.how === null ? accepted : `${accepted} ${words.agreed[consent.how]}`;
}

/** Says when the request was accepted for delivery. */
function acceptance({ channel, acceptedAt }: SealRecipient, words: Words, language: Language): string | null {
  if (channel === 'in_person' || acceptedAt === null) return null;
  return words.accepted[channel](longTime(acceptedAt, language));
}

function pictureHash({ pictureSha256 }: SealRecipient, words: Words): string | null {
  return pictureSha256 && words.pictureHash(pictureSha256);
}

/** Prints the texts about signing electronically that were accepted. */
function drawDisclosures(flow: Flow, { disclosures }: SealInput, words: Words): void {
  for (const { version, points, statement, sha256 } of disclosures) {
    flow.gap(14);
    flow.place(
      stack(
        rule(flow.width, colours.rule),
        gap(8),
        text(words.disclosure(version), styles.small, colours.ink, flow.width),
        gap(3),
        text(points.join(' '), styles.tiny, colours.soft, flow.width),
        statement === null ? gap(0) : text(words.ticked(statement), styles.tiny, colours.ink, flow.width),
        sha256 === null ? gap(0) : text(words.textHash(sha256), styles.tiny, colours.soft, flow.width),
      ),
    );
  }
}

function shortened(userAgent: string): string {
  return userAgent.length > userAgentMax ? `${userAgent.slice(0, userAgentMax)}…` : userAgent;
}
