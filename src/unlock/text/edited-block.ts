import { type Static, Type } from 'typebox';
import { type Block, listLevelMax } from '../blocks.ts';
import { cleanText } from '../convert/layout/clean-text.ts';
import { readsRightToLeft } from '../convert/layout/scripts.ts';

/** Limits of a block as people edit it, before it is tidied. Longer texts are refused. */
const textLengthMax = 20_000;
export const blocksPerPageMax = 5000;
const itemsMax = 5000;
const rowsMax = 2000;
const cellsPerRowMax = 100;
const pointsMax = 1_000_000;

const text = Type.String({ maxLength: textLengthMax });
const points = Type.Number({ minimum: -pointsMax, maximum: pointsMax });
const box = { x: points, y: points, width: points, height: points };
const style = { size: Type.Number({ minimum: 0, maximum: 10_000 }), bold: Type.Boolean(), italic: Type.Boolean() };
const headingLevel = Type.Integer({ minimum: 1, maximum: 6 });
const listLevel = Type.Integer({ minimum: 0, maximum: listLevelMax });
const orNull = <Value extends ReturnType<typeof Type.Boolean> | typeof text>(value: Value) =>
  Type.Union([value, Type.Null()]);
const fieldKinds = ['text', 'checkbox', 'radio', 'choice', 'button', 'signature'] as const;

export const editedBlock = Type.Union([
  Type.Object({ type: Type.Literal('heading'), level: headingLevel, text, ...box, ...style }),
  Type.Object({ type: Type.Literal('paragraph'), text, ...box, ...style }),
  Type.Object({
    type: Type.Literal('list'),
    ...box,
    items: Type.Array(
      Type.Object({
        marker: Type.String({ maxLength: 40 }),
        ordered: Type.Boolean(),
        level: listLevel,
        text,
        ...box,
        ...style,
      }),
      { maxItems: itemsMax },
    ),
  }),
  Type.Object({
    type: Type.Literal('table'),
    ...box,
    rows: Type.Array(Type.Array(Type.Object({ text, bold: Type.Boolean(), ...box }), { maxItems: cellsPerRowMax }), {
      maxItems: rowsMax,
    }),
  }),
  Type.Object({
    type: Type.Literal('field'),
    kind: Type.Enum([...fieldKinds]),
    name: text,
    label: orNull(text),
    value: orNull(text),
    checked: orNull(Type.Boolean()),
    ...box,
  }),
]);

export type EditedBlock = Static<typeof editedBlock>;

/**
 * Maximum number of table cells after `tidyBlocks` has filled up the rows. A small request could otherwise ask for millions
 * of cells.
 */
export const cellsMax = 50_000;

export function countCells(blocks: readonly EditedBlock[]): number {
  return blocks.reduce((sum, block) => sum + (block.type === 'table' ? block.rows.length * columnsOf(block) : 0), 0);
}

function columnsOf({ rows }: Extract<EditedBlock, { type: 'table' }>): number {
  return Math.max(0, ...rows.map((row) => row.length));
}

/** Returns the blocks in the form that unlocking produces: one line of clean text each, without empty blocks. */
export function tidyBlocks(blocks: readonly EditedBlock[]): Block[] {
  return blocks.map(tidyBlock).filter((block) => block !== null);
}

function tidyBlock(block: EditedBlock): Block | null {
  const { x, y, width, height } = block;
  const at = { x, y, width, height };
  switch (block.type) {
    case 'heading':
      return tidied(block, (written) => ({ type: 'heading', level: block.level, ...at, ...written }));
    case 'paragraph':
      return tidied(block, (written) => ({ type: 'paragraph', ...at, ...written }));
    case 'list': {
      const items = block.items.flatMap((item) => {
        const { marker, ordered, level: depth } = item;
        const place = { x: item.x, y: item.y, width: item.width, height: item.height };
        return tidied(item, (written) => ({
          ...place,
          marker: tidy(marker) || '•',
          ordered,
          level: depth,
          ...written,
        }));
      });
      return items.some((item) => item !== null)
        ? { type: 'list', ...at, items: items.filter((item) => item !== null) }
        : null;
    }
    case 'table':
      return tidyTable(block);
    case 'field': {
      const { kind, name, label, value, checked } = block;
      const orNone = (given: string | null) => (given === null ? null : tidy(given) || null);
      return { type: 'field', kind, name: tidy(name), label: orNone(label), value: orNone(value), checked, ...at };
    }
  }
}

interface Written {
  text: string;
  rtl: boolean;
  size: number;
  bold: boolean;
  italic: boolean;
}

/** Returns null for a block without text. */
function tidied<Made>(
  { text: given, size, bold, italic }: Omit<Written, 'rtl'>,
  make: (written: Written) => Made,
): Made | null {
  const clean = tidy(given);
  return clean === '' ? null : make({ text: clean, rtl: isRightToLeft(clean), size, bold, italic });
}

/** Fills up every row to the length of the longest. */
function tidyTable(table: Extract<EditedBlock, { type: 'table' }>): Block | null {
  const { x, y, width, height, rows } = table;
  const columns = columnsOf(table);
  if (columns === 0) return null;
  const none = { text: '', bold: false, x: 0, y: 0, width: 0, height: 0 };
  const cells = rows.map((row) =>
    Array.from({ length: columns }, (_, index) => {
      const cell = row[index] ?? none;
      const clean = tidy(cell.text);
      const place = { x: cell.x, y: cell.y, width: cell.width, height: cell.height };
      return { ...place, text: clean, bold: cell.bold, rtl: isRightToLeft(clean) };
    }),
  );
  return { type: 'table', x, y, width, height, rows: cells };
}

/** Cleans a text. Pasted text may have line breaks, control characters and incomplete characters. */
function tidy(text: string): string {
  // Removing a character can leave two spaces next to each other.
  return cleanText(text.toWellFormed().replace(/\p{Cc}+/gu, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

function isRightToLeft(clean: string): boolean {
  return readsRightToLeft(clean.split(' ').map((word) => ({ text: word })));
}
