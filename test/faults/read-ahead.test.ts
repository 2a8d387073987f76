import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import { scopes } from '../../src/keys/scopes.ts';
import { type Company, call, createCompany, createDraft } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { execute, type FaultyService, hideTable, startFaultyService } from './faulty-service.ts';

/** The read of a request that comes alone is sent along with the check of its key, once the key is known. */
let app: FaultyService;
let company: Company;
let id: string;

beforeAll(async () => {
  app = await startFaultyService({}, true);
  company = await createCompany(app);
  id = await createDraft(app, company.key);
});
afterEach(async () => {
  await app.proxy.restore();
  expect((await read()).body.id).toBe(id);
});
afterAll(() => app.stop());

const read = (key = company.key, path = `/documents/${id}`) => call(app, 'GET', path, { key });
const spent = async () => Number((await read()).headers.get('x-ratelimit-remaining-daily'));

describe('what was read ahead is not shown', () => {
  test('to a key that was revoked', async () => {
    const { id: keyId, key } = await company.keyWith([...scopes]);
    for (let i = 0; i < 3; i++) expect((await read(key)).status).toBe(200);
    await app.db.transaction((tx) => revokeKey(app.world, tx, keyId, null));
    const answer = await read(key);
    expect(answer.body.error.code).toBe('invalid_api_key');
    expect(JSON.stringify(answer.body)).not.toContain(id);
  });

  test('to a key without the scope', async () => {
    const { key } = await company.keyWith(['imports:read']);
    for (let i = 0; i < 3; i++) expect((await read(key)).body.error.code).toBe('insufficient_scope');
  });

  test('beyond the budget, and one request takes one unit', async () => {
    const before = await spent();
    for (let i = 0; i < 5; i++) await read();
    expect(before - (await spent())).toBe(6);

    const free = await createCompany(app, 'starter');
    const own = await createDraft(app, free.key);
    const answers = [];
    for (let i = 0; i < 60; i++) answers.push(await read(free.key, `/documents/${own}`));
    expect(answers.map(({ status }) => status)).toEqual([...Array(59).fill(200), 429]);
  });
});

test('a read that fails is repeated after the check', async () => {
  await read();
  const held = app.proxy.hold('find_visible_document');
  const answer = read();
  await held.reached;
  const bringBack = await hideTable(app, 'documents');
  held.release();
  expectFailure(await answer, 'document_unavailable', id);
  await bringBack();
});

test('a connection that breaks under both fails the check, and the next request has another', async () => {
  await read();
  app.proxy.cutBefore('find_visible_document');
  expectFailure(await read(), 'key_lookup_failed', company.key);
  expect((await read()).status).toBe(200);
});

test('reads that hang do not keep other requests from being admitted', async () => {
  await read();
  await app.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'lock table documents in access exclusive mode', values: [] });
    const hanging = Array.from({ length: 8 }, () => read());
    await expect.poll(() => read(company.key, '/account').then(({ status }) => status)).toBe(200);
    for (const answer of await Promise.all(hanging)) expectFailure(answer, 'document_unavailable', id);
  });
});

test('an id of another company, a template and what is no id are not found', async () => {
  const other = await createCompany(app);
  const foreign = await createDraft(app, other.key);
  await execute(app, 'update documents set is_template = true where id = $1', [foreign]);
  for (const [key, path] of [
    [company.key, `/documents/${foreign}`],
    [other.key, `/documents/${foreign}`],
    [company.key, '/documents/nobody'],
  ] as const) {
    for (let i = 0; i < 2; i++) expect((await read(key, path)).body.error.code).toBe('document_not_found');
  }
});
