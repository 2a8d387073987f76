import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PdfWorkerError } from '../../../pdf/process/pdf-worker-error.ts';
import { createLog } from '../../../platform/log.ts';
import { inspect, pdfText, temporaryDirectory } from '../../../sealing/testing/tools.ts';
import type { Block, TableCell, UnlockedPage } from '../../blocks.ts';
import { createPageWriter } from '../../convert/process/write-pages.ts';
import { createRenderer, type Renderer } from '../create-renderer.ts';
import type { Rendering } from './jobs.ts';

/** PDFs made from blocks, checked with other programs. */
let renderer: Renderer;

beforeAll(() => {
  renderer = createRenderer({ log: createLog('silent') });
});
afterAll(() => renderer.close());

const box = { x: 0, y: 0, width: 0, height: 0 };
const style = { size: 11, bold: false, italic: false, rtl: false };
const heading = (level: number, text: string): Block => ({ type: 'heading', level, text, ...style, ...box });
const paragraph = (text: string, rtl = false): Block => ({ type: 'paragraph', text, ...style, rtl, ...box });
const item = (marker: string, text: string, level = 0) => ({
  marker,
  ordered: marker !== '•',
  level,
  text,
  ...style,
  ...box,
});
const cell = (text: string, bold = false): TableCell => ({ text, bold, rtl: false, ...box });
const table = (rows: TableCell[][]): Block => ({ type: 'table', rows, ...box });
const field = (label: string, value: string | null, checked: boolean | null = null): Block => {
  const kind = checked === null ? 'text' : 'checkbox';
  return { type: 'field', kind, name: label, label, value, checked, ...box };
};
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

async function render(pages: Block[][], size = { width: 612, height: 792 }, by = renderer) {
  const directory = temporaryDirectory();
  const [source, output] = [join(directory, 'pages.gz'), join(directory, 'made.pdf')];
  const writer = await createPageWriter(source);
  for (const [index, blocks] of pages.entries()) {
    const page: UnlockedPage = { page: index + 1, ...size, source: 'text', blocks };
    await writer.write(page);
  }
  await writer.end();
  const made: Rendering = await by.render({
    source,
    output,
    title: 'Lease & more',
    at: new Date('2026-03-10T12:00:00Z'),
  });
  const pdf = readFileSync(output);
  expect(inspect(pdf, 'qpdf', ['--check'])).toContain('No syntax or stream encoding errors found');
  expect(Buffer.from(made.sha256).toString('hex')).toBe(createHash('sha256').update(pdf).digest('hex'));
  expect(made.bytes).toBe(pdf.length);
  expect(inspect(pdf, 'pdfinfo')).toMatch(new RegExp(`Pages: +${made.pages.length}\\n`));
  return { pdf, pages: made.pages, text: pdfText(pdf).replace(/\s+/g, ' ') };
}

const perPage = (pdf: Uint8Array) => pdfText(pdf).split('\f').slice(0, -1);

test('every kind of block is drawn in order, on pages of the size of the first', async () => {
  const blocks = [
    heading(1, 'Lease agreement'),
    paragraph('The landlord lets the house.'),
    { type: 'list', items: [item('•', 'one'), item('(a)', 'inner', 1), item('2.', 'two')], ...box } as Block,
    table([
      [cell('Month', true), cell('Rent', true)],
      [cell('January'), cell('1,200')],
    ]),
    field('Tenant', 'Ada Lovelace'),
    field('Pets', null, true),
    field('Signature', null),
  ];
  const { pdf, pages, text } = await render([blocks], { width: 595.28, height: 841.89 });
  expect(text.trim()).toBe(
    'Lease agreement The landlord lets the house. • one (a) inner 2. two Month Rent January 1,200 Tenant Ada Lovelace Pets Signature',
  );
  expect(pages).toEqual([{ width: 595.28, height: 841.89 }]);
  const info = inspect(pdf, 'pdfinfo');
  expect(info).toMatch(/Title:\s+Lease & more/);
  expect(info).toMatch(/595\.28 x 841\.89/);
  expect(inspect(pdf, 'pdffonts')).not.toMatch(/ no +(yes|no) +(yes|no) +\d+ /);
});

test('boxes and ticks before items stay as they are', async () => {
  const markers = ['▪', '□', '■', '○', '●', '✓', '✔', '☐', '☑', '☒', '–'];
  const items = markers.map((marker) => ({ ...item(marker, 'rent'), ordered: false }));
  const { text } = await render([[{ type: 'list', items, ...box }]]);
  expect(text.trim()).toBe('• rent □ rent ■ rent ○ rent ● rent ✓ rent ✔ rent ☐ rent ☑ rent [x] rent – rent');
});

test('a page of a size that nothing fits on is a letter', async () => {
  expect((await render([[paragraph('Tiny')]], { width: 60, height: 40 })).pages).toEqual([{ width: 612, height: 792 }]);
  expect((await render([[]])).pages).toHaveLength(1);
});

test('a long text and a long table go on over the pages, the head of the table with it', async () => {
  const rows = Array.from({ length: 120 }, (_, index) => [cell(`Row ${index}`), cell(words(6)), cell('')]);
  const head = [cell('Number', true), cell('Words', true), cell('', true)];
  const { pdf, pages, text } = await render([[paragraph(words(2000)), heading(2, 'All rows'), table([head, ...rows])]]);
  expect(pages.length).toBeGreaterThan(6);
  for (let index = 0; index < 120; index += 1) expect(text).toContain(`Row ${index} `);
  for (const index of [0, 999, 1999]) expect(text).toContain(`word${index} `);
  const withRows = perPage(pdf).filter((page) => page.includes('Row '));
  expect(withRows.length).toBeGreaterThan(2);
  for (const page of withRows) expect(page).toMatch(/Number +Words/);
  expect(perPage(pdf).map((page) => page.trim().split(/\s+/).at(-1))).toEqual(
    pages.map((_, index) => String(index + 1)),
  );
});

test('a row that is longer than a page is divided, and no line of it lost', async () => {
  const { pages, text } = await render([
    [
      table([
        [cell('Head', true), cell('Other', true)],
        [cell(words(3000)), cell('short')],
        [cell('after'), cell('all')],
      ]),
    ],
  ]);
  expect(pages.length).toBeGreaterThan(3);
  for (const index of [0, 1500, 2999]) expect(text).toMatch(new RegExp(`word${index}\\b`));
  expect(text).toContain('after all');
  const many = Array.from({ length: 40 }, (_, column) => cell(`c${column}`));
  expect((await render([[table([many, many])]])).text.replaceAll(' ', '')).toContain('c39');
});

test('texts of any script are drawn as on sealed pages, and read from right to left where they are', async () => {
  const hebrew = 'הדייר משלם את שכר הדירה ביום השלישי';
  const { text } = await render([
    [
      paragraph('Ağrı — Łódź — Ελλάδα — Москва — 日本語の契約 — 한국어'),
      paragraph(hebrew, true),
      paragraph('المستأجر يدفع الإيجار', true),
      paragraph('किरायेदार किराया देता है'),
      paragraph('Emoji 🏠, none has \u{1F9FF}\uE000'),
      { type: 'list', items: [{ ...item('1.', hebrew), rtl: true }], ...box },
      table([
        [
          { ...cell('סעיף'), rtl: true },
          { ...cell('סכום'), rtl: true },
        ],
      ]),
    ],
  ]);
  for (const expected of ['Ağrı', 'Łódź', 'Ελλάδα', 'Москва', '日本語の契約', '한국어', '🏠', 'किरायेदार'])
    expect(text).toContain(expected);
  for (const word of ['הדירה', 'סכום', 'المستأجر']) expect(text).toContain(word);
});

test('hostile text is text', async () => {
  const hostile = ') Tj ET Q << /Type /Catalog >> \\( %PDF-1.4 endstream endobj';
  const { text } = await render([[heading(1, hostile), table([[cell(hostile)]]), paragraph('x'.repeat(20_000))]]);
  expect(text).toContain(hostile);
});

test('what takes too long is given up', async () => {
  const strict = createRenderer({ log: createLog('silent'), timeoutMs: 1500 });
  try {
    const endless = Array.from({ length: 100 }, () => Array.from({ length: 40 }, () => paragraph(words(400))));
    const failure = await render(endless, undefined, strict).catch((error) => error);
    expect(failure).toBeInstanceOf(PdfWorkerError);
    expect(failure.failure).toBe('timeout');
  } finally {
    await strict.close();
  }
});
