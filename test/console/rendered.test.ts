import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspect, pdfText } from '../../src/sealing/testing/tools.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import { type Company, call, createCompany, startTestService, type TestService } from '../support/service.ts';
import { unlockedDraft } from './sample-text.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** PDFs made from edited text: their content and their use. */
let app: TestService;
let company: Company;
let ruth: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  ruth = await signedIn(app, await addMember(app, company.id, 'member'));
});
afterAll(() => app.stop());

const box = { x: 72, y: 100, width: 200, height: 12 };
const paragraph = (text: string) => ({ type: 'paragraph', text, size: 11, bold: false, italic: false, ...box });
async function save(id: string, page: number, version: number, texts: string[]) {
  const { base } = (await ruth.get(`/documents/${id}/unlocked/pages/1`)).body;
  return ruth.post(`/documents/${id}/unlocked`, { pages: [{ page, version, base, blocks: texts.map(paragraph) }] });
}
const render = (id: string, visitor = ruth) => visitor.post(`/documents/${id}/unlocked/rendered`);
const view = async (id: string) => (await ruth.get(`/documents/${id}/unlocked`)).body;

async function downloaded(id: string): Promise<Buffer> {
  const cookie = [...ruth.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const path = `/console/api/documents/${id}/unlocked/rendered/pdf`;
  const answer = await fetch(new URL(app.baseUrl).origin + path, { headers: { cookie } });
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  return Buffer.from(await answer.arrayBuffer());
}

/** Expects that the reference count of every stored file is correct. */
async function expectHeld(): Promise<void> {
  const wrong = await app.db.query({
    name: '',
    text: `select encode(sha256, 'hex'), reference_count from stored_files s where reference_count <>
             (select count(*) from document_files f where f.sha256 = s.sha256) +
             (select count(*) from document_unlocks u where u.sha256 = s.sha256) +
             (select count(*) from document_unlocks u where u.rendered_sha256 = s.sha256) +
             (select count(*) from document_unlocks u where u.used_sha256 is not null and u.source_sha256 = s.sha256)`,
    values: [],
  });
  expect(wrong).toEqual([]);
}

test('the PDF is made of the text as it is, once for all who ask, and anew when it was changed', async () => {
  const id = await unlockedDraft(app, company);
  expect(refusal(await ruth.get(`/documents/${id}/unlocked/rendered/pdf`))).toEqual([404, 'not_found']);
  await save(id, 2, 0, ['Nobody smokes.']);
  const asked = await Promise.all([1, 2, 3].map(() => render(id)));
  expect(asked.map(({ body }) => body)).toEqual(Array(3).fill({ version: 1 }));
  const pdf = await downloaded(id);
  expect(inspect(pdf, 'qpdf', ['--check'])).toContain('No syntax or stream encoding errors found');
  expect(inspect(pdf, 'pdfinfo')).toMatch(/Title:\s+Lease: 12 Harbour Street/);
  const text = pdfText(pdf).replace(/\s+/g, ' ');
  expect(text).toMatch(/Lease agreement .* Month Rent Water January 1,200 40 .* Nobody smokes\./);
  expect(text).not.toContain('Bicycles');
  expect((await view(id)).rendered).toEqual({ version: 1, pages: [[612, 792]], bytes: pdf.length });
  expect((await ruth.page(`/console/api/documents/${id}/unlocked/rendered/pages/1?width=600`)).status).toBe(200);
  expect(refusal(await ruth.get(`/documents/${id}/unlocked/rendered/pages/2`))).toEqual([404, 'not_found']);

  await save(id, 2, 1, ['Everybody smokes.']);
  expect((await view(id)).rendered.version).toBe(1);
  expect((await render(id)).body).toEqual({ version: 2 });
  expect(pdfText(await downloaded(id))).toContain('Everybody smokes.');
  await expectHeld();
});

test('a document without any text left makes no PDF', async () => {
  const id = await unlockedDraft(app, company);
  await save(id, 1, 0, []);
  await save(id, 2, 0, []);
  expect(refusal(await render(id))).toEqual([409, 'nothing_to_render']);
});

test("it becomes the document's file, the text and its pictures stay, and again after another change", async () => {
  const id = await unlockedDraft(app, company);
  await placeOn(app, company, id, [{ recipient: 1, type: 'signature' }]);
  const picture = async () => (await ruth.page(`/console/api/documents/${id}/unlocked/pages/2/picture?width=600`)).text;
  const before = await picture();
  for (const [version, text] of [
    [1, 'In the new file'],
    [2, 'In the newest file'],
  ] as const) {
    await save(id, 2, version - 1, [text]);
    await render(id);
    expect(refusal(await ruth.post(`/documents/${id}/unlocked/rendered/use`, { version: 0 }))).toEqual([
      409,
      'changed_meanwhile',
    ]);
    const { status, body } = await ruth.post(`/documents/${id}/unlocked/rendered/use`, { version });
    expect([status, body.file]).toMatchObject([200, { name: 'Lease.pdf', pages: [[612, 792]] }]);
    expect((await ruth.get(`/documents/${id}/pages/1/text`)).body.text).toContain(text);
    expect((await ruth.get(`/documents/${id}/fields`)).body.data).toEqual([]);
    expect(await view(id)).toMatchObject({ pages: 2, version });
    expect(await picture()).toBe(before);
    expect((await ruth.get(`/documents/${id}/unlock`)).body).toMatchObject({ status: 'unlocked' });
    await expectHeld();
  }
  const { data } = (await ruth.get(`/documents/${id}/timeline`)).body;
  expect(data[0]).toMatchObject({ action: 'attached', note: 'Lease.pdf' });
  const balance = async () => (await ruth.get(`/documents/${id}/unlock`)).body.credits;
  const credits = await balance();
  await ruth.post(`/documents/${id}/unlock`, { pages: 1 });
  expect(await balance()).toBe(credits);
  await attachPdf(app, company, id);
  await ruth.post(`/documents/${id}/unlock`, { pages: 1 });
  await expectHeld();
});

test('a sent document keeps its file; a new draft gets the PDF, as sensitive as where it is from', async () => {
  const id = await unlockedDraft(app, company);
  await render(id);
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect(refusal(await ruth.post(`/documents/${id}/unlocked/rendered/use`, { version: 0 }))).toEqual([409, 'refused']);
  const made = await ruth.post(`/documents/${id}/unlocked/rendered/draft`, { version: 0 });
  const draft = (await ruth.get(`/documents/${made.body.id}`)).body;
  expect(draft).toMatchObject({
    title: 'Lease: 12 Harbour Street',
    status: 'draft',
    recipients: [],
    restricted_kind: null,
  });
  expect(draft.file.pages).toEqual([[612, 792]]);

  await app.db.query({ name: '', text: "update documents set restricted_kind = 'tax' where id = $1", values: [id] });
  expect(refusal(await ruth.post(`/documents/${id}/unlocked/rendered/draft`, { version: 0 }))).toEqual([
    404,
    'not_found',
  ]);
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  const { body } = await admin.post(`/documents/${id}/unlocked/rendered/draft`, { version: 0 });
  expect((await admin.get(`/documents/${body.id}`)).body.restricted_kind).toBe('tax');
  expect((await ruth.get(`/documents/${body.id}`)).status).toBe(404);
  await expectHeld();
});

test('a draft is created once, however often the request for it is sent', async () => {
  const id = await unlockedDraft(app, company);
  await render(id);
  const make = (last: number) =>
    ruth.post(`/documents/${id}/unlocked/rendered/draft`, {
      version: 0,
      request_id: `0190a1b2-0000-4000-8000-00000000000${last}`,
    });
  const [first, again, other] = await Promise.all([make(1), make(1), make(2)]);
  expect([first, again, other].map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(again.body.id).toBe(first.body.id);
  expect(other.body.id).not.toBe(first.body.id);
  await expectHeld();
});

test('what is in review is changed by owners and admins alone', async () => {
  const id = await unlockedDraft(app, company);
  await render(id);
  await app.db.query({ name: '', text: "update documents set status = 'in_review' where id = $1", values: [id] });
  expect(refusal(await ruth.post(`/documents/${id}/unlocked/rendered/use`, { version: 0 }))).toEqual([
    403,
    'forbidden',
  ]);
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  expect((await admin.post(`/documents/${id}/unlocked/rendered/use`, { version: 0 })).status).toBe(200);
});

test('whatever is done to a text at once, everything is answered and nothing held twice or not at all', async () => {
  const id = await unlockedDraft(app, company);
  await render(id);
  for (let round = 0; round < 12; round += 1) {
    const [{ version, base }, { rendered }] = await Promise.all([
      ruth.get(`/documents/${id}/unlocked/pages/1`).then(({ body }) => body),
      view(id),
    ]);
    const pages = [{ page: 1, version, base, blocks: [paragraph(`Round ${round}`)] }];
    const answers = await Promise.all([
      ruth.post(`/documents/${id}/unlocked`, { pages }),
      ruth.post(`/documents/${id}/unlocked/rendered/use`, { version: rendered.version }),
      ruth.post(`/documents/${id}/unlock`, { pages: 1 }),
      ruth.post(`/documents/${id}/unlocked/rendered/draft`, { version: rendered.version }),
      render(id),
    ]);
    for (const { status, text } of answers) expect([status < 500, text]).toEqual([true, text]);
  }
  await expectHeld();
});
