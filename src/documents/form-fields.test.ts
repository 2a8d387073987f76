import { expect, test } from 'vitest';
import { readFormFields } from '../pdf/pdfium/form-fields.ts';
import { loadPdfium } from '../pdf/pdfium/load-pdfium.ts';
import { openBytes } from '../pdf/pdfium/open-document.ts';
import { formPages, type WidgetPlan } from '../pdf/pdfium/testing/form-page.ts';
import type { PagePlan } from '../pdf/pdfium/testing/make-pdf.ts';
import { suggestFields } from './form-fields.ts';

const letter = [612, 792] as const;

async function suggestFor(file: Buffer, pages: ReadonlyArray<readonly [number, number]> = [letter]) {
  const document = openBytes(await loadPdfium(), file);
  if (typeof document === 'string') throw new Error(document);
  try {
    return suggestFields(readFormFields(document), pages, { group: 'Group', option: 'Option' });
  } finally {
    document.close();
  }
}

function suggest(widgets: readonly WidgetPlan[], plan: PagePlan = {}) {
  return suggestFor(formPages([widgets], plan), [[plan.width ?? 612, plan.height ?? 792]]);
}

const button = (name: string, state: string, more = ''): WidgetPlan => ({
  entries: `/FT /Btn /Ff 32768 /T (${name}) ${more}`,
  state,
});
const script = (code: string) => `/AA << /F << /S /JavaScript /JS (${code.replaceAll(/[\\()]/g, '\\$&')}) >> >>`;

test.each<[string, string | WidgetPlan, object]>([
  ['a text', '/FT /Tx /T (city)', { type: 'text', label: 'City', required: false }],
  ['a required text', '/FT /Tx /T (city) /Ff 2', { type: 'text', required: true }],
  ['a description', '/FT /Tx /T (a.b_c) /TU (Place of\nbirth)', { label: 'Place of birth' }],
  ['a name within others', '/FT /Tx /T (form[0].page[0].first_name[0])', { label: 'First name' }],
  ['a name that a program gave', '/FT /Tx /T (Text12)', { label: null }],
  ['another one', '/FT /Tx /T (topmostSubform[0].Page1[0].f1_01[0])', { label: null }],
  ['a name that ends in a number', '/FT /Tx /T (Child 2)', { label: 'Child 2' }],
  ['a long name', `/FT /Tx /T (${'a'.repeat(300)})`, { label: `A${'a'.repeat(99)}` }],
  ['an invisible name', '/FT /Tx /T <FEFF200B>', { label: null }],
  [
    'a number',
    `/FT /Tx /T (rent) ${script('AFNumber_Format(2, 0, 0, 0, "", true);')}`,
    { type: 'number', decimals: 2 },
  ],
  ['a percentage', `/FT /Tx /T (rate) ${script('AFPercent_Format(2, 0);')}`, { type: 'text', decimals: null }],
  ['a date', `/FT /Tx /T (day) ${script('AFDate_Format(0);')}`, { type: 'date', date_format: null }],
  [
    'a date with a format',
    `/FT /Tx /T (day) ${script('AFDate_FormatEx("d/m/yy");')}`,
    { type: 'date', date_format: 'DD/MM/YYYY' },
  ],
  [
    'a date in words',
    `/FT /Tx /T (day) ${script('AFDate_FormatEx("mmmm d, yyyy");')}`,
    { type: 'date', date_format: 'MMMM D, YYYY' },
  ],
  ['a box', { entries: '/FT /Btn /T (pets)', state: 'Yes' }, { type: 'checkbox', required: false }],
  [
    'a list',
    '/FT /Ch /Ff 131072 /T (country) /Opt [( ) (Spain) [(de) (Germany)] (Spain)]',
    { type: 'dropdown', options: ['Spain', 'Germany'] },
  ],
  [
    'a list with hidden characters',
    '/FT /Ch /Ff 131072 /T (country) /Opt [<FEFF00410000202E0042> (C)]',
    { type: 'dropdown', options: ['A B', 'C'] },
  ],
  ['a signature', '/FT /Sig /T (Tenant)', { type: 'signature', required: true, label: null }],
])('%s of a form becomes a field', async (_, plan, expected) => {
  const { fields, others } = await suggest([typeof plan === 'string' ? { entries: plan } : plan]);
  expect(fields).toHaveLength(1);
  expect(fields[0]).toMatchObject({ page: 1, x: 72, y: 172, width: 228, height: 20, ...expected });
  expect(others).toBe(0);
});

test.each<[string, WidgetPlan, number]>([
  ['a text with a value', { entries: '/FT /Tx /T (a) /V (Ada)' }, 1],
  ['a text with an endless value', { entries: `/FT /Tx /T (a) /V (${'a'.repeat(10_000)})` }, 1],
  ['a ticked box', { entries: '/FT /Btn /T (a)', state: 'Yes', isTicked: true }, 1],
  ['a chosen option', { entries: '/FT /Ch /Ff 131072 /T (a) /V (Spain) /Opt [(Spain) (Germany)]' }, 1],
  ['a list of one option', { entries: '/FT /Ch /Ff 131072 /T (a) /Opt [(Spain)]' }, 1],
  ['a list with several choices', { entries: '/FT /Ch /Ff 2097152 /T (a) /Opt [(Spain) (Germany)]' }, 1],
  ['a list with too long an option', { entries: `/FT /Ch /Ff 131072 /T (a) /Opt [(Spain) (${'a'.repeat(101)})]` }, 1],
  ['a list with too many options', { entries: `/FT /Ch /Ff 131072 /T (a) /Opt [${options(101)}]` }, 1],
  ['an endless list', { entries: `/FT /Ch /Ff 131072 /T (a) /Opt [${options(5000)}]` }, 1],
  ['a password', { entries: '/FT /Tx /T (a) /Ff 8192' }, 1],
  ['a field without room', { entries: '/FT /Tx /T (a)', rectangle: [72, 600, 300, 602] }, 1],
  ['a field beyond the page', { entries: '/FT /Tx /T (a)', rectangle: [620, 600, 900, 620] }, 1],
  ['a single radio button', button('a', 'Yes'), 1],
  ['a hidden field', { entries: '/FT /Tx /T (a)', flags: 2 }, 0],
  ['a field that only shows in print', { entries: '/FT /Tx /T (a)', flags: 36 }, 0],
  ['a read-only field', { entries: '/FT /Tx /T (a) /Ff 1' }, 0],
  ['a push button', { entries: '/FT /Btn /Ff 65536 /T (a)' }, 0],
  ['an annotation without a type', { entries: '/T (a)' }, 0],
])('%s stays as it is', async (_, widget, counted) => {
  expect(await suggest([widget])).toEqual({ fields: [], others: counted });
});

function options(count: number): string {
  return Array.from({ length: count }, (_, index) => `(Option ${index})`).join(' ');
}

test('radio buttons keep their group and what they stand for', async () => {
  const { fields } = await suggest([
    button('pets', 'Yes', '/TU (Do you have pets?)'),
    button('pets', 'No', '/TU (Do you have pets?)'),
    button('Group3', '1'),
    button('Group3', '1'),
    button('other.pets', 'Yes', '/TU (Do you have pets?)'),
    button('other.pets', 'No', '/TU (Do you have pets?)'),
  ]);
  expect(fields.map(({ type, group, label }) => [type, group, label])).toEqual([
    ['radio', 'Do you have pets?', 'Yes'],
    ['radio', 'Do you have pets?', 'No'],
    ['radio', 'Group 1', 'Option 1'],
    ['radio', 'Group 1', 'Option 2'],
    ['radio', 'Do you have pets? 2', 'Yes'],
    ['radio', 'Do you have pets? 2', 'No'],
  ]);
});

test('a group of which one button is chosen, or cannot be placed, stays as it is', async () => {
  const chosen = { ...button('a', 'No'), isTicked: true };
  const gone: WidgetPlan = { ...button('b', 'No'), rectangle: [700, 600, 710, 610] };
  expect(await suggest([button('a', 'Yes'), chosen, button('b', 'Yes'), gone])).toEqual({ fields: [], others: 4 });
});

test.each<[string, PagePlan, object]>([
  ['turned to the right', { entries: '/Rotate 90' }, { x: 600, y: 72, width: 20, height: 228 }],
  ['upside down', { entries: '/Rotate 180' }, { x: 312, y: 600, width: 228, height: 20 }],
  ['turned to the left', { entries: '/Rotate 270' }, { x: 172, y: 312, width: 20, height: 228 }],
  ['cropped', { entries: '/CropBox [50 100 612 792]' }, { x: 22, y: 172, width: 228, height: 20 }],
])('fields are at their place on a page that is %s', async (_, plan, expected) => {
  const turned = plan.entries?.includes('90') || plan.entries?.includes('270');
  const size = turned ? ([792, 612] as const) : letter;
  const { fields } = await suggestFor(formPages([[{ entries: '/FT /Tx /T (a)' }]], plan), [size]);
  expect(fields[0]).toMatchObject(expected);
});

test('a field is cut at the edge of its page', async () => {
  const { fields } = await suggest([{ entries: '/FT /Tx /T (a)', rectangle: [-10, 600, 700, 800] }]);
  expect(fields[0]).toMatchObject({ x: 0, y: 0, width: 612, height: 192 });
});

test('fields of all pages come in order, up to as many as a document has', async () => {
  const pages = Array.from({ length: 7 }, (_, page) =>
    Array.from({ length: 100 }, (_, at) => ({ entries: `/FT /Tx /T (City ${page + 1} ${at})` })),
  );
  const sizes = pages.map(() => letter);
  const { fields } = await suggestFor(formPages(pages), sizes);
  expect(fields).toHaveLength(500);
  expect([fields[0]?.label, fields[499]?.label, fields[499]?.page]).toEqual(['City 1 0', 'City 5 99', 5]);
});

test('a group of radio buttons is not cut', async () => {
  const texts = Array.from({ length: 499 }, (_, at) => ({ entries: `/FT /Tx /T (City ${at})` }));
  const { fields, others } = await suggest([...texts, button('pets', 'Yes'), button('pets', 'No')]);
  expect([fields.length, others]).toEqual([499, 2]);
});

test('a file without a form suggests nothing', async () => {
  expect(await suggest([])).toEqual({ fields: [], others: 0 });
});

test('a form whose fields are their own parents suggests no endless names', async () => {
  const { fields } = await suggest([{ entries: '/FT /Tx /T (city) /Parent 10000 0 R' }]);
  expect(fields.length).toBeLessThan(2);
});
