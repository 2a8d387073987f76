import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { saveBrandSettings } from '../../src/branding/brand.ts';
import { eraseAccount, requestErasure } from '../../src/erasure/erase-account.ts';
import { erasePerson } from '../../src/erasure/erase-person.ts';
import { eraseFromBrands } from '../../src/erasure/erase-recipient.ts';
import { openLinkOf, signerOf } from '../signing/signer.ts';
import { sampleJpeg, samplePng } from '../support/sample-logo.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** The branding of a company, through the console, and what it changes on signing pages. */
let app: TestService;
let company: Company;
let admin: Visitor;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
});

const texts = expect.any(Array);
const plain = { version: 0, accent: '', sender_name: '', reply_to: '', always_reply_to: false, logo: null, texts };
const settings = {
  accent: '#FFD400',
  sender_name: ' Acme Roofing ',
  reply_to: 'office@acme.example',
  always_reply_to: true,
};
const save = (changes: object = {}, by = admin, version = 0) =>
  by.post('/branding', { version, ...settings, ...changes });
const upload = (file: Uint8Array<ArrayBuffer>, version: number | string = 0, by = admin) =>
  by.upload(`/branding/logo?version=${version}`, file);
const png = samplePng();

async function signingPage(path = ''): Promise<string> {
  const id = await createSent(app, company.key, { recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] });
  return (await (await openLinkOf(app, company, id, 'Ada Lovelace')).page(path)).text;
}

async function audited(): Promise<unknown[]> {
  const rows = await app.db.query<{ detail: unknown }>({
    name: '',
    text: `select detail from account_audit_entries where account_id = $1 and action = 'brand_changed' order by id`,
    values: [company.id],
  });
  return rows.map(({ detail }) => detail);
}

test('a brand is saved and read again, each change is counted and audited', async () => {
  expect((await admin.get('/branding')).body).toEqual(plain);
  const saved = { version: 1, ...settings, accent: '#ffd400', sender_name: 'Acme Roofing', logo: null, texts };
  expect((await save()).body).toEqual(saved);
  const { body } = await upload(png, 1);
  expect(body).toMatchObject({ version: 2, logo: { width: 120, height: 40 } });
  expect((await admin.get('/branding')).body).toEqual(body);
  expect((await admin.post('/branding/logo/remove', { version: 2 })).body).toEqual({ ...saved, version: 3 });
  const empty = { accent: '', sender_name: '', reply_to: '', always_reply_to: false };
  expect((await save(empty, admin, 3)).body).toEqual({ ...plain, version: 4 });
  expect(await audited()).toEqual([
    { changed: 'settings', accent: '#ffd400' },
    { changed: 'logo', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { changed: 'logo', sha256: null },
    { changed: 'settings', accent: null },
  ]);
});

test.each([
  ['accent', 'red'],
  ['accent', '#fff'],
  ['accent', '#12345g'],
  ['accent', '#123456;}body{display:none'],
  ['accent', 'x'.repeat(10_000)],
  ['sender_name', 'x'.repeat(61)],
  ['sender_name', 'Acme\r\nBcc: eve@example.com'],
  ['sender_name', 'Acme\u202Egro.knab'],
  ['sender_name', 'Bank <bank@example.com>'],
  ['sender_name', '"Acme'],
  ['sender_name', 'Ac\u0000me'],
  ['sender_name', '\u200d'],
  ['sender_name', '\u3164'],
  ['sender_name', '\u2800'],
  ['sender_name', 'ada＠example.com'],
  ['sender_name', '\ud800'],
  ['reply_to', 'nobody'],
  ['reply_to', 'a@b.example, c@d.example'],
  ['reply_to', 'a@b.example\r\nBcc: eve@example.com'],
  ['reply_to', `${'x'.repeat(250)}@b.example`],
  ['reply_to', ''],
])('refuses %s %j', async (param, value) => {
  const { status, body } = await save({ [param]: value });
  expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'invalid_input', param })]);
  expect((await admin.get('/branding')).body).toEqual(plain);
});

test('names in any script, and the longest one, are taken', async () => {
  let version = 0;
  for (const sender_name of ['شركة البناء', 'می‌خواهم', '👩‍🔧 Acme', '😀'.repeat(60), "O'Brien & Söhne, Ltd."]) {
    expect((await save({ sender_name }, admin, version++)).body.sender_name).toBe(sender_name);
  }
});

test.each<[string, Uint8Array<ArrayBuffer>, [number, string]]>([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), [409, 'invalid_logo']],
  ['HTML', Buffer.from('<script>alert(1)</script>'), [409, 'invalid_logo']],
  ['half a PNG', Buffer.from(png.subarray(0, 60)), [409, 'invalid_logo']],
  ['half a JPEG', Buffer.from(sampleJpeg.subarray(0, 300)), [409, 'invalid_logo']],
  ['a large file', Buffer.alloc(512 * 1024 + 1), [409, 'file_too_large']],
  ['an empty file', Buffer.alloc(0), [400, 'invalid_input']],
])('refuses %s as a logo', async (_name, file, expected) => {
  expect(refusal(await upload(file))).toEqual(expected);
  expect((await admin.get('/branding')).body).toEqual(plain);
});

test.each(['', 'x', '-1', '1e3', '99999999999999999999'])('refuses a logo for version %j', async (version) => {
  expect(refusal(await upload(png, version))).toEqual([400, 'invalid_input']);
});

test('a company uploads at most 60 logos in an hour', async () => {
  for (let n = 0; n < 60; n++) await upload(Buffer.from('x'));
  expect(refusal(await upload(png))).toEqual([429, 'too_many_tries']);
  const elsewhere = await createCompany(app);
  const other = await signedIn(app, await addMember(app, elsewhere.id, 'owner'));
  expect((await upload(png, 0, other)).status).toBe(200);
});

test('of two changes at once one is refused, and nothing of it is kept', async () => {
  const other = await signedIn(app, await addMember(app, company.id, 'owner'));
  const answers = await Promise.all([
    save({ accent: '#111111' }),
    save({ accent: '#222222' }, other),
    upload(png, 0),
    upload(sampleJpeg, 0, other),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  const winner = answers.find(({ status }) => status === 200);
  expect((await admin.get('/branding')).body).toEqual(winner?.body);
  expect(refusal(await save({}, admin, 0))).toEqual([409, 'changed_meanwhile']);
  expect(await audited()).toHaveLength(1);
});

test('only owners and admins of the company see and change its brand', async () => {
  await save();
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  expect(refusal(await member.get('/branding'))).toEqual([403, 'forbidden']);
  expect(refusal(await save({}, member, 1))).toEqual([403, 'forbidden']);
  const elsewhere = await createCompany(app);
  const stranger = await signedIn(app, await addMember(app, elsewhere.id, 'owner'));
  expect((await stranger.get('/branding')).body).toEqual(plain);
  expect((await save({ accent: '#000000' }, stranger)).status).toBe(200);
  expect((await admin.get('/branding')).body.accent).toBe('#ffd400');
});

test('signing pages show logo and colour of the moment, from our own origin, also for documents sent before', async () => {
  const before = await signingPage();
  expect(before).not.toContain('/brand/');
  await save();
  const { logo } = (await upload(png, 1)).body;
  for (const path of ['', '/form']) {
    const page = await signingPage(path);
    expect(page).toContain(`<img src="${logo.address}" width="120" height="40" alt="Acme Builders">`);
    expect(page).toMatch(/<link rel="stylesheet" href="\/brand\/accent\/ffd400\.[0-9a-f]{10}\.css">/);
  }
  const [stylesheet = ''] = /\/brand\/accent\/[^"]+/.exec(await signingPage()) ?? [];
  const [css, picture] = [await admin.page(stylesheet), await fetch(new URL(logo.address, app.baseUrl))];
  expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(css.text).toContain('--fill: var(--light, #ffd400)');
  expect(picture.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect(logo.address).toBe(`/brand/logo/${createHash('sha256').update(bytes).digest('hex')}.png`);
  for (const { headers } of [css, picture]) {
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
});

test.each([
  '/brand/logo/x.png',
  `/brand/logo/${'0'.repeat(64)}.png`,
  `/brand/logo/${'0'.repeat(64)}.svg`,
  `/brand/logo/${'0'.repeat(64)}.png%2F..`,
  '/brand/accent/red.css',
  '/brand/accent/ffd400.css',
  '/brand/accent/ffd4000.0123456789.css',
  '/brand/',
])('%s is not found', async (path) => {
  expect((await admin.page(path)).status).toBe(404);
});

test('the stylesheet of another version of the service is answered but not kept', async () => {
  const { status, headers } = await admin.page('/brand/accent/ffd400.0123456789.css');
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
});

test('the preview of a draft and the page of a reassigned link show the brand', async () => {
  await save();
  const { logo } = (await upload(sampleJpeg, 1)).body;
  const id = await createDraft(app, company.key, { recipients: [{ name: 'Ada', email: 'ada@example.com' }] });
  const [recipient] = (await admin.get(`/documents/${id}`)).body.recipients;
  const preview = await admin.page(`/console/api/documents/${id}/recipients/${recipient.id}/preview`);
  expect(preview.text).toContain(logo.address);
  await admin.post(`/documents/${id}/send`);
  const signer = await openLinkOf(app, company, id, 'Ada');
  await admin.post(`/documents/${id}/recipients/${recipient.id}/reassign`, {
    name: 'Grace',
    email: 'grace@example.com',
  });
  const page = await signer.page();
  expect([page.status, page.text.includes(logo.address)]).toEqual([404, true]);
  expect(page.text).toContain('/brand/accent/ffd400');
});

test('pages before a code is entered and pages of ended documents show the brand too', async () => {
  await save();
  const { logo } = (await upload(png, 1)).body;
  const locked = await signerOf(app, company);
  for (const path of ['', '/form']) {
    const page = await locked.signer.page(path);
    expect([page.text.includes('id="code"'), page.text.includes(logo.address)]).toEqual([true, true]);
  }
  const id = await createSent(app, company.key, { recipients: [{ name: 'Ada', email: 'ada@example.com' }] });
  const signer = await openLinkOf(app, company, id, 'Ada');
  await admin.post(`/documents/${id}/void`, { reason: 'No longer needed' });
  const ended = await signer.page();
  expect([ended.text.includes('data-state="voided"'), ended.text.includes(logo.address)]).toEqual([true, true]);
});

test('an erased company has no brand, and its logo is gone', async () => {
  await save();
  const { logo } = (await upload(samplePng({ rgba: [1, 2, 3, 255] }), 1)).body;
  await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
  await requestErasure(app.world, app.db, company.id);
  const { signal } = new AbortController();
  await eraseAccount({ world: app.world, db: app.db, accountId: company.id, stopping: signal });
  expect((await admin.page(logo.address)).status).toBe(404);
  const left = await app.db.query({
    name: '',
    text: 'select 1 from brands where account_id = $1',
    values: [company.id],
  });
  expect(left).toEqual([]);
});

test('a change that waited for the removal of its company adds nothing', async () => {
  const change = { accountId: company.id, personId: company.id, version: 0 };
  const settings = { accent: null, senderName: 'Late', replyTo: null, alwaysReplyTo: false };
  const late = await app.db.transaction(async (removing) => {
    const text = 'select from accounts where id = $1 for update';
    await removing.query({ name: '', text, values: [company.id] });
    const saving = app.db.transaction((tx) => saveBrandSettings(app.world, tx, change, settings));
    await removeAccount(app.world, removing, company.id);
    await sleep(200);
    return { saving };
  });
  expect(await late.saving).toBe(false);
});

test('the reply address goes with the person who has it', async () => {
  const brandOf = async () => (await admin.get('/branding')).body;
  const ruth = await addMember(app, company.id, 'member', 'ruth@example.com');
  expect((await save({ reply_to: 'Ruth@example.com' })).status).toBe(200);
  await app.db.transaction((tx) => erasePerson(app.world, tx, ruth.personId));
  expect(await brandOf()).toMatchObject({ version: 2, reply_to: '', always_reply_to: false, accent: '#ffd400' });

  const written = 'ida@bücher.example';
  expect((await save({ reply_to: written }, admin, 2)).status).toBe(200);
  const other = await createCompany(app);
  await eraseFromBrands(app.db, written, other.id);
  expect(await brandOf()).toMatchObject({ reply_to: written });
  await eraseFromBrands(app.db, 'IDA@xn--bcher-kva.example', company.id);
  expect(await brandOf()).toMatchObject({ reply_to: '' });
});
