import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startAwakeTime } from '../support/awake-time.ts';
import { type Company, call, createCompany } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { execute, type FaultyService, hideTable, startFaultyService } from './faulty-service.ts';

const awake = startAwakeTime();
let app: FaultyService;
let company: Company;

beforeAll(async () => {
  app = await startFaultyService({}, true);
  company = await createCompany(app);
});
afterEach(async () => {
  await app.proxy.restore();
  expect((await call(app, 'GET', '/account', { key: company.key })).status).toBe(200);
});
afterAll(async () => {
  awake.stop();
  await app.stop();
});

const askAccount = () => call(app, 'GET', '/account', { key: company.key });

describe('key_lookup_failed', () => {
  test('the connection breaks under the look-up', async () => {
    app.proxy.cutBefore('admit_keys');
    expectFailure(await askAccount(), 'key_lookup_failed', company.key);
  });

  test('the answer to the look-up is lost', async () => {
    app.proxy.cutAfter('admit_keys');
    expectFailure(await askAccount(), 'key_lookup_failed', company.key);
  });

  test('the keys cannot be read, on any endpoint', async () => {
    const bringBack = await hideTable(app, 'api_keys');
    const id = '018f0000-0000-7000-8000-000000000000';
    for (const [method, path] of [
      ['GET', '/account'],
      ['GET', '/documents'],
      ['POST', '/documents'],
      ['GET', `/documents/${id}`],
      ['POST', `/documents/${id}/send`],
      ['GET', `/documents/${id}/recipients`],
      ['GET', '/imports'],
      ['GET', '/nowhere'],
    ] as const) {
      const answer = await call(app, method, path, { key: company.key });
      expectFailure(answer, 'key_lookup_failed', company.key);
      expect(answer.headers.has('x-ratelimit-limit-burst')).toBe(false);
    }
    await bringBack();
  });

  test('a key that cannot be one of ours is refused without the database', async () => {
    app.proxy.away('cut');
    app.proxy.away('frozen');
    expect((await call(app, 'GET', '/account', { key: `${company.key}x` })).body.error.code).toBe('invalid_api_key');
    expect((await call(app, 'GET', '/account')).body.error.code).toBe('missing_authorization');
  });
});

describe('tenant_resolution_failed', () => {
  test('the company is of a plan this server does not know', async () => {
    await execute(app, `update accounts set tier = 'platinum' where id = $1`, [company.id]);
    expectFailure(await askAccount(), 'tenant_resolution_failed', company.id, 'platinum');
    await execute(app, `update accounts set tier = 'enterprise' where id = $1`, [company.id]);
  });

  test('the company has no budget to count on', async () => {
    await execute(app, 'delete from rate_usage where account_id = $1', [company.id]);
    expectFailure(await askAccount(), 'tenant_resolution_failed', company.id);
    await execute(app, 'insert into rate_usage (account_id) values ($1)', [company.id]);
  });

  test('the key can be read, the companies cannot', async () => {
    const bringBack = await hideTable(app, 'accounts');
    expectFailure(await askAccount(), 'tenant_resolution_failed', company.id);
    await bringBack();
  });

  test('the companies are locked: answered within 5 s, also with 100 requests waiting', async () => {
    await app.db.transaction(async (tx) => {
      await tx.query({ name: '', text: 'lock table accounts in access exclusive mode', values: [] });
      expectFailure(await askAccount(), 'tenant_resolution_failed', company.id);
      const began = awake.ms();
      const answers = await Promise.all(Array.from({ length: 100 }, askAccount));
      expect(awake.ms() - began).toBeLessThan(5000);
      // Some may not even have been looked up when their time is over.
      for (const answer of answers) {
        const late = answer.body.error.code === 'key_lookup_failed';
        expectFailure(answer, late ? 'key_lookup_failed' : 'tenant_resolution_failed', company.id);
      }
    });
  });
});

test('requests that gave up waiting for the database spend nothing when it goes on', async () => {
  const { id, key } = await createCompany(app);
  const askOwn = () => call(app, 'GET', '/account', { key });
  const used = async () => {
    const text = 'select day_used as used from rate_usage where account_id = $1';
    const [row] = await app.db.query<{ used: number }>({ name: '', text, values: [id] });
    return row?.used;
  };
  expect((await askOwn()).status).toBe(200);
  await app.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'lock table accounts in access exclusive mode', values: [] });
    const answers = await Promise.all(Array.from({ length: 100 }, askOwn));
    expect(answers.filter(({ status }) => status === 200)).toEqual([]);
  });
  // This is answered after the statements of the requests that gave up.
  expect((await askOwn()).status).toBe(200);
  await expect.poll(used).toBe(2);
});

test('a request that could not be admitted spends nothing', async () => {
  const left = async () => Number((await askAccount()).headers.get('x-ratelimit-remaining-daily'));
  const before = await left();
  app.proxy.cutBefore('admit_keys');
  await askAccount();
  expect(await left()).toBe(before - 1);
});
