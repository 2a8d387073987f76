import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, aDraft, type Company, call, createCompany, createDraft } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { type FaultyService, failWrites, hideTable, onceFree, startFaultyService, written } from './faulty-service.ts';

let app: FaultyService;
let company: Company;
let keys = 0;

beforeAll(async () => {
  app = await startFaultyService();
  company = await createCompany(app);
});
afterEach(() => app.proxy.restore());
afterAll(() => app.stop());

/** Each write that takes a key, with its request and its normal status. */
const writes: Array<[string, number, () => Promise<(headers: Record<string, string>) => Promise<Answer>>]> = [
  [
    'POST /documents',
    201,
    async () => (headers) => call(app, 'POST', '/documents', { key: company.key, body: aDraft, headers }),
  ],
  [
    'POST /documents/{id}/send',
    200,
    async () => {
      const id = await createDraft(app, company.key);
      return (headers) => call(app, 'POST', `/documents/${id}/send`, { key: company.key, headers });
    },
  ],
];

describe.each(writes)('%s answers idempotency_store_failed and writes nothing', (_, status, prepare) => {
  async function expectRefused(fault: () => Promise<() => Promise<void>>): Promise<void> {
    const ask = await prepare();
    const headers = { 'idempotency-key': `store-${++keys}` };
    const before = await written(app);
    const mend = await fault();
    expectFailure(await ask(headers), 'idempotency_store_failed', company.key);
    await mend();
    expect(await written(app)).toEqual(before);

    const retried = await onceFree(() => ask(headers));
    expect(retried.status, retried.text).toBe(status);
    expect((await ask(headers)).text).toBe(retried.text);
  }
  const nothingToMend = async () => {};

  test('when the keys cannot be looked up', () => expectRefused(() => hideTable(app, 'idempotency_records')));

  test('when the key cannot be written', () => expectRefused(() => failWrites(app, 'idempotency_records', 'at once')));

  test.each(['begin', 'lock_idempotency_key', 'find_idempotency_record', 'remember_answer'])(
    'when the connection is lost before %s',
    (statement) =>
      expectRefused(async () => {
        app.proxy.cutBefore(statement);
        return nothingToMend;
      }),
  );

  test('when the answer is lost with which the key was written', () =>
    expectRefused(async () => {
      app.proxy.cutAfter('remember_answer');
      return nothingToMend;
    }));

  test('but a write without a key does not need the store', async () => {
    const ask = await prepare();
    const bringBack = await hideTable(app, 'idempotency_records');
    expect((await ask({})).status).toBe(status);
    await bringBack();
  });
});
