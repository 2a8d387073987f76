import { documentTypeName } from '../../document-types.ts';
import { asFigure, asPart, type Block, columns, gap, label, rule, stack, text } from '../../pdf/drawing/block.ts';
import type { Canvas } from '../../pdf/drawing/canvas.ts';
import { type Flow, flowText } from '../../pdf/drawing/flow.ts';
import type { SignatureMark } from '../../pdf/drawing/signature-mark.ts';
import { colours, styles } from '../../pdf/drawing/theme.ts';
import type { SealInput, SealRecipient } from '../seal-input.ts';
import { longTime } from './times.ts';
import { type Words, wordsOf } from './words.ts';

const gutter = 30;
const signatureHeight = 46;

/** Draws the document: title, recipients, the sender's message and all signatures. */
export function drawDocument(flow: Flow, input: SealInput, marks: ReadonlyMap<string, SignatureMark>): void {
  const words = wordsOf[input.language];
  const { document, recipients } = input;
  flow.place(label(documentTypeName(document.type, input.language), colours.accent));
  flow.gap(4);
  flowText(flow, document.title, styles.title, colours.ink);
  flow.gap(12);
  flow.place(facts(input, words, flow.width));
  flow.gap(18);
  drawRecipients(flow, recipients, words);
  if (document.message !== null) {
    flow.gap(20);
    flowText(flow, document.message, styles.body, colours.ink);
  }
  flow.gap(26);
  drawSignatures(flow, input, marks, words);
}

function facts({ document, accountName, language }: SealInput, words: Words, width: number): Block {
  const timeWidth = 158;
  const between = 16;
  const senderWidth = width - 2 * (timeWidth + between);
  const fact = (name: string, value: string, columnWidth: number) =>
    asPart('P', stack(label(name), text(value, styles.value, colours.ink, columnWidth)));
  return columns(
    [0, fact(words.sentBy, accountName, senderWidth)],
    [senderWidth + between, fact(words.sent, longTime(document.sentAt, language), timeWidth)],
    [width - timeWidth, fact(words.completed, longTime(document.completedAt, language), timeWidth)],
  );
}

function drawRecipients(flow: Flow, recipients: SealRecipient[], words: Words): void {
  const width = columnWidth(flow);
  const rows = inPairs(
    recipients.map((recipient) => namedRole(recipient, words, width)),
    width,
  );
  flow.place(stack(rule(flow.width, colours.rule), gap(14), label(words.recipients), gap(4)));
  placeRows(flow, rows, 8);
  flow.gap(10);
  flow.place(rule(flow.width, colours.rule));
}

function drawSignatures(
  flow: Flow,
  { recipients, language }: SealInput,
  marks: ReadonlyMap<string, SignatureMark>,
  words: Words,
): void {
  const width = columnWidth(flow);
  const when = (recipient: SealRecipient) =>
    recipient.signedAt === null
      ? gap(0)
      : text(longTime(recipient.signedAt, language), styles.small, colours.soft, width);
  const signature = (recipient: SealRecipient) =>
    stack(
      label(words.signedBy),
      gap(4),
      mark(marks.get(recipient.id), width, `${words.signature}: ${recipient.name}`),
      gap(5),
      rule(width, colours.ink, 0.7),
      gap(4),
      namedRole(recipient, words, width),
      when(recipient),
    );
  const approval = (recipient: SealRecipient) =>
    columns([0, tick], [tickColumn, stack(namedRole(recipient, words, width - tickColumn), when(recipient))]);

  const signatures = recipients.filter(({ kind }) => kind === 'signer').map(signature);
  const approvals = recipients.filter(({ kind }) => kind === 'approver').map(approval);
  const heading = text(words.signatures, styles.heading, colours.ink, flow.width);
  flow.ensure(heading.height + 10 + Math.max(0, ...signatures.slice(0, 2).map(({ height }) => height)));
  flow.place(heading);
  flow.gap(10);
  placeRows(flow, inPairs(signatures, width), 22);
  if (approvals.length === 0) return;
  flow.gap(24);
  const rows = inPairs(approvals, width);
  flow.place(stack(label(words.approvedBy), gap(4), rows[0] ?? gap(0)));
  for (const row of rows.slice(1)) {
    flow.gap(12);
    flow.place(row);
  }
}

function namedRole(recipient: SealRecipient, words: Words, width: number): Block {
  return stack(
    text(recipient.name, styles.name, colours.ink, width),
    text(roleOf(recipient, words), styles.small, colours.soft, width),
  );
}

function mark(draw: SignatureMark | undefined, width: number, name: string): Block {
  if (draw === undefined) return gap(signatureHeight);
  const drawn = (canvas: Canvas, x: number, y: number) => draw(canvas, { x, y, width, height: signatureHeight });
  return asFigure({ height: signatureHeight, draw: drawn }, name);
}

/** Returns the role of a recipient as named by the sender, with its kind. */
export function roleOf(recipient: SealRecipient, words: Words): string {
  const kind = words.kinds[recipient.kind];
  return recipient.role === null || recipient.role.toLowerCase() === recipient.kind
    ? kind
    : `${recipient.role} · ${kind}`;
}

const tickColumn = 17;
const tick: Block = {
  height: 0,
  draw(canvas, x, y) {
    canvas.rule({ x, y: y + 7 }, { x: x + 3.4, y: y + 10.4 }, colours.accent, 1.4);
    canvas.rule({ x: x + 3, y: y + 10.4 }, { x: x + 10, y: y + 2.6 }, colours.accent, 1.4);
  },
};

function placeRows(flow: Flow, rows: Block[], between: number): void {
  for (const [i, row] of rows.entries()) {
    if (i > 0) flow.gap(between);
    flow.place(row);
  }
}

function columnWidth(flow: Flow): number {
  return (flow.width - gutter) / 2;
}

function inPairs(blocks: Block[], width: number): Block[] {
  const rows: Block[] = [];
  for (let i = 0; i < blocks.length; i += 2) {
    rows.push(columns([0, blocks[i] ?? gap(0)], [width + gutter, blocks[i + 1] ?? gap(0)]));
  }
  return rows;
}
