import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { addMember, signedIn, type Visitor } from '../console/visitor.ts';
import { type Answer, call, startTestService, type TestService } from '../support/service.ts';
import { expectedAccess } from './console-access.ts';
import { consoleRequests, pathOf, type RequestLine, sendLine } from './console-requests.ts';
import { settledSnapshot, snapshotOf } from './snapshot.ts';
import { createTenant, type Tenant } from './tenant.ts';

/**
 * A company whose documents and templates are all in one folder. A member outside finds none of them, a viewer reads them and
 * changes none, and an editor does all that a member may.
 */
let app: TestService;
let tenant: Tenant;
let outsider: Visitor;
let viewer: Visitor;
let editor: Visitor;
let before: Record<string, string>;
/** Everything that a page, a list or a file of the company may show of its documents. */
let documents: string[];

beforeAll(async () => {
  app = await startTestService();
  tenant = await createTenant(app, 'zebra');
  outsider = tenant.member;
  const { owner, company } = tenant;
  const folder = (await owner.post('/folders', { name: 'Personnel', is_open: false })).body.id;
  const join = async (role: string) => {
    const member = await addMember(app, company.id, 'member');
    expect((await owner.post(`/folders/${folder}/members`, { member_id: member.id, role })).status).toBe(200);
    return signedIn(app, member);
  };
  viewer = await join('viewer');
  editor = await join('editor');
  await owner.post(`/documents/${tenant.ids.unlocked}/unlocked/rendered`);
  const rows = await app.db.query<{ id: string }>({
    name: '',
    text: 'select id from documents where account_id = $1',
    values: [company.id],
  });
  documents = rows.map(({ id }) => id);
  const moved = await owner.post('/documents/move', { ids: documents, folder });
  expect(moved.body, moved.text).toEqual({ moved: documents.length });
  before = await settledSnapshot(app);
});
afterAll(() => app.stop());

function expectHidden({ text }: Answer, where: string): void {
  expect(text.toLowerCase(), where).not.toContain(`${tenant.word} `);
  expect(text.toLowerCase(), where).not.toContain(`${tenant.word}.`);
  for (const id of documents) expect(text.includes(id), `${where}: ${id}`).toBe(false);
}

const lines = consoleEndpoints
  .filter(({ path }) => path.startsWith('/documents/:id') || path.startsWith('/templates/:id'))
  .map(({ method, path }) => ({ name: `${method} ${path}`, method, path }));

function send(visitor: Visitor, { name, method, path }: (typeof lines)[number]): Promise<Answer> {
  const line = consoleRequests[name] as RequestLine;
  return sendLine(
    visitor,
    method,
    pathOf(path, line, () => tenant.ids),
    line,
    tenant.ids,
  );
}

describe('a member outside the folder finds its documents by no endpoint', () => {
  test.each(lines)('$name', async (line) => {
    const answer = await send(outsider, line);
    const isForMembers = expectedAccess(line.method, line.path).allowed === 'member';
    expect([answer.status, answer.body?.error?.code]).toEqual(isForMembers ? [404, 'not_found'] : [403, 'forbidden']);
    expectHidden(answer, line.name);
    expect(await snapshotOf(app)).toEqual(before);
  });
});

describe('a viewer reads like an owner, and changes nothing', () => {
  test.each(lines)('$name', async (line) => {
    const answer = await send(viewer, line);
    if (line.method === 'GET') {
      expect(answer.status, answer.text).toBe((await send(tenant.owner, line)).status);
      expect([200, 409]).toContain(answer.status);
    } else {
      expect([answer.status, answer.body?.error?.code], answer.text).toEqual([403, 'forbidden']);
    }
    expect(await snapshotOf(app)).toEqual(before);
  });
});

const lists = consoleEndpoints.filter(
  // Cc lists are of no folder: every member adds them to documents.
  ({ method, path, access }) => method === 'GET' && !path.includes(':') && access === 'member' && path !== '/cc-lists',
);

test('no list, count, search or export shows them to a member outside', async () => {
  const { folder } = (await viewer.get(`/documents/${tenant.ids.prepared}`)).body;
  expect(folder).toMatch(/^[0-9a-f-]{36}$/);
  for (const { path } of lists) {
    for (const query of [
      '',
      `?q=${tenant.word}`,
      '?q=ada',
      `?folder=${folder}`,
      '?folder=none',
      '?sort=title',
      '?sort=changed',
    ]) {
      expectHidden(await outsider.get(path + query), path + query);
    }
  }
  expectHidden(await outsider.get(`/documents?folder=${folder}&status=sent,draft&sort=oldest`), 'statuses');
  expectHidden(await outsider.get(`/documents?sender=person:${tenant.ids.member}`), 'sender');
  expectHidden(await outsider.get('/folders'), '/folders');
  expect((await outsider.get('/folders')).body.data).toEqual([]);
  expect((await outsider.get('/documents/senders')).body.data).toEqual([]);
  for (const query of ['', `?folder=${folder}`, '?scheduled=yes']) {
    const counts = (await outsider.get(`/documents/counts${query}`)).body.statuses;
    for (const [status, count] of Object.entries(counts))
      expect([status, count]).toEqual([status, { count: 0, is_more: false }]);
  }
  const zip = await outsider.get(`/documents/zip?ids=${tenant.ids.sealed}`);
  expect([zip.status, zip.body?.error?.code]).toEqual([404, 'not_found']);
  const { import: id } = tenant.ids;
  for (const path of [`/imports/${id}`, `/imports/${id}/items`, `/imports/${id}/items?status=filed`]) {
    const { text } = await outsider.get(path);
    expect(text, path).not.toContain(tenant.ids.imported);
    expect(text, path).not.toContain(`${tenant.word} 1`);
  }
});

test('the same lists show them to a viewer', async () => {
  for (const path of [
    '/documents',
    '/templates',
    '/documents/export',
    '/documents?sort=title',
    '/documents?sort=changed',
    '/contacts?q=ada',
    '/credits',
    `/imports/${tenant.ids.import}/items`,
  ]) {
    const { text } = await viewer.get(path);
    expect(text.includes(tenant.word) || text.includes(tenant.ids.unlocked), path).toBe(true);
  }
  const { folder } = (await viewer.get(`/documents/${tenant.ids.prepared}`)).body;
  expect((await viewer.get(`/documents?folder=${folder}&q=${tenant.word}`)).body.data.length).toBeGreaterThan(3);
  expect((await viewer.get('/documents/counts')).body.statuses.draft.count).toBeGreaterThan(3);
  expect((await viewer.get('/documents/senders')).body.data.length).toBeGreaterThan(0);
  expect((await viewer.get(`/documents/zip?ids=${tenant.ids.sealed}`)).status).toBe(200);
  expect((await viewer.get('/folders')).body.data).toMatchObject([
    { name: 'Personnel', is_open: false, can_edit: false },
  ]);
});

test('only an editor moves them, or adds to the folder', async () => {
  const { folder } = (await viewer.get(`/documents/${tenant.ids.prepared}`)).body;
  const ids = [tenant.ids.prepared];
  for (const target of [null, folder]) {
    const tries = [outsider, viewer].map((visitor) => visitor.post('/documents/move', { ids, folder: target }));
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([404, 403]);
  }
  for (const path of ['/documents', '/templates']) {
    const body = { title: 'New', recipients: [{ name: 'Ada', email: 'ada@example.com' }], folder };
    const tries = [outsider, viewer].map((visitor) => visitor.post(path, body));
    expect(
      (await Promise.all(tries)).map(({ status }) => status),
      path,
    ).toEqual([404, 403]);
  }
  expect(await snapshotOf(app)).toEqual(before);
});

test('the API knows no folders', async () => {
  const { key } = tenant.company;
  const { body } = await call(app, 'GET', `/documents/${tenant.ids.prepared}`, { key });
  expect(body.id).toBe(tenant.ids.prepared);
  expect(body).not.toHaveProperty('folder');
  expect((await call(app, 'GET', '/documents?limit=100', { key })).text).toContain(tenant.ids.sent);
});

describe('an editor does all that a member may', () => {
  const names = Object.keys(consoleRequests);
  const inOrder = lines.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  test.each(inOrder)('$name', async (line) => {
    const answer = await send(editor, line);
    if (expectedAccess(line.method, line.path).allowed !== 'member') {
      expect([answer.status, answer.body?.error?.code]).toEqual([403, 'forbidden']);
    } else if (line.name !== 'POST /documents/:id/unlocked') {
      // The text of that line is made up, so its base is not found.
      expect([400, 403, 404], answer.text).not.toContain(answer.status);
    }
    expect(answer.status).toBeLessThan(500);
  });
});
