import { afterAll, beforeAll, expect, test } from 'vitest';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import { fill, finished } from '../esign/migrate.ts';
import { connectCompany } from '../esign/vendor/connect-company.ts';
import { startVendor, type Vendor } from '../esign/vendor/vendor.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { importLinks } from '../imports/import-service.ts';
import { type StoreDouble, startStoreDouble } from '../imports/store-double.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Imports as members see them, and vendor imports started by owners and admins. */
let app: TestService;
let store: StoreDouble;
let vendor: Vendor;
let company: Company;
let member: Visitor;
let admin: Visitor;

beforeAll(async () => {
  [store, vendor] = await Promise.all([startStoreDouble(), startVendor()]);
  const env = { ...vendor.env, IMPORTS_ALLOW_PRIVATE: 'true', CLOUD_FILES_HOSTS: store.host };
  app = await startTestService({ env });
  company = await createCompany(app, 'pro');
  member = await signedIn(app, await addMember(app, company.id, 'member'));
  admin = await signedIn(app, await addMember(app, company.id, 'admin', 'grace@example.com'));
});
afterAll(async () => {
  await app.stop();
  await Promise.all([store.stop(), vendor.stop()]);
});

/** Creates an import with this many PDFs and this many other files. */
async function importSome(landing = 1, failing = 1): Promise<string> {
  const links = Array.from({ length: landing }, (_, index) => store.share(`plan ${index}.pdf`, aPdf()));
  for (let index = 0; index < failing; index++) links.push(store.share('notes.txt', Buffer.from('hello')));
  const { body } = await importLinks(app, company, links);
  return body.id;
}

const itemsOf = async (visitor: Visitor, id: string, query = '') =>
  (await visitor.get(`/imports/${id}/items${query}`)).body.data;

test('an import is shown with its counts, and with the key that started it', async () => {
  await app.db.query({
    name: '',
    text: "update api_keys set name = 'Nightly' where account_id = $1",
    values: [company.id],
  });
  const id = await importSome(2);
  const { status, body } = await member.get(`/imports/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id, source: 'cloud_files', status: 'finished', total_files: 3, filed: 2, failed: 1 });
  expect(body.started_by).toEqual({ kind: 'key', name: 'Nightly' });
  expect((await member.get('/imports')).body.data[0]).toEqual(body);
});

test('its items come in their order with what became of each, all or those that did not land', async () => {
  const id = await importSome(2);
  const items = await itemsOf(member, id);
  expect(items.map(({ index, status, reason }: Record<string, unknown>) => [index, status, reason])).toEqual([
    [0, 'filed', null],
    [1, 'filed', null],
    [2, 'failed', 'unsupported_type'],
  ]);
  expect(items[0]).toMatchObject({
    name: 'plan 0.pdf',
    document_title: 'plan 0',
    duplicate: false,
    is_hidden: false,
    can_unlock: true,
  });
  expect((await member.get(`/documents/${items[0].document_id}`)).status).toBe(200);
  expect(await itemsOf(member, id, '?status=failed')).toEqual([items[2]]);
  expect(await itemsOf(member, id, '?status=filed')).toEqual([items[0], items[1]]);
  expect(await itemsOf(member, id, '?status=open')).toEqual([]);
  await member.post(`/documents/${items[0].document_id}/void`, { reason: 'Brought in by mistake' });
  expect((await itemsOf(member, id))[0]).toEqual({ ...items[0], can_unlock: false });
  expect(refusal(await member.get(`/imports/${id}/items?status=nothing`))).toEqual([400, 'invalid_input']);
});

const lists: [name: string, address: () => Promise<string>, limit: number][] = [
  ['imports', async () => '/imports', 2],
  ['items', async () => `/imports/${await importSome(4)}/items`, 2],
  ['items that did not land', async () => `/imports/${await importSome(1, 3)}/items?status=failed`, 2],
];

test.each(lists)('the list of %s is read to its end by cursor', async (_list, address, limit) => {
  await importSome();
  const path = await address();
  const join = path.includes('?') ? '&' : '?';
  const whole = (await member.get(`${path}${join}limit=100`)).body.data;
  const read: unknown[] = [];
  let cursor: string | null = '';
  do {
    const { body } = await member.get(`${path}${join}limit=${limit}${cursor && `&starting_after=${cursor}`}`);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    read.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor !== null);
  expect(read).toEqual(whole);
  expect(whole.length).toBeGreaterThan(limit);
});

test('a cursor of one list opens no other', async () => {
  const [one, other] = [await importSome(2), await importSome(2)];
  const { next_cursor } = (await member.get(`/imports/${one}/items?limit=1`)).body;
  for (const path of ['/imports', `/imports/${other}/items`, `/imports/${one}/items?status=failed`]) {
    const join = path.includes('?') ? '&' : '?';
    expect(refusal(await member.get(`${path}${join}starting_after=${next_cursor}`))).toEqual([400, 'invalid_input']);
  }
});

test("a sensitive paper's file is named to owners and admins alone", async () => {
  const id = await importSome();
  const [item] = await itemsOf(admin, id);
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, item.document_id, 'all');
    if (document !== null) await restrictDocument(app.world, tx, document, 'operator', 'pay');
  });
  const [hidden] = await itemsOf(member, id);
  const nothing = { name: null, document_id: null, document_title: null, can_unlock: false };
  expect(hidden).toEqual({ ...item, ...nothing, is_hidden: true });
  expect(await itemsOf(admin, id)).toContainEqual(item);
});

test("another company's import is not found, nor what is no id", async () => {
  const id = await importSome();
  const stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
  for (const path of [`/imports/${id}`, `/imports/${id}/items`, '/imports/nothing', '/imports/nothing/items']) {
    expect(refusal(await stranger.get(path))).toEqual([404, 'not_found']);
  }
  expect((await stranger.get('/imports')).body.data).toEqual([]);
});

test('an admin starts a migration, one at a time, and its documents are made in their name', async () => {
  expect(refusal(await admin.post('/imports'))).toEqual([409, 'esign_not_connected']);
  await connectCompany(app, company.id);
  expect(refusal(await member.post('/imports'))).toEqual([403, 'forbidden']);
  for (const earliest of ['soon', '2024-02-31T00:00:00Z', '']) {
    expect(refusal(await admin.post('/imports', { earliest }))).toEqual([400, 'invalid_earliest']);
  }
  const [, , last] = fill(vendor.api, 3);
  const earliest = new Date(last?.completedAt ?? 0).toISOString();
  const answers = await Promise.all([1, 2, 3].map(() => admin.post('/imports', { earliest, unlock_doc: false })));
  const [started, ...refused] = answers.sort((a, b) => a.status - b.status);
  expect(started?.status).toBe(200);
  for (const answer of refused) expect(refusal(answer)).toEqual([409, 'import_already_running']);

  const { id } = started?.body ?? {};
  expect(await finished(app, company, id)).toMatchObject({ source: 'esign_vendor', total_files: 1, filed: 1 });
  const { body } = await member.get(`/imports/${id}`);
  expect(body).toMatchObject({ started_by: { kind: 'person', email: 'grace@example.com' } });
  const [item] = await itemsOf(member, id);
  expect(item).toMatchObject({ document_title: last?.subject, unlock: null });
  const timeline = await member.get(`/documents/${item.document_id}/timeline`);
  expect(timeline.text).toContain('grace@example.com');
  const audited = await app.db.query({
    name: '',
    text: `select p.email, e.detail from account_audit_entries e join people p on p.id = e.person_id
           where e.account_id = $1 and e.action = 'migration_started'`,
    values: [company.id],
  });
  const detail = { import_id: id, earliest, unlock_doc: false };
  expect(audited).toEqual([{ email: 'grace@example.com', detail }]);
});
