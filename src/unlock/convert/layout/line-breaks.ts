import type { Box } from '../../../pdf/pdfium/place-on-page.ts';
import { type BodyStyle, headingLevel } from './body-style.ts';
import type { Line } from './lines.ts';

type Kind = 'heading' | 'paragraph' | 'item';

/** A distance of more than this times the usual one is a gap between paragraphs. */
const gapMin = 1.25;
const headingWordsMax = 20;
const indentMin = 0.8;

/** Dots before a page number in a table of contents. The time to find them grows with the square of a line's length. */
const leader = /(?:\. ?){4}\S*$/;
const leaderLengthMax = 100;

/** Whether a line is a heading: larger than the body, or short and bold, with a letter or digit. */
export function isHeading(line: Line, body: BodyStyle): boolean {
  const level = headingLevel(body, line);
  if (level === null || line.words.length > headingWordsMax || !/[\p{L}\p{N}]/u.test(line.text)) return false;
  if (leader.test(line.text.slice(-leaderLengthMax))) return false;
  return line.size > body.size * 1.1 || (line.words.every(({ bold }) => bold) && !/[,;:]$/.test(line.text));
}

interface Column extends Box {
  /** Distance between lines, in parts of the font size. */
  pitch: number;
}

/** Whether a line starts a new block. Otherwise it continues the one before it. */
export function startsBlock(
  current: { kind: Kind; lines: readonly Line[] },
  { line, kind }: { line: Line; kind: Kind },
  column: Column,
): boolean {
  const last = current.lines.at(-1) as Line;
  const size = Math.max(line.size, 1);
  const drop = (line.baseline - last.baseline) / size;
  const isGap = drop > gapMin * column.pitch || drop < 0.2;
  if (kind === 'heading' || current.kind === 'heading') {
    return kind !== current.kind || !isAlike(last, line) || drop > 1.7 || line.item !== null;
  }
  if (isGap || last.hasField || !isAlikeInSize(last, line)) return true;
  if (kind === 'item') return !isWithin(current, line);
  if (current.kind === 'item') return !continuesItem(current.lines, line, column);
  return isIndented(current.lines, line) || endsEarly(last, line, column) || last.bold !== line.bold;
}

function isAlike(one: Line, other: Line): boolean {
  return isAlikeInSize(one, other) && one.bold === other.bold;
}

function isAlikeInSize(one: Line, other: Line): boolean {
  return Math.abs(one.size - other.size) <= 0.12 * Math.max(one.size, other.size);
}

/** Whether a line that begins like a list item (`12.`) continues a paragraph: at its left edge, and not with a first number. */
function isWithin(current: { kind: Kind; lines: readonly Line[] }, line: Line): boolean {
  const says = line.item?.says;
  if (current.kind !== 'paragraph' || says === undefined || !says.ordered || says.isFirst) return false;
  return Math.abs(line.x - (current.lines[0] as Line).x) < 0.5 * line.size;
}

function continuesItem(lines: readonly Line[], line: Line, column: Column): boolean {
  const [first, last] = [lines[0] as Line, lines.at(-1) as Line];
  const { textX } = first.item as NonNullable<Line['item']>;
  if (line.x >= textX - 0.6 * line.size) return true;
  return line.x > first.x - 0.5 * line.size && !endsEarly(last, line, column);
}

function isIndented(lines: readonly Line[], line: Line): boolean {
  const last = lines.at(-1) as Line;
  const step = line.x - last.x;
  return lines.length === 1 ? false : step > indentMin * line.size && step < 6 * line.size;
}

/** Whether a line ends early: the next word would fit on it, or it leads to a page number. */
function endsEarly(last: Line, line: Line, column: Column): boolean {
  if (leader.test(last.text)) return true;
  const room = column.x + column.width - (last.x + last.width);
  return room > (line.words[0]?.width ?? 0) + 2.5 * line.size && /[.!?:;)\p{N}]$|^.{0,40}$/u.test(last.text);
}
