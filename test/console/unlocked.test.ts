import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawPages } from '../../src/unlock/convert/testing/draw-pages.ts';
import { shownPages } from '../../src/unlock/convert/testing/unlock-bytes.ts';
import { attachPdf } from '../support/attach.ts';
import { type Company, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { leaseText, rulesText, unlockedDraft } from './sample-text.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Reading, changing, reverting and exporting the text of unlocked documents, with all refusals. */
let app: TestService;
let company: Company;
let ruth: Visitor;
let alan: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  ruth = await signedIn(app, await addMember(app, company.id, 'member'));
  alan = await signedIn(app, await addMember(app, company.id, 'member'));
});
afterAll(() => app.stop());

const box = { x: 72, y: 100, width: 200, height: 12 };
const style = { size: 11, bold: false, italic: false };
const paragraph = (text: string) => ({ type: 'paragraph', text, ...style, ...box });

const pageOf = async (id: string, page: number) => (await ruth.get(`/documents/${id}/unlocked/pages/${page}`)).body;
const shown = async (id: string, page: number) => shownPages([await pageOf(id, page)]);
async function save(visitor: Visitor, id: string, page: number, version: number, blocks: unknown[]) {
  const { base } = await pageOf(id, 1);
  return visitor.post(`/documents/${id}/unlocked`, { pages: [{ page, version, base, blocks }] });
}
const exported = async (id: string, format: string) =>
  (await ruth.get(`/documents/${id}/unlocked/export?format=${format}`)).text;
const audited = (id: string, action: string) =>
  app.db.query<{ pages: number[] }>({
    name: '',
    text: `select detail->'pages' as pages from account_audit_entries
           where account_id = $1 and action = $2 and detail->>'document_id' = $3 order by id`,
    values: [company.id, action, id],
  });

test('a document that is not unlocked has no text, and another page than it has is not found', async () => {
  const id = await unlockedDraft(app, company);
  expect((await ruth.get(`/documents/${id}/unlocked`)).body).toMatchObject({ pages: 2, version: 0, changed_pages: [] });
  for (const page of ['0', '3', 'x', '1e0'])
    expect(refusal(await ruth.get(`/documents/${id}/unlocked/pages/${page}`))).toEqual([404, 'not_found']);
  expect((await ruth.page(`/console/api/documents/${id}/unlocked/pages/2/picture?width=600`)).status).toBe(200);
  await attachPdf(app, company, id, drawPages([rulesText]));
  expect(refusal(await ruth.get(`/documents/${id}/unlocked`))).toEqual([404, 'not_found']);
});

test('what is changed is what is read and exported; what was unlocked is kept', async () => {
  const id = await unlockedDraft(app, company);
  const before = await exported(id, 'md');
  const { blocks, version } = await pageOf(id, 2);
  expect(version).toBe(0);
  const changed = [{ ...blocks[0], text: 'Rules of the house' }, paragraph('Nobody smokes.'), ...blocks.slice(2)];
  expect((await save(ruth, id, 2, 0, changed)).body).toEqual({ version: 1 });
  expect(await shown(id, 2)).toEqual(['h1 Rules of the house', 'p Nobody smokes.', 'p Bicycles stand in the yard.']);
  expect(await pageOf(id, 2)).toMatchObject({ version: 1, width: 612, source: 'text' });
  expect((await ruth.get(`/documents/${id}/unlocked`)).body).toMatchObject({ version: 1, changed_pages: [2] });
  expect(await exported(id, 'md')).toBe(
    before.replace('# House rules', '# Rules of the house').replace(/The garden is kept[^\n]*/, 'Nobody smokes.'),
  );
  expect(await exported(id, 'html')).toContain('<p dir="ltr">Nobody smokes.</p>');
  expect(JSON.parse(await exported(id, 'json')).pages[1].blocks[1].text).toBe('Nobody smokes.');
  expect(refusal(await ruth.get(`/documents/${id}/unlocked/export?format=docx`))).toEqual([400, 'invalid_input']);

  await save(ruth, id, 2, 1, []);
  expect(await shown(id, 2)).toEqual([]);
  expect(await audited(id, 'unlocked_text_changed')).toEqual([{ pages: [2] }]);
  expect(refusal(await ruth.post(`/documents/${id}/unlocked/revert`, { version: 1 }))).toEqual([
    409,
    'changed_meanwhile',
  ]);
  expect((await ruth.post(`/documents/${id}/unlocked/revert`, { version: 2 })).body).toEqual({
    version: 3,
    pages: [2],
  });
  expect(await exported(id, 'md')).toBe(before);
  expect(await audited(id, 'unlocked_text_reverted')).toEqual([{ pages: [2] }]);
});

test('of two who change the same page the later is refused, and nothing of a refused change is kept', async () => {
  const id = await unlockedDraft(app, company);
  const [one, two] = await Promise.all([
    save(ruth, id, 1, 0, [paragraph('Of Ruth')]),
    save(alan, id, 1, 0, [paragraph('Of Alan')]),
  ]);
  expect([one.status, two.status].sort()).toEqual([200, 409]);
  expect([one, two].find(({ status }) => status === 409)?.body.error).toMatchObject({
    code: 'changed_meanwhile',
    param: '1',
  });
  const { base } = await pageOf(id, 1);
  const pages = [
    { page: 2, version: 0, base, blocks: [paragraph('Of both')] },
    { page: 1, version: 0, base, blocks: [paragraph('Too late')] },
  ];
  expect(refusal(await ruth.post(`/documents/${id}/unlocked`, { pages }))).toEqual([409, 'changed_meanwhile']);
  const twice = await ruth.post(`/documents/${id}/unlocked`, { pages: [pages[0], pages[0]] });
  expect(refusal(twice)).toEqual([400, 'invalid_input']);
  expect((await shown(id, 2))[0]).toBe('h1 House rules');
  const beyond = { page: 2 ** 31, version: 1 };
  expect(refusal(await ruth.post(`/documents/${id}/unlocked/revert`, beyond))).toEqual([400, 'invalid_input']);
  // A change based on the text before the revert must not succeed because the version number is equal again.
  await ruth.post(`/documents/${id}/unlocked/revert`, { page: 1, version: 1 });
  await save(alan, id, 1, 0, [paragraph('Anew')]);
  expect(refusal(await save(ruth, id, 1, 1, [paragraph('Of old')]))).toEqual([409, 'changed_meanwhile']);
  expect(await shown(id, 1)).toEqual(['p Anew']);
});

test('a window that lost an answer saves again; a save that arrives after a newer one is refused', async () => {
  const id = await unlockedDraft(app, company);
  const { base } = await pageOf(id, 1);
  const [first, second] = [randomUUID(), randomUUID()];
  const write = (text: string, about: object) =>
    ruth.post(`/documents/${id}/unlocked`, {
      pages: [{ page: 1, version: 0, base, blocks: [paragraph(text)] }],
      ...about,
    });
  expect((await write('First', { save: first })).status).toBe(200);
  expect((await write('Second', { save: second, unanswered: [first] })).status).toBe(200);
  expect(refusal(await write('First', { save: first }))).toEqual([409, 'changed_meanwhile']);
  expect(refusal(await write('Third', { save: randomUUID(), unanswered: [first] }))).toEqual([
    409,
    'changed_meanwhile',
  ]);
  expect(refusal(await write('Third', { save: 'x' }))).toEqual([400, 'invalid_input']);
  expect(await shown(id, 1)).toEqual(['p Second']);
});

test('hostile and endless texts are tidied or refused, saying where', async () => {
  const id = await unlockedDraft(app, company);
  const hostile = 'a\u0000b\ud800c\u202e<script>\r\nd\u2028e\ufb01\u200bz  ';
  const cell = (text: string) => ({ text, bold: false, ...box });
  const blocks = [
    paragraph(hostile),
    paragraph(' \u0007\n '),
    { type: 'table', ...box, rows: [[cell('1'), cell('2')], [cell(hostile)]] },
    { type: 'list', ...box, items: [{ ...paragraph('שלום עולם'), marker: '\u202e', ordered: false, level: 0 }] },
  ];
  expect((await save(ruth, id, 1, 0, blocks)).status).toBe(200);
  const tidy = 'a bc<script> d efiz';
  expect(await shown(id, 1)).toEqual([`p ${tidy}`, '1 | 2', `${tidy} | `, '• שלום עולם']);
  expect((await pageOf(id, 1)).blocks[2].items[0].rtl).toBe(true);
  expect(await exported(id, 'html')).not.toContain('<script>');

  const refused = async (wrong: unknown) => (await save(ruth, id, 1, 1, [paragraph('fine'), wrong])).body.error;
  for (const wrong of [
    paragraph('x'.repeat(20_001)),
    { ...paragraph('x'), type: 'script' },
    { ...paragraph('x'), x: 1e300 },
    { type: 'table', ...box, rows: [Array(101).fill(cell('x'))] },
    { type: 'heading', level: 9, text: 'x', ...style, ...box },
  ])
    expect(await refused(wrong)).toMatchObject({ code: 'invalid_input', param: 'pages.0.blocks.1' });
  expect((await save(ruth, id, 3, 0, [])).status).toBe(404);
  const huge = Array.from({ length: 60 }, () => paragraph('x'.repeat(20_000)));
  expect((await save(ruth, id, 1, 1, huge)).body.error.code).toBe('request_too_large');
  const ragged = { type: 'table', ...box, rows: [Array(27).fill(cell('x')), ...Array(1999).fill([])] };
  expect(await refused(ragged)).toMatchObject({ code: 'text_too_large' });
  expect((await pageOf(id, 1)).version).toBe(1);
});

test('when its file is replaced and unlocked anew, what was changed of the former goes with it', async () => {
  const id = await unlockedDraft(app, company);
  await save(ruth, id, 1, 0, [paragraph('Of the former file')]);
  const { base } = await pageOf(id, 2);
  await attachPdf(app, company, id, drawPages([rulesText, leaseText, rulesText]));
  await ruth.post(`/documents/${id}/unlock`, { pages: 3 });
  await eventually(
    () => ruth.get(`/documents/${id}/unlocked`),
    ({ status }) => status === 200,
  );
  expect((await shown(id, 1))[0]).toBe('h1 House rules');
  expect((await shown(id, 2))[0]).toBe('h1 Lease agreement');
  // A window that still shows the old text must not write it into the new one.
  const pages = [{ page: 2, version: 0, base, blocks: [paragraph('Of the former file')] }];
  expect(refusal(await ruth.post(`/documents/${id}/unlocked`, { pages }))).toEqual([404, 'not_found']);
});

test('each page is read for itself, also of a long document', async () => {
  const pages = Array.from({ length: 100 }, (_, index) => ({
    texts: [{ x: 72, y: 90, text: `Page ${index + 1}`, size: 20 }],
  }));
  const id = await unlockedDraft(app, company, pages);
  expect(await shown(id, 100)).toEqual(['p Page 100']);
  await save(ruth, id, 100, 0, [paragraph('The last')]);
  const md = await exported(id, 'md');
  expect([md.match(/<!-- page/g)?.length, md.endsWith('The last\n\n')]).toEqual([100, true]);
});
