import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silenceMsMax } from '../../src/imports/upload/upload-lease.ts';
import { aPdf } from '../imports/a-pdf.ts';
import {
  type Answer,
  type Company,
  call,
  createCompany,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from './visitor.ts';

/** Imports of uploaded files, whatever is sent and however the upload ends. */
let app: TestService;
let company: Company;
let member: Member;
let ruth: Visitor;
const fileBytesMax = 150 * 2 ** 20;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  member = await addMember(app, company.id, 'member');
  ruth = await signedIn(app, member);
});
afterAll(() => app.stop());

interface Started {
  id: string;
  items: string[];
}

async function start(files: { name: string; bytes: number }[], visitor = ruth, unlock = false): Promise<Started> {
  const { status, body } = await visitor.post('/imports/uploads', { files, unlock_doc: unlock });
  expect(status).toBe(200);
  return body;
}

const wishOf = (files: Record<string, Uint8Array>) =>
  Object.entries(files).map(([name, bytes]) => ({ name, bytes: bytes.length }));
const pathOf = ({ id, items }: Started, index: number) => `/imports/${id}/items/${items[index]}/file`;
const send = (started: Started, index: number, bytes: Buffer, visitor = ruth): Promise<Answer> =>
  visitor.upload(pathOf(started, index), new Uint8Array(bytes));
const shown = async ({ id }: Started, { key } = company) => (await call(app, 'GET', `/imports/${id}`, { key })).body;
const itemsOf = async ({ id }: Started, { key } = company) =>
  (await call(app, 'GET', `/imports/${id}/items?limit=100`, { key })).body.data;
const silence = () => app.clock.advance({ seconds: silenceMsMax / 1000 + 1 });

test('files become drafts one by one, in an import that counts exactly and is seen by the API', async () => {
  const files = { 'Lease.pdf': aPdf({ pages: 2 }), 'Notes.txt': Buffer.from('Call the plumber.'), 'Plan.pdf': aPdf() };
  const started = await start(wishOf(files));
  expect(await shown(started)).toMatchObject({ source: 'upload', status: 'running', total_files: 3, remaining: 3 });
  const [lease, notes, plan] = Object.values(files) as [Buffer, Buffer, Buffer];
  expect((await send(started, 2, plan)).body).toEqual({ status: 'filed', reason: null, duplicate: false });
  expect(await shown(started)).toMatchObject({ status: 'running', filed: 1, failed: 0, remaining: 2 });
  expect((await send(started, 1, notes)).body).toMatchObject({ status: 'failed', reason: 'unsupported_type' });
  expect(await shown(started)).toMatchObject({ status: 'running', filed: 1, failed: 1, remaining: 1 });
  expect((await send(started, 0, lease)).body).toMatchObject({ status: 'filed' });
  expect(await shown(started)).toMatchObject({ status: 'finished', filed: 2, failed: 1, remaining: 0 });

  const items = await itemsOf(started);
  expect(
    items.map(({ index, name, pages }: { index: null; name: string; pages: number }) => [index, name, pages]),
  ).toEqual([
    [null, 'Lease.pdf', 2],
    [null, 'Notes.txt', null],
    [null, 'Plan.pdf', 1],
  ]);
  const { body: document } = await call(app, 'GET', `/documents/${items[0].document_id}`, { key: company.key });
  expect(document).toMatchObject({ title: 'Lease', type: 'other', status: 'draft', recipient_count: 0 });
  const { body: timeline } = await ruth.get(`/documents/${document.id}/timeline`);
  expect(timeline.data.map(({ action }: { action: string }) => action)).toEqual(['attached', 'created']);
  const { body: list } = await ruth.get('/imports');
  expect(list.data[0].started_by).toMatchObject({ kind: 'person' });
});

test('hostile names are cleaned, and two of the same name are two files', async () => {
  const names = [
    '\u202efdp.exe',
    'a\u0000b\ud800.pdf',
    '../../etc/passwd',
    ' \u200b ',
    '𝒜'.repeat(400),
    'x.pdf',
    'x.pdf',
  ];
  const pdfs = names.map(() => aPdf());
  const started = await start(names.map((name, index) => ({ name, bytes: pdfs[index]?.length ?? 0 })));
  for (const [index, pdf] of pdfs.entries()) {
    expect((await send(started, index, pdf)).body).toMatchObject({ status: 'filed', duplicate: false });
  }
  const items = await itemsOf(started);
  expect(items.map(({ name }: { name: string | null }) => name)).toEqual([
    'fdp.exe',
    'a b .pdf',
    '../../etc/passwd',
    null,
    '𝒜'.repeat(400),
    'x.pdf',
    'x.pdf',
  ]);
  expect(new Set(items.map((item: { document_id: string }) => item.document_id)).size).toBe(names.length);
});

test('the same file twice at once is one document, stored and charged once', async () => {
  const own = await createCompany(app);
  const visitor = await signedIn(app, await addMember(app, own.id, 'member'));
  const pdf = aPdf({ bytes: 200_000 });
  const files = [
    { name: 'One.pdf', bytes: pdf.length },
    { name: 'Other.pdf', bytes: pdf.length },
  ];
  const [first, second] = await Promise.all([start(files, visitor), start(files, visitor)]);
  const answers = await Promise.all(
    [first, second].flatMap((started) => [0, 1].map((index) => send(started, index, pdf, visitor))),
  );
  expect(answers.map(({ body }) => body.status)).toEqual(Array(4).fill('filed'));
  expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
  const items = [...(await itemsOf(first, own)), ...(await itemsOf(second, own))];
  expect(new Set(items.map(({ document_id }: { document_id: string }) => document_id)).size).toBe(1);
  const { body: usage } = await visitor.get('/usage');
  expect(usage.used).toMatchObject({
    import_files_today: 4,
    import_bytes_this_month: pdf.length,
    import_bytes_reserved: 0,
  });
});

test('what is empty, no PDF at all or a PDF that does not open fails by itself', async () => {
  const files = {
    'Empty.pdf': Buffer.alloc(0),
    'Page.pdf': Buffer.from('<!doctype html><p>'),
    'Cut.pdf': Buffer.from('%PDF-1.7\n'),
  };
  const started = await start(wishOf(files));
  const reasons = [];
  for (const [index, bytes] of Object.values(files).entries()) {
    reasons.push((await send(started, index, bytes)).body.reason);
  }
  expect(reasons).toEqual(['unsupported_type', 'unsupported_type', 'invalid_pdf']);
});

test('a byte too many is too_large: by what is said, by what is declared, and by what comes', async () => {
  const started = await start([
    { name: 'Said.pdf', bytes: fileBytesMax + 1 },
    { name: 'Declared.pdf', bytes: 10 },
    { name: 'Comes.pdf', bytes: 10 },
  ]);
  expect((await itemsOf(started))[0]).toMatchObject({ status: 'failed', reason: 'too_large' });
  const declared = await sendRaw(started, 1, { 'content-length': String(fileBytesMax + 1) }, null);
  expect(declared).toMatchObject({ status: 'failed', reason: 'too_large' });
  const comes = await sendRaw(started, 2, {}, fileBytesMax + 1);
  expect(comes).toMatchObject({ status: 'failed', reason: 'too_large' });
  expect(await shown(started)).toMatchObject({ status: 'finished', failed: 3 });
});

test('no file, too many and what is none are refused; a thousand are not', async () => {
  const filesOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `${index}.pdf`, bytes: 1000 }));
  for (const files of [[], filesOf(1001), [{ name: 'x' }], [{ name: 'x', bytes: -1 }], [{ name: 'x', bytes: 1.5 }]]) {
    expect(refusal(await ruth.post('/imports/uploads', { files, unlock_doc: false }))).toEqual([400, 'invalid_input']);
  }
  const started = await start(filesOf(1000));
  expect(await shown(started)).toMatchObject({ status: 'running', total_files: 1000, remaining: 1000 });
  await ruth.post(`/imports/${started.id}/cancel`, {});
  expect(await shown(started)).toMatchObject({ status: 'finished', failed: 1000, remaining: 0 });
});

test('the plan bounds files and storage, before anything is sent', async () => {
  const free = await createCompany(app, 'starter');
  const poor = await signedIn(app, await addMember(app, free.id, 'owner'));
  const bodyOf = (count: number, bytes: number) => ({
    files: Array.from({ length: count }, () => ({ name: 'x.pdf', bytes })),
    unlock_doc: false,
  });
  expect(refusal(await poor.post('/imports/uploads', bodyOf(1, 10)))).toEqual([403, 'plan_required']);
  const pro = await createCompany(app, 'pro');
  const visitor = await signedIn(app, await addMember(app, pro.id, 'member'));
  expect(refusal(await visitor.post('/imports/uploads', bodyOf(201, 10)))).toEqual([403, 'import_quota_exceeded']);
  expect(refusal(await visitor.post('/imports/uploads', bodyOf(36, fileBytesMax)))).toEqual([
    403,
    'import_quota_exceeded',
  ]);
  const held = await visitor.post('/imports/uploads', bodyOf(34, fileBytesMax));
  expect(held.status).toBe(200);
  // More arrives than was declared. There is no room for the rest.
  const small = await start([{ name: 'Small.pdf', bytes: 10 }], visitor);
  const answer = await visitor.upload(pathOf(small, 0), new Uint8Array(aPdf({ bytes: 60_000_000 })));
  expect(refusal(answer)).toEqual([403, 'import_quota_exceeded']);
  await visitor.post(`/imports/${held.body.id}/cancel`, {});
  expect((await visitor.get('/usage')).body.used.import_bytes_reserved).toBe(10);
});

test('one is cancelled, or all that are not in; what was cut off can be sent again, and nothing else', async () => {
  const pdfs = [aPdf(), aPdf(), aPdf()];
  const started = await start(pdfs.map((pdf, index) => ({ name: `${index}.pdf`, bytes: pdf.length })));
  await ruth.post(`/imports/${started.id}/cancel`, { items: [started.items[1]] });
  expect(await shown(started)).toMatchObject({ status: 'running', failed: 1, remaining: 2 });
  await send(started, 0, pdfs[0] as Buffer);
  await ruth.post(`/imports/${started.id}/cancel`, {});
  expect(await shown(started)).toMatchObject({ status: 'finished', filed: 1, failed: 2 });
  expect((await itemsOf(started)).map(({ reason }: { reason: string }) => reason)).toEqual([
    null,
    'interrupted',
    'interrupted',
  ]);

  expect((await send(started, 1, pdfs[1] as Buffer)).body).toMatchObject({ status: 'filed' });
  expect(await shown(started)).toMatchObject({ status: 'finished', filed: 2, failed: 1 });
  expect((await send(started, 1, aPdf())).body).toMatchObject({ status: 'filed' });
  app.clock.advance({ hours: 25 });
  ruth = await signedIn(app, member);
  expect((await send(started, 2, pdfs[2] as Buffer)).body).toMatchObject({ status: 'failed', reason: 'interrupted' });
  expect(await shown(started)).toMatchObject({ status: 'finished', filed: 2, failed: 1 });
});

test('a browser that goes away in the middle leaves nothing running, and may come back', async () => {
  const [first, second] = [aPdf(), aPdf({ bytes: 300_000 })];
  const started = await start([
    { name: 'First.pdf', bytes: first.length },
    { name: 'Second.pdf', bytes: second.length },
  ]);
  await send(started, 0, first);
  const broken = httpRequest(new URL(`/console/api${pathOf(started, 1)}`, app.baseUrl), {
    method: 'POST',
    headers: { ...headersOf(ruth), 'content-length': String(second.length) },
  }).on('error', () => {});
  broken.write(second.subarray(0, 5000));
  await eventually(
    () => itemsOf(started),
    ([, item]) => item.status === 'running',
  );
  broken.destroy();
  expect(await shown(started)).toMatchObject({ status: 'running', remaining: 1 });
  silence();
  const over = await eventually(
    () => shown(started),
    ({ status }) => status === 'finished',
  );
  expect(over).toMatchObject({ filed: 1, failed: 1 });
  expect((await itemsOf(started))[1]).toMatchObject({ status: 'failed', reason: 'interrupted' });
  expect((await ruth.get('/usage')).body.used.import_bytes_reserved).toBe(0);
  await eventually(
    async () => readdirSync(join(app.dataDir, 'incoming')),
    (names) => names.length === 0,
  );

  const again = await eventually(
    () => send(started, 1, second),
    ({ status }) => status === 200,
  );
  expect(again.body).toMatchObject({ status: 'filed' });
  expect(await shown(started)).toMatchObject({ status: 'finished', filed: 2, failed: 0 });
});

test('one file sent twice at once is filed once, and counted once', async () => {
  const pdf = aPdf({ bytes: 200_000 });
  const started = await start([{ name: 'Twice.pdf', bytes: pdf.length }]);
  const answers = await Promise.all([send(started, 0, pdf), send(started, 0, pdf), send(started, 0, pdf)]);
  expect(answers.map(({ status, body }) => [status, body.status])).toEqual(Array(3).fill([200, 'filed']));
  expect(await shown(started)).toMatchObject({ status: 'finished', total_files: 1, filed: 1, failed: 0 });
});

test('a company brings so many files at once, and the next waits for its turn', async () => {
  const pdf = aPdf({ bytes: 50_000 });
  const started = await start(Array.from({ length: 13 }, (_, index) => ({ name: `${index}.pdf`, bytes: pdf.length })));
  const held = Array.from({ length: 12 }, (_, index) =>
    httpRequest(new URL(`/console/api${pathOf(started, index)}`, app.baseUrl), {
      method: 'POST',
      headers: { ...headersOf(ruth), 'content-length': String(pdf.length) },
    }).on('error', () => {}),
  );
  for (const sending of held) sending.write(pdf.subarray(0, 2000));
  await eventually(
    () => itemsOf(started),
    (items) => items.filter(({ status }: { status: string }) => status === 'running').length === 12,
  );
  const turnedAway = await send(started, 12, pdf);
  expect(refusal(turnedAway)).toEqual([429, 'too_many_tries']);
  expect(Number(turnedAway.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const sending of held) sending.destroy();
  const answer = await eventually(
    () => send(started, 12, pdf),
    ({ status }) => status === 200,
  );
  expect(answer.body).toMatchObject({ status: 'filed' });
  await ruth.post(`/imports/${started.id}/cancel`, {});
  expect(await shown(started)).toMatchObject({ status: 'finished', filed: 1, failed: 12 });
});

test('nobody sends to, or cancels, what is not an upload of the own company', async () => {
  const pdf = aPdf();
  const started = await start([{ name: 'Own.pdf', bytes: pdf.length }]);
  const other = await createCompany(app);
  const stranger = await signedIn(app, await addMember(app, other.id, 'owner'));
  expect(refusal(await send(started, 0, pdf, stranger))).toEqual([404, 'not_found']);
  expect(refusal(await stranger.post(`/imports/${started.id}/cancel`, {}))).toEqual([404, 'not_found']);
  expect(refusal(await send({ ...started, items: [app.world.newId()] }, 0, pdf))).toEqual([404, 'not_found']);
  expect(refusal(await send({ ...started, id: 'nothing' }, 0, pdf))).toEqual([404, 'not_found']);
  expect(await shown(started)).toMatchObject({ status: 'running', remaining: 1 });
});

test('what is asked to be unlocked is, at a credit a page', async () => {
  const pdf = aPdf({ pages: 2 });
  const started = await start([{ name: 'Two.pdf', bytes: pdf.length }], ruth, true);
  await send(started, 0, pdf);
  const [item] = await eventually(
    () => itemsOf(started),
    ([one]) => one.unlock.status !== 'pending',
  );
  expect(item.unlock).toEqual({ status: 'unlocked', pages: 2, credits: 2, reason: null });
});

function headersOf(visitor: Visitor): Record<string, string> {
  const origin = new URL(app.baseUrl).origin;
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { cookie, origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/pdf' };
}

/** `bytes`: sent in chunks without a declared length; null: only the head of the request. Answers the outcome. */
async function sendRaw(
  started: Started,
  index: number,
  headers: Record<string, string>,
  bytes: number | null,
): Promise<{ status: string }> {
  const sending = httpRequest(new URL(`/console/api${pathOf(started, index)}`, app.baseUrl), {
    method: 'POST',
    headers: { ...headersOf(ruth), ...headers },
  }).on('error', () => {});
  const answered = new Promise<string>((resolve) => {
    sending.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.endsWith('}')) resolve(text);
      });
    });
  });
  const chunk = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1_000_000)]);
  for (let left = bytes ?? 10; left > 0; left -= chunk.length) {
    if (!sending.write(chunk.subarray(0, left))) await new Promise((resolve) => sending.once('drain', resolve));
  }
  if (bytes !== null) sending.end();
  const text = await answered;
  sending.destroy();
  return JSON.parse(text);
}
