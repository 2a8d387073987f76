import { type Box, bullet, isText, newKey, type Row, type TextRow } from './rows.ts';

/** The new position of the caret: a row and a character. */
export interface Caret {
  key: string;
  at: number;
}

/** Rows after a change. Without a caret it does not move. */
export interface Edited {
  rows: Row[];
  caret: Caret | null;
}

/** The kinds that a row of text can have. */
export const textKinds = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'bullets', 'numbers'] as const;
export type TextKind = (typeof textKinds)[number];

export function kindOf({ kind, level, ordered }: TextRow): TextKind {
  if (kind === 'heading') return `h${Math.min(Math.max(level, 1), 5)}` as TextKind;
  return kind === 'paragraph' ? 'p' : ordered ? 'numbers' : 'bullets';
}

export function setKind(rows: readonly Row[], key: string, kind: TextKind): Edited {
  const at = indexOf(rows, key);
  return replaceText(rows, key, (row) => {
    if (kind === 'p') return { ...row, kind: 'paragraph', level: 0 };
    if (kind === 'bullets') return { ...row, kind: 'item', level: depthOf(row), ordered: false, marker: bullet };
    if (kind === 'numbers') {
      return { ...row, kind: 'item', level: depthOf(row), ordered: true, marker: markerAfter(rows[at - 1]) };
    }
    return { ...row, kind: 'heading', level: Number(kind.slice(1)) };
  });
}

const depthOf = (row: TextRow) => (row.kind === 'item' ? row.level : 0);
const depthMax = 5;

/** Indents or outdents an item. */
export function indent(rows: readonly Row[], key: string, by: 1 | -1): Edited {
  return replaceText(rows, key, (row) => ({ ...row, level: Math.min(depthMax, Math.max(0, row.level + by)) }));
}

export function setText(rows: readonly Row[], key: string, text: string): Edited {
  return replaceText(rows, key, (row) => ({ ...row, text }));
}

export function setMarker(rows: readonly Row[], key: string, marker: string): Edited {
  return replaceText(rows, key, (row) => ({ ...row, marker }));
}

/** Splits a row at the caret. After a heading comes a paragraph. An empty item ends its list. */
export function split(rows: readonly Row[], key: string, from: number, to: number): Edited {
  const row = rows[indexOf(rows, key)];
  if (!isText(row)) return unchanged(rows);
  if (row.kind === 'item' && row.text === '') return setKind(rows, key, 'p');
  const [before, after] = [row.text.slice(0, from), row.text.slice(to)];
  return insertLines(rows, key, [before, after], 0);
}

/** Replaces the selection with several lines, each in its own row. */
export function paste(rows: readonly Row[], key: string, from: number, to: number, lines: readonly string[]): Edited {
  const row = rows[indexOf(rows, key)];
  const [first = '', ...others] = lines;
  if (!isText(row)) return unchanged(rows);
  const tail = row.text.slice(to);
  const texts = [row.text.slice(0, from) + first, ...others];
  const caretAt = texts.at(-1)?.length ?? 0;
  texts[texts.length - 1] += tail;
  return insertLines(rows, key, texts, caretAt);
}

function insertLines(rows: readonly Row[], key: string, texts: readonly string[], caretAt: number): Edited {
  const at = indexOf(rows, key);
  const row = rows[at] as TextRow;
  const made: TextRow[] = [{ ...row, text: texts[0] ?? '' }];
  for (const text of texts.slice(1)) made.push(rowAfter(made.at(-1) as TextRow, text));
  const last = made.at(-1) as TextRow;
  return { rows: rows.toSpliced(at, 1, ...made), caret: { key: last.key, at: caretAt } };
}

function rowAfter(row: TextRow, text: string): TextRow {
  const next: TextRow = { ...row, key: newKey(), text, box: below(row.box) };
  if (row.kind === 'item') return { ...next, marker: row.ordered ? markerAfter(row) : row.marker };
  const isHeadingOver = row.kind === 'heading' && text === '';
  return isHeadingOver ? { ...next, kind: 'paragraph', level: 0, style: { ...row.style, bold: false } } : next;
}

/** Returns the next marker: `2.` after `1.`, `(b)` after `(a)`. */
export function markerAfter(row: Row | undefined): string {
  if (row?.kind !== 'item' || !row.ordered) return '1.';
  const number = /^(\D*)(\d{1,6})(\D*)$/.exec(row.marker);
  if (number !== null) return `${number[1]}${Number(number[2]) + 1}${number[3]}`;
  const letter = /^([^a-zA-Z]*)([a-yA-Y])([^a-zA-Z]*)$/.exec(row.marker);
  if (letter === null) return row.marker;
  return `${letter[1]}${String.fromCharCode((letter[2] as string).charCodeAt(0) + 1)}${letter[3]}`;
}

/** Backspace at the start of a row: an item or heading becomes a paragraph, a paragraph joins the previous row. */
export function joinBackwards(rows: readonly Row[], key: string): Edited {
  const at = indexOf(rows, key);
  const [row, before] = [rows[at], rows[at - 1]];
  if (!isText(row)) return unchanged(rows);
  if (row.kind !== 'paragraph' && row.text !== '') return setKind(rows, key, 'p');
  if (row.text === '' && before !== undefined) {
    const caret = isText(before) ? { key: before.key, at: before.text.length } : { key: before.key, at: 0 };
    return { rows: rows.toSpliced(at, 1), caret };
  }
  return isText(before) ? joined(rows, at - 1) : unchanged(rows);
}

/** Delete at the end of a row joins the next row. */
export function joinForwards(rows: readonly Row[], key: string): Edited {
  const at = indexOf(rows, key);
  return isText(rows[at]) && isText(rows[at + 1]) ? joined(rows, at) : unchanged(rows);
}

/** Joins a row with the next one, with a space between them. */
function joined(rows: readonly Row[], at: number): Edited {
  const [row, next] = [rows[at] as TextRow, rows[at + 1] as TextRow];
  const isApart = row.text === '' || next.text === '' || /\s$/.test(row.text) || /^\s/.test(next.text);
  const one = { ...row, text: row.text + (isApart ? '' : ' ') + next.text };
  return { rows: rows.toSpliced(at, 2, one), caret: { key: row.key, at: row.text.length } };
}

export function move(rows: readonly Row[], key: string, by: 1 | -1): Edited {
  const at = indexOf(rows, key);
  const row = rows[at];
  if (row === undefined || rows[at + by] === undefined) return unchanged(rows);
  return { rows: rows.toSpliced(at, 1).toSpliced(at + by, 0, row), caret: { key, at: 0 } };
}

/** Removes a row. The caret moves to the row that takes its place. */
export function remove(rows: readonly Row[], key: string): Edited {
  const at = indexOf(rows, key);
  const rest = rows.toSpliced(at, 1);
  const next = rest[at] ?? rest[at - 1];
  return { rows: rest, caret: next === undefined ? null : { key: next.key, at: 0 } };
}

const sizeUsual = 11;

/** Adds a paragraph below a row, or at the end. */
export function addParagraph(rows: readonly Row[], key: string | null): Edited {
  const at = key === null ? rows.length - 1 : indexOf(rows, key);
  const before = rows[at];
  const box = before === undefined ? { x: 0, y: 0, width: 0, height: 0 } : below(before.box);
  const style = { size: isText(before) ? before.style.size : sizeUsual, bold: false, italic: false };
  const row: TextRow = {
    key: newKey(),
    kind: 'paragraph',
    text: '',
    level: 0,
    marker: bullet,
    ordered: false,
    style,
    box,
  };
  return { rows: rows.toSpliced(at + 1, 0, row), caret: { key: row.key, at: 0 } };
}

export function replaceRow(rows: readonly Row[], row: Row): Edited {
  return { rows: rows.map((other) => (other.key === row.key ? row : other)), caret: null };
}

function replaceText(rows: readonly Row[], key: string, change: (row: TextRow) => TextRow): Edited {
  return { rows: rows.map((row) => (row.key === key && isText(row) ? change(row) : row)), caret: null };
}

function below({ x, y, width, height }: Box): Box {
  return { x, y: y + height, width, height: 0 };
}

function indexOf(rows: readonly Row[], key: string): number {
  return rows.findIndex((row) => row.key === key);
}

function unchanged(rows: readonly Row[]): Edited {
  return { rows: rows as Row[], caret: null };
}
