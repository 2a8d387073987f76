import { expect, test } from 'vitest';
import {
  drawing,
  type Objects,
  type PlainOptions,
  plainPdf,
  updatedPdf,
} from '../../../pdf/strict/testing/updated-pdf.ts';
import { firstChangedPage } from '../first-changed-page.ts';
import { unchangedPages } from './unchanged-pages.ts';

/** A black square, usable as content, form, appearance and pattern. */
const square = drawing(
  '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /PatternType 1 /PaintType 1 /TilingType 1 /XStep 612 /YStep 792 /Resources << >>',
  '0 g 100 100 300 300 re f',
);
const text = drawing('', 'BT /F1 24 Tf 72 700 Td (Price: 100 dollars) Tj ET');
const pageOf = (content: string, resources = '', more = '') =>
  `<< /Type /Page /Parent 8 0 R /MediaBox [0 0 612 792] /Contents ${content} /Resources << /Font << /F1 3 0 R >> ${resources} >> ${more} >>`;

/** A file with two pages. The second page, object 6, draws object 7. Its parent node is object 8. */
const objects: Objects = {
  1: '<< /Type /Catalog /Pages 2 0 R >>',
  2: '<< /Type /Pages /Count 2 /Kids [4 0 R 8 0 R] /MediaBox [0 0 612 792] >>',
  3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  4: '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
  5: text,
  6: pageOf('7 0 R'),
  7: text,
  8: '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [6 0 R] >>',
};

const found = (file: Buffer, sealed: Buffer) => [...unchangedPages(file, sealed, 2, () => false)];
const grown = { 2: '<< /Type /Pages /Count 3 /Kids [4 0 R 8 0 R 502 0 R] /MediaBox [0 0 612 792] >>' };
const added = { 502: '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [503 0 R] >>', 503: pageOf('500 0 R') };

/** The update that sealing makes: it defines new objects and appends pages. */
const update: Objects = { 500: square, 501: '<< /XObject << /X 500 0 R >> >>', ...added, ...grown };

test.each<[string, PlainOptions]>([
  ['in a table', {}],
  ['in streams', { held: [1, 2, 3, 4, 6, 8] }],
])('pages that reach no object of the update need no rendering: %s', (_, options) => {
  const file = plainPdf(objects, options);
  expect(found(file, updatedPdf(file, update))).toEqual([0, 1]);
});

const comment = `%${'x'.repeat(5000)}\n`;

/** Ways in which the second page reaches an object of the update and shows the square. */
const routes: Array<[string, Objects, PlainOptions?]> = [
  ['content', { 6: pageOf('[7 0 R 500 0 R]') }],
  ['an array of contents in a separate object', { 6: pageOf('9 0 R'), 9: '[7 0 R 500 0 R]' }],
  ['another generation', { 6: pageOf('[7 0 R 500 9 R]') }],
  ['a comment inside the reference', { 6: pageOf(`[7 0 R 500 ${comment}0 R]`) }],
  ['a form', { 6: pageOf('7 0 R', '/XObject << /X 500 0 R >>'), 7: drawing('', '/X Do') }],
  [
    'a form in a form',
    {
      6: pageOf('7 0 R', '/XObject << /X 9 0 R >>'),
      7: drawing('', '/X Do'),
      9: drawing('/Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /Parent 500 0 R >> >>', '/Parent Do'),
    },
  ],
  [
    'inherited resources',
    {
      6: '<< /Type /Page /Parent 8 0 R /Contents 7 0 R >>',
      7: drawing('', '/X Do'),
      8: '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [6 0 R] /Resources 501 0 R >>',
    },
  ],
  [
    'a pattern',
    {
      6: pageOf('7 0 R', '/Pattern << /P 500 0 R >>'),
      7: drawing('', '/Pattern cs /P scn 0 0 612 792 re f'),
    },
  ],
  [
    'the appearance of an annotation',
    { 6: pageOf('7 0 R', '', '/Annots [<< /Subtype /Stamp /F 4 /Rect [0 0 612 792] /AP << /N 500 0 R >> >>]') },
  ],
  [
    'annotations in a separate object',
    {
      6: pageOf('7 0 R', '', '/Annots 9 0 R'),
      9: '[10 0 R]',
      10: '<< /Subtype /Stamp /F 4 /P 6 0 R /Rect [0 0 612 792] /AP << /N 500 0 R >> >>',
    },
  ],
  ['an object stream', { 6: pageOf('[7 0 R 500 0 R]') }, { held: [6, 8] }],
  ['an object stream, after a comment', { 6: pageOf('9 0 R'), 9: `[7 0 R 500 ${comment}0 R]` }, { held: [9] }],
];

test.each(routes)(
  'a page that reaches an object of the update is rendered and reported: %s',
  async (_, own, options) => {
    const file = plainPdf({ ...objects, ...own }, options);
    const sealed = updatedPdf(file, update);
    expect(found(file, sealed)).not.toContain(1);
    expect(await firstChangedPage(file, sealed, [null, null])).toBe(2);
  },
);

/** Updates that redefine objects of the file. */
test.each<[string, Objects]>([
  ['content of a page', { 7: square }],
  ['a node above a page', { 8: '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [6 0 R] /Rotate 90 >>' }],
  ['what all pages inherit', { 2: '<< /Type /Pages /Count 2 /Kids [4 0 R 8 0 R] /MediaBox [0 0 300 300] >>' }],
  ['the order of pages', { 2: '<< /Type /Pages /Count 2 /Kids [8 0 R 4 0 R] /MediaBox [0 0 612 792] >>' }],
  ['the page tree', { 1: '<< /Type /Catalog /Pages 8 0 R >>' }],
])('a page is rendered when the update redefines %s', async (_, own) => {
  const file = plainPdf({ ...objects, 5: drawing('', 'BT /F1 24 Tf 72 700 Td (Terms) Tj ET') });
  const sealed = updatedPdf(file, { ...update, ...own });
  expect(found(file, sealed)).not.toContain(1);
  expect(await firstChangedPage(file, sealed, [null, null])).not.toBe(null);
});

const layer = '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [] /D << >> >> >>';

test.each<[string, () => [Buffer, Buffer]]>([
  ['a hybrid file', () => pair(plainPdf(objects, { trailer: '/XRefStm 15' }))],
  ['an update that becomes hybrid', () => pair(plainPdf(objects), {}, { trailer: '/XRefStm 15' })],
  ['an encrypted file', () => pair(plainPdf(objects, { trailer: '/Encrypt 9 0 R' }))],
  ['layers', () => pair(plainPdf({ ...objects, 1: layer }))],
  ['layers that the update adds', () => pair(plainPdf(objects), { 1: layer })],
  ['a table with a duplicate entry', () => pair(changed(plainPdf(objects), '\n5 1\n', '\n7 1\n'))],
  ['objects beyond the size', () => pair(changed(plainPdf(objects), '/Size 2000', '/Size 0007'))],
  ['bytes before the header', () => pair(changed(plainPdf(objects), '%PDF-1.7', ' %PDF1.7'))],
  [
    'a file that the sealed PDF does not begin with',
    () => [changed(plainPdf(objects), '100', '200'), plainPdf(objects)],
  ],
  ['a sealed PDF that only repeats the file', () => [plainPdf(objects), plainPdf(objects)]],
  ['an empty file', () => [Buffer.alloc(0), Buffer.alloc(0)]],
])('every page is rendered: %s', (_, make) => {
  expect(found(...make())).toEqual([]);
});

test.each<[string, Objects]>([
  ['an object that does not exist', { 6: pageOf('[7 0 R 900 0 R]') }],
  ['an object with two values for a key', { 6: pageOf('7 0 R', '', '/Contents 5 0 R') }],
  ['a form field', { 6: pageOf('7 0 R', '', '/Annots [<< /Subtype /Widget /AP << /N 7 0 R >> >>]') }],
  ['an annotation without appearance', { 6: pageOf('7 0 R', '', '/Annots [<< /Subtype /Square /Rect [0 0 9 9] >>]') }],
  ['another page used as its resources', { 6: '<< /Type /Page /Parent 8 0 R /Contents 7 0 R /Resources 4 0 R >>' }],
  ['a byte that only some readers take for white space', { 6: pageOf('[7 0 R 500\x800\x80R]') }],
  ['a fraction in a reference', { 6: pageOf('[7 0 R 500.0 0 R]') }],
  ['a wrong length', { 7: text.replace('/Length ', '/Length 1') }],
])('a page is rendered when it has %s', (_, own) => {
  const file = plainPdf({ ...objects, ...own });
  expect(found(file, updatedPdf(file, update))).not.toContain(1);
});

test('links to other pages need no rendering', () => {
  const link = '<< /Subtype /Link /Rect [0 0 9 9] /P 6 0 R /Dest [4 0 R /Fit] /A << /S /GoTo /D [4 0 R /Fit] >> >>';
  const file = plainPdf({ ...objects, 6: pageOf('7 0 R', '', `/Annots [${link}]`) });
  expect(found(file, updatedPdf(file, update))).toEqual([0, 1]);
});

test('the remaining pages are rendered when the time limit has passed', () => {
  const file = plainPdf(objects);
  expect([...unchangedPages(file, updatedPdf(file, update), 2, () => true)]).toEqual([]);
});

function pair(file: Buffer, own: Objects = {}, options: PlainOptions = {}): [Buffer, Buffer] {
  return [file, updatedPdf(file, { ...update, ...own }, options)];
}

function changed(file: Buffer, from: string, to: string): Buffer {
  return Buffer.from(file.toString('latin1').replace(from, to), 'latin1');
}
