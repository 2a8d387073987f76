import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { aDraft, type Company, call, createCompany } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { type FaultyService, failWrites, onceFree, startFaultyService, written } from './faulty-service.ts';

let app: FaultyService;
let company: Company;
let keys = 0;

beforeAll(async () => {
  app = await startFaultyService();
  company = await createCompany(app);
});
afterEach(() => app.proxy.restore());
afterAll(() => app.stop());

const freshKey = () => `create-${++keys}`;
const create = (idempotencyKey?: string) =>
  call(app, 'POST', '/documents', {
    key: company.key,
    body: aDraft,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });

/** After the fault, the same key creates one document, and then returns the same one. */
async function expectOneDocument(idempotencyKey: string): Promise<void> {
  const first = await onceFree(() => create(idempotencyKey));
  expect(first.status, first.text).toBe(201);
  const before = await written(app);
  const second = await create(idempotencyKey);
  expect({ status: second.status, text: second.text }).toEqual({ status: 201, text: first.text });
  expect(await written(app)).toEqual(before);
}

async function documentCount(): Promise<number> {
  const [row] = await app.db.query<{ count: number }>({ name: '', text: 'select count(*) from documents', values: [] });
  return Number(row?.count);
}

describe('document_create_failed', () => {
  test.each([
    ['documents', 'at once'],
    ['recipients', 'at once'],
    ['audit_entries', 'at once'],
    ['documents', 'at commit'],
    ['recipients', 'at commit'],
  ] as const)('writing %s fails %s: nothing is written, with and without a key', async (table, when) => {
    const before = await written(app);
    const key = freshKey();
    const mend = await failWrites(app, table, when);
    expectFailure(await create(), 'document_create_failed', company.key, 'the disk under');
    expectFailure(await create(key), 'document_create_failed', company.key, 'the disk under');
    expect(await written(app)).toEqual(before);
    await mend();
    await expectOneDocument(key);
    expect((await create()).status).toBe(201);
  });

  test.each(['create_document', 'commit'])(
    'the connection is lost before %s: nothing is written',
    async (statement) => {
      const before = await written(app);
      const key = freshKey();
      app.proxy.cutBefore(statement);
      expectFailure(await create(key), 'document_create_failed');
      expect(await written(app)).toEqual(before);
      await expectOneDocument(key);
    },
  );

  test('the answer to the commit is lost: the same key finds the document that was written', async () => {
    const before = await documentCount();
    const key = freshKey();
    app.proxy.cutAfter('commit');
    expectFailure(await create(key), 'document_create_failed');
    expect(await documentCount()).toBe(before + 1);
    await expectOneDocument(key);
    expect(await documentCount()).toBe(before + 1);
  });

  test('the answer to the statement is lost inside the transaction: it is rolled back', async () => {
    const before = await documentCount();
    const key = freshKey();
    app.proxy.cutAfter('create_document');
    expectFailure(await create(key), 'document_create_failed');
    expect(await documentCount()).toBe(before);
    await expectOneDocument(key);
  });
});
