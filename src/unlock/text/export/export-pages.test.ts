import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Block, UnlockedPage } from '../../blocks.ts';
import { type ExportFormat, exportPages } from './export-pages.ts';
import { readPages } from './read-pages.ts';

const box = { x: 1, y: 2, width: 3, height: 4 };
const style = { size: 10, bold: false, italic: false, rtl: false };
const item = (level: number, marker: string, text: string) => ({
  ...box,
  ...style,
  level,
  marker,
  ordered: marker !== '•',
  text,
});
const cell = (text: string, bold = false) => ({ ...box, text, bold, rtl: false });

const blocks: Block[] = [
  { type: 'heading', level: 2, text: 'Terms', ...box, ...style },
  { type: 'paragraph', text: 'שלום', ...box, ...style, rtl: true },
  { type: 'list', ...box, items: [item(0, '•', 'one'), item(1, '(a)', 'inner'), item(0, '2.', 'two')] },
  {
    type: 'table',
    ...box,
    rows: [
      [cell('Item', true), cell('Price')],
      [cell('Slates'), cell('')],
    ],
  },
  { type: 'field', kind: 'text', name: 'n', label: 'Name', value: 'Ada', checked: null, ...box },
  { type: 'field', kind: 'checkbox', name: 'ok', label: null, value: 'Yes', checked: true, ...box },
];
const page = (number: number, of: Block[]): UnlockedPage => ({
  page: number,
  width: 612,
  height: 792,
  source: 'text',
  blocks: of,
});

async function all<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const collected: Part[] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

async function exported(format: ExportFormat, pages: UnlockedPage[], title = 'Lease'): Promise<string> {
  const stored = gzipSync(pages.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const parts = await all(exportPages(format, title, readPages(Readable.from([stored]))));
  return parts.join('');
}

test('Markdown lists have no item that would be code, or text of another item', async () => {
  const items = [item(1, '•', 'inner first'), item(0, '•', 'outer'), item(0, '100.', 'many'), item(2, '•', 'deep')];
  const exportedList = await exported('md', [page(1, [{ type: 'list', ...box, items }])]);
  expect(exportedList).toContain('\n\n- inner first\n- outer\n100. many\n     - deep\n');
});

test('Markdown', async () => {
  expect(await exported('md', [page(1, blocks), page(2, [])])).toBe(`<!-- page 1 -->

## Terms

שלום

- one
    - (a) inner
2. two

| Item | Price |
| --- | --- |
| Slates |  |

Name: Ada

- [x] ok

<!-- page 2 -->

`);
});

test('HTML', async () => {
  expect(await exported('html', [page(1, blocks)])).toBe(`<!doctype html>
<html><head><meta charset="utf-8"><title>Lease</title></head>
<body>
<section data-page="1">
<h2 dir="ltr">Terms</h2>
<p dir="rtl">שלום</p>
<ul style="list-style: none"><li dir="ltr">• one<ul style="list-style: none"><li dir="ltr">(a) inner</li></ul></li><li dir="ltr">2. two</li></ul>
<table><tr><td dir="ltr"><b>Item</b></td><td dir="ltr">Price</td></tr><tr><td dir="ltr">Slates</td><td dir="ltr"></td></tr></table>
<p><label>Name <input name="n" value="Ada" disabled></label></p>
<p><label><input type="checkbox" name="ok" checked disabled> ok</label></p>
</section>
</body>
</html>
`);
});

test('JSON holds all that is known, positions too', async () => {
  const pages = [page(1, blocks), page(2, [])];
  expect(JSON.parse(await exported('json', pages))).toEqual({ title: 'Lease', pages });
  expect(JSON.parse(await exported('json', []))).toEqual({ title: 'Lease', pages: [] });
});

test('boxes and ticks are shown as written, and all other bullets as one', async () => {
  const markers = ['▪', '□', '✓', '-'];
  const items = markers.map((marker) => ({ ...item(0, marker, 'rent'), ordered: false }));
  const pages = [page(1, [{ type: 'list', ...box, items }])];
  expect(await exported('md', pages)).toContain('\n- rent\n- □ rent\n- ✓ rent\n- rent\n');
  expect((await exported('html', pages)).match(/(?<=<li dir="ltr">). /g)).toEqual(['• ', '□ ', '✓ ', '• ']);
});

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '![x](javascript:alert(1))',
  '[click](https://evil.example)',
  '<https://evil.example>',
  '&lt;b&gt; | ` ** __ ~~ \\',
  '# not a heading',
  '- not an item',
  '1. not an item',
  '===',
  '```',
];
const everywhere = (text: string): Block[] => [
  { type: 'heading', level: 1, text, ...box, ...style },
  { type: 'paragraph', text, ...box, ...style },
  { type: 'list', ...box, items: [item(0, '•', text)] },
  { type: 'table', ...box, rows: [[cell(text)]] },
  { type: 'field', kind: 'text', name: text, label: text, value: text, checked: null, ...box },
];

test.for(hostile)('%s is text in HTML, wherever it stands', async (text) => {
  const html = await exported('html', [page(1, everywhere(text))], text);
  const tags = new Set([...html.matchAll(/<\/?([a-z0-9]*)/gi)].map(([, name]) => name));
  const ours = [
    '',
    'html',
    'head',
    'meta',
    'title',
    'body',
    'section',
    'h1',
    'p',
    'ul',
    'li',
    'table',
    'tr',
    'td',
    'label',
    'input',
  ];
  expect([...tags].filter((tag) => !ours.includes(tag ?? ''))).toEqual([]);
  expect(html.replace(/"[^"]*"/g, '')).not.toMatch(/<[^>]*\son[a-z]+\s*=/i);
});

test.for(hostile)('%s is text in Markdown, wherever it stands', async (text) => {
  const markdown = await exported('md', [page(1, everywhere(text))]);
  const lines = markdown.split('\n').filter((line) => line !== '' && !line.startsWith('<!-- page'));
  for (const line of lines) {
    const plain = line.replace(/\\[\\`*_[\]<>|~$#+=:.)-]/g, '').replace(/^(# |- |\| | {4})/, '');
    expect(plain).not.toMatch(/[<`]|\]\(|!\[|https?:/);
  }
  expect(lines.filter((line) => /^#/.test(line))).toHaveLength(1);
  expect(lines.filter((line) => /^(-|\d+[.)]) /.test(line))).toHaveLength(1);
});

test('line separators in a text end no page', async () => {
  const pages = [page(1, [{ type: 'paragraph', text: 'one\u2028two\u2029', ...box, ...style }]), page(2, blocks)];
  const stored = gzipSync(pages.map((each) => `${JSON.stringify(each)}\n`).join(''));
  expect(await all(readPages(Readable.from([stored])))).toEqual(pages);
});

test('a stored document that is cut short fails, rather than being exported in part', async () => {
  const stored = gzipSync(`${JSON.stringify(page(1, blocks))}\n`);
  const pages = readPages(Readable.from([stored.subarray(0, stored.length - 20)]));
  await expect(all(pages)).rejects.toThrow();
});
