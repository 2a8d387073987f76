import { Type } from 'typebox';
import { findFault } from '../../src/platform/find-fault.ts';
import type { Block } from '../../src/unlock/blocks.ts';
import { cellsMax, countCells, type EditedBlock, editedBlock, tidyBlocks } from '../../src/unlock/text/edited-block.ts';
import { exportFormats, exportPages } from '../../src/unlock/text/export/export-pages.ts';
import { assertSo, type Target } from './target.ts';

const blocks = Type.Array(editedBlock, { maxItems: 5000 });
const box = { x: 72, y: 72, width: 400, height: 14 };
const text = { text: 'Rent — שלום 1.5', ...box, size: 11, bold: false, italic: true };
const cell = { text: 'May', bold: true, ...box };
const seed: EditedBlock[] = [
  { type: 'heading', level: 1, ...text },
  { type: 'paragraph', ...text },
  { type: 'list', ...box, items: [{ marker: '(a)', ordered: true, level: 0, ...text }] },
  { type: 'table', ...box, rows: [[cell, cell], [cell]] },
  { type: 'field', kind: 'checkbox', name: 'f', label: 'I agree', value: null, checked: true, ...box },
];
const words = [
  '\\u0000',
  '\\ud800',
  '\\u202e',
  '<script>',
  '](javascript:',
  '|',
  '#',
  '`',
  '\\n',
  '""',
  '[',
  '],[',
  '{},',
];

/** The text of an unlocked document as members send it back, from the check of its shape to each export. */
export const blockTargets: Target[] = [
  {
    name: 'edited-blocks',
    seeds: [Buffer.from(JSON.stringify(seed)), ...seed.map((block) => Buffer.from(JSON.stringify([block])))],
    dictionary: words,
    msMax: 5000,
    run: async (bytes) => {
      const edited = readBlocks(bytes);
      if (edited === null || findFault(blocks, edited) !== null || countCells(edited) > cellsMax) return;
      const tidied = tidyBlocks(edited);
      assertSo(findFault(blocks, tidied) === null, 'what was tidied is of the same form');
      assertSo(JSON.stringify(tidyBlocks(tidied as EditedBlock[])) === JSON.stringify(tidied), 'tidying twice is once');
      assertSo(!/\\u00[01]|\\ud[89a-f]/.test(JSON.stringify(tidied).replaceAll('\\\\', '')), 'text can be stored');
      for (const format of exportFormats) await exportOf(format, tidied);
    },
  },
];

function readBlocks(bytes: Buffer): EditedBlock[] | null {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

async function exportOf(format: (typeof exportFormats)[number], tidied: Block[]): Promise<void> {
  async function* pages() {
    yield { page: 1, width: 612, height: 792, source: 'text' as const, blocks: tidied };
  }
  let whole = '';
  for await (const part of exportPages(format, '<Lease>', pages())) whole += part;
  assertSo(format !== 'html' || !/<script|href="javascript:/i.test(whole), 'no script comes into a page');
  if (format === 'json') JSON.parse(whole);
}
