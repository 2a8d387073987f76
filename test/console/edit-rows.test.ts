import { expect, test } from 'vitest';
import type { Block } from '../../src/unlock/blocks.ts';
import {
  addParagraph,
  type Edited,
  indent,
  joinBackwards,
  joinForwards,
  markerAfter,
  move,
  paste,
  remove,
  setKind,
  setText,
  split,
} from '../../web/src/unlocked/edit-rows.ts';
import { addColumn, addLine, removeColumn, removeLine, setCell } from '../../web/src/unlocked/edit-table.ts';
import { type Row, type TableRow, toBlocks, toRows } from '../../web/src/unlocked/rows.ts';
import { unsavedPages } from '../../web/src/unlocked/text-state.ts';
import { createTextStore } from '../../web/src/unlocked/text-store.ts';

/** The editor's changes to the blocks of a page, without a browser. */
const box = { x: 10, y: 20, width: 30, height: 40 };
const style = { size: 11, bold: false, italic: false };
const item = (text: string, marker = '•', level = 0) => ({
  text,
  marker,
  ordered: marker !== '•',
  level,
  rtl: false,
  ...style,
  ...box,
});
const blocks: Block[] = [
  { type: 'heading', level: 2, text: 'Rent', rtl: false, ...style, ...box },
  { type: 'paragraph', text: 'It is due', rtl: false, ...style, ...box },
  { type: 'list', ...box, items: [item('one', '1.'), item('two', '2.', 1)] },
  { type: 'table', ...box, rows: [['a', 'b'].map((text) => ({ text, bold: false, rtl: false, ...box }))] },
  { type: 'field', kind: 'text', name: 'n', label: null, value: null, checked: null, ...box },
];

const shown = (rows: readonly Row[]) =>
  rows.map((row) => {
    if (row.kind === 'table') return row.cells.map((line) => line.map(({ text }) => text).join('|')).join('/');
    if (row.kind === 'field') return '[field]';
    const mark = row.kind === 'item' ? `${' '.repeat(row.level)}${row.marker} ` : row.kind === 'heading' ? '# ' : '';
    return mark + row.text;
  });
const keyAt = (rows: readonly Row[], at: number) => (rows[at] as Row).key;
const caretIn = ({ rows, caret }: Edited) => [rows.findIndex(({ key }) => key === caret?.key), caret?.at];

test('blocks become rows and are the same blocks again', () => {
  const rows = toRows(blocks);
  expect(shown(rows)).toEqual(['# Rent', 'It is due', '1. one', ' 2. two', 'a|b', '[field]']);
  const withoutDirections = JSON.parse(JSON.stringify(blocks, (key, value) => (key === 'rtl' ? undefined : value)));
  expect(toBlocks(rows)).toEqual(withoutDirections);
});

test('a row is split at the caret, and what comes after it is of the kind that follows', () => {
  const rows = toRows(blocks);
  const words = split(rows, keyAt(rows, 1), 5, 6);
  expect(shown(words.rows).slice(0, 3)).toEqual(['# Rent', 'It is', 'due']);
  expect(caretIn(words)).toEqual([2, 0]);
  expect(shown(split(rows, keyAt(rows, 0), 4, 4).rows).slice(0, 2)).toEqual(['# Rent', '']);
  const items = split(rows, keyAt(rows, 2), 3, 3);
  expect(shown(items.rows).slice(2, 5)).toEqual(['1. one', '2. ', ' 2. two']);
  expect(shown(split(items.rows, keyAt(items.rows, 3), 0, 0).rows)[3]).toBe('');
  expect(split(rows, keyAt(rows, 4), 0, 0).rows).toBe(rows);
});

test('rows are joined with the one before and the one after', () => {
  const rows = toRows(blocks);
  const first = joinBackwards(rows, keyAt(rows, 1));
  expect([shown(first.rows)[0], caretIn(first)]).toEqual(['# Rent It is due', [0, 4]]);
  expect(shown(joinBackwards(rows, keyAt(rows, 2)).rows)[2]).toBe('one');
  expect(joinBackwards(rows, keyAt(rows, 0)).rows.map(({ kind }) => kind)[0]).toBe('paragraph');
  expect(shown(joinForwards(rows, keyAt(rows, 1)).rows)[1]).toBe('It is due one');
  expect(joinForwards(rows, keyAt(rows, 3)).rows).toBe(rows);
  const empty = setText(rows, keyAt(rows, 1), '');
  expect(shown(joinBackwards(empty.rows, keyAt(rows, 1)).rows)).toHaveLength(5);
});

test('rows change their kind, move, go and come', () => {
  const rows = toRows(blocks);
  expect(shown(setKind(rows, keyAt(rows, 1), 'numbers').rows)[1]).toBe('1. It is due');
  expect(shown(setKind(rows, keyAt(rows, 3), 'h3').rows)[3]).toBe('# two');
  expect(shown(setKind(rows, keyAt(rows, 3), 'bullets').rows)[3]).toBe(' • two');
  expect(shown(indent(rows, keyAt(rows, 2), 1).rows)[2]).toBe(' 1. one');
  expect(shown(indent(rows, keyAt(rows, 2), -1).rows)[2]).toBe('1. one');
  expect(shown(move(rows, keyAt(rows, 4), -1).rows).slice(3, 5)).toEqual(['a|b', ' 2. two']);
  expect(move(rows, keyAt(rows, 0), -1).rows).toBe(rows);
  expect(caretIn(remove(rows, keyAt(rows, 5)))).toEqual([4, 0]);
  expect(remove([], 'none')).toEqual({ rows: [], caret: null });
  expect(caretIn(addParagraph([], null))).toEqual([0, 0]);
  expect(caretIn(addParagraph(rows, keyAt(rows, 1)))).toEqual([2, 0]);
  expect(['1.', '(9)', 'a)', 'z)', '§'].map((marker) => markerAfter({ ...toRows(blocks)[2], marker } as Row))).toEqual([
    '2.',
    '(10)',
    'b)',
    'z)',
    '§',
  ]);
});

test('lines that are pasted are rows of their own around what was there', () => {
  const rows = toRows(blocks);
  const pasted = paste(rows, keyAt(rows, 1), 3, 5, ['was', 'not', 'now']);
  expect(shown(pasted.rows).slice(1, 4)).toEqual(['It was', 'not', 'now due']);
  expect(caretIn(pasted)).toEqual([3, 3]);
});

test('tables gain and lose rows and columns', () => {
  const table = toRows(blocks)[4] as TableRow;
  const grown = addColumn(addLine(setCell(table, 0, 1, 'B'), 0), 0);
  expect(shown([grown])).toEqual(['a||B/||']);
  expect(shown([removeLine(removeColumn(grown, 0) as TableRow, 1) as TableRow])).toEqual(['|B']);
  expect([removeLine(table, 0), removeColumn(removeColumn(table, 0) as TableRow, 0)]).toEqual([null, null]);
});

const page = (version: number, text: string) => ({
  page: 1,
  width: 612,
  height: 792,
  source: 'text' as const,
  version,
  base: '0123456789abcdef',
  blocks: [{ ...(blocks[1] as Extract<Block, { type: 'paragraph' }>), text }],
});
const textOf = (store: ReturnType<typeof createTextStore>) => shown(store.read().pages.get(1)?.rows ?? []);

test('typing is undone as one step and redone, and what was saved stays saved', () => {
  const store = createTextStore();
  store.dispatch({ type: 'read', page: page(3, 'It') });
  const type = (text: string, typing: string | null) => {
    const rows = store.read().pages.get(1)?.rows ?? [];
    store.dispatch({ type: 'edited', page: 1, ...setText(rows, keyAt(rows, 0), text), typing });
  };
  for (const text of ['It ', 'It i', 'It is']) type(text, 'first');
  type('It is due', 'second');
  const sent = store.read().pages.get(1)?.rows ?? [];
  store.dispatch({ type: 'saved', version: 4, pages: [{ page: 1, rows: sent }] });
  expect(unsavedPages(store.read())).toEqual([]);
  store.dispatch({ type: 'undone' });
  expect([textOf(store), unsavedPages(store.read()).length]).toEqual([['It is'], 1]);
  store.dispatch({ type: 'undone' });
  store.dispatch({ type: 'undone' });
  expect(textOf(store)).toEqual(['It']);
  store.dispatch({ type: 'redone' });
  store.dispatch({ type: 'redone' });
  expect([textOf(store), unsavedPages(store.read()), store.read().pages.get(1)?.version]).toEqual([
    ['It is due'],
    [],
    4,
  ]);
});

test('what somebody else wrote is taken, and one can go back; or one keeps what one has', () => {
  const store = createTextStore();
  store.dispatch({ type: 'read', page: page(0, 'Mine') });
  const rows = store.read().pages.get(1)?.rows ?? [];
  store.dispatch({ type: 'edited', page: 1, ...setText(rows, keyAt(rows, 0), 'Mine, changed'), typing: null });
  store.dispatch({ type: 'theirs', page: page(7, 'Theirs'), isTaken: false });
  expect([textOf(store), unsavedPages(store.read())[0]?.state.version]).toEqual([['Mine, changed'], 7]);
  store.dispatch({ type: 'theirs', page: page(8, 'Theirs'), isTaken: true });
  expect([textOf(store), unsavedPages(store.read())]).toEqual([['Theirs'], []]);
  store.dispatch({ type: 'undone' });
  expect([textOf(store), unsavedPages(store.read())[0]?.state.version]).toEqual([['Mine, changed'], 8]);
});
