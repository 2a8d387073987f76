import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { operate } from '../api/operate.ts';
import { addMember, signedIn, type Visitor } from '../console/visitor.ts';
import { type Answer, call, startTestService, type TestService } from '../support/service.ts';
import { expectedAccess } from './console-access.ts';
import { consoleRequests, pathOf, type RequestLine, sendLine } from './console-requests.ts';
import { settledSnapshot, snapshotOf } from './snapshot.ts';
import { createTenant, type Tenant } from './tenant.ts';

/** A company whose documents are all restricted: API keys see none of them, and neither do members in the console. */
let app: TestService;
let tenant: Tenant;
let admin: Visitor;
let before: Record<string, string>;
/** An address of the sealed PDF, given out before the document was restricted. */
let download: string;
const documents = [
  'prepared',
  'edited',
  'toSend',
  'sent',
  'inPerson',
  'unlocked',
  'sealed',
  'template',
  'imported',
] as const;

beforeAll(async () => {
  app = await startTestService();
  tenant = await createTenant(app, 'zebra');
  admin = await signedIn(app, await addMember(app, tenant.company.id, 'admin'));
  await admin.post(`/documents/${tenant.ids.unlocked}/unlocked/rendered`);
  const given = await call(app, 'GET', `/documents/${tenant.ids.sealed}/download`, { key: tenant.company.key });
  download = given.body.url;
  expect((await fetch(download)).status).toBe(200);
  const rows = await app.db.query<{ id: string }>({
    name: '',
    text: 'select id from documents where account_id = $1 and restricted_kind is null',
    values: [tenant.company.id],
  });
  for (const { id } of rows)
    await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'pay'));
  before = await settledSnapshot(app);
});
afterAll(() => app.stop());

function expectHidden({ text }: Answer, where: string): void {
  expect(text.toLowerCase(), where).not.toContain(tenant.word);
  for (const name of documents) expect(text.includes(tenant.ids[name]), `${where}: ${name}`).toBe(false);
}

const lines = consoleEndpoints
  .filter(({ path }) => path.startsWith('/documents/:id') || path.startsWith('/templates/:id'))
  .map(({ method, path }) => ({ name: `${method} ${path}`, method, path }));

describe('a member of the company finds it by no endpoint of the console, and an admin does', () => {
  test.each(lines)('$name', async ({ name, method, path }) => {
    const line = consoleRequests[name] as RequestLine;
    const target = pathOf(path, line, () => tenant.ids);
    const answer = await sendLine(tenant.member, method, target, line, tenant.ids);
    const isForMembers = expectedAccess(method, path).allowed === 'member';
    expect([answer.status, answer.body?.error?.code]).toEqual(isForMembers ? [404, 'not_found'] : [403, 'forbidden']);
    expectHidden(answer, target);
    expect(await snapshotOf(app)).toEqual(before);
    if (method !== 'GET') return;
    const control = await admin.get(target);
    expect([200, 409], control.text).toContain(control.status);
  });
});

test('no list or search of the console shows it to a member', async () => {
  const lists = consoleEndpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  for (const { path, access } of lists) {
    // Every member adds cc lists to documents.
    if (path === '/credits' || path === '/cc-lists' || access === 'owner') continue;
    for (const query of ['', `?q=${tenant.word}`]) expectHidden(await tenant.member.get(path + query), path + query);
  }
  const { import: id } = tenant.ids;
  for (const path of [`/imports/${id}`, `/imports/${id}/items`, `/imports/${id}/items?status=filed`]) {
    const answer = await tenant.member.get(path);
    expect(answer.text, path).not.toContain(tenant.ids.imported);
    expect(answer.text, path).not.toContain(`${tenant.word} 1`);
  }
  expect((await admin.get(`/imports/${id}/items`)).text).toContain(tenant.ids.imported);
});

test('the entries of credits name no document that a member may not open', async () => {
  expectHidden(await tenant.member.get('/credits'), '/credits');
  expect((await admin.get('/credits')).text).toContain(tenant.ids.unlocked);
});

test('the API answers 404 for it everywhere, and shows it in no list', async () => {
  const { key } = tenant.company;
  for (const name of documents) {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/recipients'],
      ['GET', '/download'],
      ['POST', '/send'],
    ] as const) {
      const target = `/documents/${tenant.ids[name]}${path}`;
      const answer = await call(app, method, target, { key });
      expect([answer.status, answer.body.error.code], target).toEqual([404, 'document_not_found']);
    }
  }
  const items = `/imports/${tenant.ids.import}/items`;
  for (const path of ['/account', '/documents?limit=100', '/imports'])
    expectHidden(await call(app, 'GET', path, { key }), path);
  const { text } = await call(app, 'GET', items, { key });
  expect(text).not.toContain(`${tenant.word} 1`);
  expect(text).toContain(`${tenant.word} 2`);
  expect(await snapshotOf(app)).toEqual(before);
});

test('a download address that was given out before works no more', async () => {
  expect((await fetch(download)).status).toBe(404);
});
