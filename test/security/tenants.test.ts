import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { type Answer, call, startTestService, type TestService } from '../support/service.ts';
import { consoleRequests, idsInBodies, pathOf, type RequestLine, sendLine } from './console-requests.ts';
import { settledSnapshot, snapshotOf } from './snapshot.ts';
import { createTenant, type Tenant } from './tenant.ts';

/** Two companies with one of everything, each owner with the other's ids. */
let app: TestService;
let own: Tenant;
let other: Tenant;
let before: Record<string, string>;

beforeAll(async () => {
  app = await startTestService();
  [own, other] = await Promise.all([createTenant(app, 'aardvark'), createTenant(app, 'zebra')]);
  before = await settledSnapshot(app);
});
afterAll(() => app.stop());

/** Operators see every company: test/operator has what others get. */
const withParams = consoleEndpoints.filter(({ path, access }) => path.includes(':') && access !== 'operator');
const lines = withParams.map(({ method, path }) => ({ name: `${method} ${path}`, method, path }));

function expectNothingOf(tenant: Tenant, { text }: Answer, where: string): void {
  expect(text.toLowerCase(), where).not.toContain(tenant.word);
  for (const [name, id] of Object.entries(tenant.ids)) expect(text.includes(id), `${where}: ${name}`).toBe(false);
}

function lineOf(name: string): RequestLine {
  const line = consoleRequests[name];
  if (line === undefined) throw new Error(`${name} needs a line in console-requests.ts`);
  return line;
}

test('there is a line for every endpoint whose path names something', () => {
  expect(Object.keys(consoleRequests).toSorted()).toEqual(lines.map(({ name }) => name).toSorted());
  for (const [name, id] of Object.entries({ ...own.ids, ...other.ids })) expect(id, name).toMatch(/^[0-9a-f-]{36}$/);
});

describe("the console finds nothing by another company's id", () => {
  test.each(lines)('$name', async ({ name, method, path }) => {
    const line = lineOf(name);
    const params = [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => param).filter((param) => param !== 'page');
    const foreign = [params, ...(params.length > 1 ? params.map((param) => [param]) : [])];
    for (const those of foreign) {
      const target = pathOf(path, line, (param) => (those.includes(param) ? other : own).ids);
      const answer = await sendLine(own.owner, method, target, line, other.ids);
      expect([answer.status, answer.body?.error?.code], target).toEqual([404, 'not_found']);
      expectNothingOf(other, answer, target);
    }
    expect(await snapshotOf(app)).toEqual(before);
  });

  test.each(Object.keys(idsInBodies))('%s', async (name) => {
    const [method = '', path = ''] = name.split(' ');
    const answer = await own.owner.call(method, path, idsInBodies[name]?.(other.ids));
    expect([answer.status, answer.body?.error?.code]).toEqual([404, 'not_found']);
    expect(await snapshotOf(app)).toEqual(before);
  });

  test('nor takes a recipient of it over into a document', async () => {
    const recipients = [{ id: other.ids.preparedRecipient, name: 'Ada', email: 'ada@example.com' }];
    const answer = await own.owner.post(`/documents/${own.ids.edited}`, { version: 1, title: 'Taken', recipients });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expectNothingOf(other, answer, 'edit');
    expect(await snapshotOf(app)).toEqual(before);
  });
});

test('no list, search or count of the console shows anything of another company', async () => {
  const lists = consoleEndpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  for (const { path } of lists) {
    for (const query of ['', `?q=${other.word}`, '?limit=100']) {
      const answer = await own.owner.get(path + query);
      expect(answer.status, path + query).toBeLessThan(500);
      expectNothingOf(other, answer, path + query);
    }
  }
  for (const path of ['/documents', '/templates'])
    expect((await other.owner.get(`${path}?q=${other.word}`)).text, path).toContain(other.word);
});

describe("the API finds nothing by another company's id", () => {
  test.each([
    ['GET', '/documents/:id', 'sealed'],
    ['GET', '/documents/:id/recipients', 'sealed'],
    ['GET', '/documents/:id/download', 'sealed'],
    ['POST', '/documents/:id/send', 'toSend'],
    ['GET', '/imports/:id', 'import'],
    ['GET', '/imports/:id/items', 'import'],
  ] as const)('%s %s', async (method, path, name) => {
    const target = path.replace(':id', other.ids[name]);
    const answer = await call(app, method, target, { key: own.company.key });
    const code = path.startsWith('/imports') ? 'import_not_found' : 'document_not_found';
    expect([answer.status, answer.body.error.code]).toEqual([404, code]);
    expectNothingOf(other, answer, target);
    expect(await snapshotOf(app)).toEqual(before);
    const control = await call(app, method, path.replace(':id', own.ids[name]), { key: own.company.key });
    expect(control.status, control.text).toBe(200);
    before = await settledSnapshot(app);
  });

  test('in no list', async () => {
    for (const path of ['/account', '/documents?limit=100', '/imports?limit=100']) {
      const answer = await call(app, 'GET', path, { key: own.company.key });
      expect(answer.status).toBe(200);
      expectNothingOf(other, answer, path);
    }
  });
});

describe('the same requests by its own owner find it', () => {
  const names = Object.keys(consoleRequests);
  const inOrder = lines.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  test.each(inOrder)('$name', async ({ name, method, path }) => {
    const line = lineOf(name);
    const answer = await sendLine(
      other.owner,
      method,
      pathOf(path, line, () => other.ids),
      line,
      other.ids,
    );
    const isTextChange = name === 'POST /documents/:id/unlocked';
    // Another text than the stored one, because the base of the line is made up.
    if (!isTextChange) expect([400, 404], answer.text).not.toContain(answer.status);
    expect(answer.status).toBeLessThan(500);
  });
});
