import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPlan } from '../../src/accounts/manage-accounts.ts';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import {
  type Answer,
  aDraft,
  call,
  createCompany,
  createDraft,
  startTestService,
  TestClock,
  type TestService,
} from '../support/service.ts';
import { expectRefusal } from './refusal.ts';

const clock = new TestClock();
let directory: string;
let app: TestService;
/** A second process on the same database. */
let twin: TestService;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-plans-'));
  const plans = join(directory, 'plans.json');
  writeFileSync(
    plans,
    JSON.stringify({
      starter: { burst_per_minute: 5, requests_per_day: 12 },
      pro: { burst_per_minute: 1000, requests_per_day: 7 },
      team: { burst_per_minute: 60, requests_per_day: 100_000 },
    }),
  );
  const env = { PLANS_FILE: plans };
  app = await startTestService({ env, clock });
  twin = await startTestService({ env, clock, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await twin.stop();
  await app.stop();
  rmSync(directory, { recursive: true });
});

const get = (key: string, service: TestService = app) => call(service, 'GET', '/account', { key });

const remaining = ({ headers }: Answer) => ({
  burst: Number(headers.get('x-ratelimit-remaining-burst')),
  daily: Number(headers.get('x-ratelimit-remaining-daily')),
});

/** Moves to 10 s past the next full minute. */
const nextMinute = () => clock.advance({ minutes: 1 });
/** Moves to 12:00:10 of the next day. */
const nextDay = () => clock.advance({ days: 1 });

describe('the budget of a minute', () => {
  test('is spent to the last request, refused exactly then, and whole again with the next minute', async () => {
    const { key } = await createCompany(app, 'starter');
    for (const burst of [4, 3, 2, 1, 0]) {
      const answer = await get(key);
      expect(answer.status).toBe(200);
      expect(remaining(answer).burst).toBe(burst);
      expect(answer.headers.get('retry-after')).toBeNull();
    }
    const refused = await get(key);
    expectRefusal(refused, 'rate_limit_exceeded');
    expect(refused.body.error.message).toMatch(/minute/);
    expect(refused.headers.get('retry-after')).toBe('50');
    expect(remaining(refused)).toEqual({ burst: 0, daily: 7 });

    clock.advance({ seconds: 49 });
    const lastSecond = await get(key);
    expectRefusal(lastSecond, 'rate_limit_exceeded');
    expect(lastSecond.headers.get('retry-after')).toBe('1');
    clock.advance({ seconds: 1 });
    const fresh = await get(key);
    expect(fresh.status).toBe(200);
    expect(remaining(fresh)).toEqual({ burst: 4, daily: 6 });
    clock.advance({ seconds: 10 });
  });

  test('has X-RateLimit-Reset at the end of the UTC minute, in Unix seconds', async () => {
    const { key } = await createCompany(app, 'starter');
    const endOfMinute = Math.floor(clock.now().getTime() / 60_000 + 1) * 60;
    expect((await get(key)).headers.get('x-ratelimit-reset')).toBe(String(endOfMinute));
    nextMinute();
    expect((await get(key)).headers.get('x-ratelimit-reset')).toBe(String(endOfMinute + 60));
  });

  test('is the account’s, whatever its keys and endpoints', async () => {
    const company = await createCompany(app, 'starter');
    const narrow = await company.keyWith(['documents:read']);
    const answers = [
      await call(app, 'GET', '/account', { key: company.key }),
      await call(app, 'POST', '/documents', { key: company.testKey, body: aDraft }),
      await call(app, 'GET', '/documents', { key: narrow.key }),
      await call(app, 'GET', '/imports', { key: company.key }),
      await call(app, 'GET', '/documents/x', { key: company.testKey }),
    ];
    expect(answers.map((answer) => remaining(answer).burst)).toEqual([4, 3, 2, 1, 0]);
    for (const key of [company.key, company.testKey, narrow.key]) expectRefusal(await get(key), 'rate_limit_exceeded');
  });

  test('is no other account’s', async () => {
    const [one, other] = [await createCompany(app, 'starter'), await createCompany(app, 'starter')];
    for (let i = 0; i < 6; i++) await get(one.key);
    expectRefusal(await get(one.key), 'rate_limit_exceeded');
    expect(remaining(await get(other.key)).burst).toBe(4);
  });

  test('is spent by every answered request, refused or not', async () => {
    const company = await createCompany(app, 'starter');
    const narrow = await company.keyWith([]);
    await call(app, 'GET', '/documents', { key: narrow.key });
    await call(app, 'GET', '/nothing', { key: company.key });
    await call(app, 'POST', '/documents', { key: company.key, raw: '{' });
    await call(app, 'POST', '/imports', { key: company.key, body: { source: 'x' } });
    expect(remaining(await get(company.key)).burst).toBe(0);
  });

  test('is not spent by a request whose key or plan is refused', async () => {
    const company = await createCompany(app, 'starter');
    const revoked = await company.keyWith([]);
    await app.db.transaction((tx) => revokeKey(app.world, tx, revoked.id, null));
    const expired = await company.keyWith([], { expiresAt: clock.now().toISOString() });
    for (let i = 0; i < 3; i++) {
      await get(revoked.key);
      await get(expired.key);
    }
    await setPlan(app.db, company.id, 'free');
    for (let i = 0; i < 3; i++) await get(company.key);
    await setPlan(app.db, company.id, 'starter');
    expect(remaining(await get(company.key))).toEqual({ burst: 4, daily: 11 });
  });

  test('does nothing for a request that it refuses', async () => {
    const { key } = await createCompany(app, 'starter');
    for (let i = 0; i < 5; i++) await get(key);
    expectRefusal(await call(app, 'POST', '/documents', { key, body: aDraft }), 'rate_limit_exceeded');
    nextMinute();
    expect((await call(app, 'GET', '/documents', { key })).body.data).toEqual([]);
  });

  test('follows a change of plan at once', async () => {
    const company = await createCompany(app, 'starter');
    for (let i = 0; i < 6; i++) await get(company.key);
    await setPlan(app.db, company.id, 'team');
    expect(remaining(await get(company.key)).burst).toBe(54);
    await setPlan(app.db, company.id, 'starter');
    const refused = await get(company.key);
    expectRefusal(refused, 'rate_limit_exceeded');
    expect(remaining(refused).burst).toBe(0);
  });
});

describe('the budget of a day', () => {
  test('is spent to the last request, over many minutes, and whole again at UTC midnight', async () => {
    const { key } = await createCompany(app, 'starter');
    for (let i = 0; i < 12; i++) {
      if (i % 5 === 4) nextMinute();
      const answer = await get(key);
      expect(answer.status).toBe(200);
      expect(remaining(answer).daily).toBe(11 - i);
    }
    nextMinute();
    const refused = await get(key);
    expectRefusal(refused, 'rate_limit_exceeded');
    expect(refused.body.error.message).toMatch(/day/);
    expect(remaining(refused)).toEqual({ burst: 5, daily: 0 });
    const now = clock.now();
    const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
    expect(refused.headers.get('retry-after')).toBe(String((midnight - now.getTime()) / 1000));

    clock.advance({ seconds: (midnight - now.getTime()) / 1000 - 1 });
    const lastSecond = await get(key);
    expectRefusal(lastSecond, 'rate_limit_exceeded');
    expect(lastSecond.headers.get('retry-after')).toBe('1');
    clock.advance({ seconds: 1 });
    expect(remaining(await get(key))).toEqual({ burst: 4, daily: 11 });
    clock.advance({ hours: 12, seconds: 10 });
  });

  test('is not spent by what the budget of the minute refused', async () => {
    const { key } = await createCompany(app, 'starter');
    for (let i = 0; i < 20; i++) await get(key);
    nextMinute();
    expect(remaining(await get(key)).daily).toBe(6);
  });

  test('does not take from the minute what it refuses', async () => {
    const { key } = await createCompany(app, 'pro');
    for (let i = 0; i < 10; i++) await get(key);
    expect(remaining(await get(key))).toEqual({ burst: 993, daily: 0 });
    nextDay();
    expect(remaining(await get(key))).toEqual({ burst: 999, daily: 6 });
  });
});

describe('budgets under load', () => {
  /** Counts the answers of each status. */
  const tally = (answers: Answer[]) => ({
    granted: answers.filter(({ status }) => status === 200).length,
    refused: answers.filter(({ status }) => status === 429).length,
  });

  test('are exact for requests that arrive together, at two processes, with two keys', async () => {
    const company = await createCompany(app, 'team');
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, i) => get(i % 3 === 0 ? company.testKey : company.key, i % 2 === 0 ? app : twin)),
    );
    expect(tally(answers)).toEqual({ granted: 60, refused: 90 });
    // Each granted request saw another remainder, so each was counted once.
    const seen = answers.filter(({ status }) => status === 200).map((answer) => remaining(answer).burst);
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i));
    for (const refused of answers.filter(({ status }) => status === 429)) expectRefusal(refused, 'rate_limit_exceeded');
  });

  test('are exact when the day runs out among requests that arrive together', async () => {
    const company = await createCompany(app, 'pro');
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => get(company.key, i % 2 === 0 ? app : twin)));
    expect(tally(answers)).toEqual({ granted: 7, refused: 33 });
  });

  test('of many accounts at once do not mix', async () => {
    const companies = await Promise.all(Array.from({ length: 8 }, () => createCompany(app, 'starter')));
    const answers = await Promise.all(
      companies.flatMap(({ key }) => Array.from({ length: 9 }, (_, i) => get(key, i % 2 === 0 ? app : twin))),
    );
    for (let i = 0; i < companies.length; i++) {
      expect(tally(answers.slice(i * 9, i * 9 + 9))).toEqual({ granted: 5, refused: 4 });
    }
  });

  test('are one although the clocks of two processes differ', async () => {
    // Its minute is the previous one, which it must not reopen.
    const behind = new TestClock();
    behind.advance({ seconds: (clock.now().getTime() - behind.now().getTime()) / 1000 - 45 });
    const env = { PLANS_FILE: join(directory, 'plans.json') };
    const late = await startTestService({ env, clock: behind, databaseUrl: app.databaseUrl });
    try {
      const { key } = await createCompany(app, 'starter');
      const answers: Answer[] = [];
      for (let i = 0; i < 8; i++) answers.push(await get(key, i % 2 === 0 ? app : late));
      expect(tally(answers)).toEqual({ granted: 5, refused: 3 });
      expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset'))).size).toBe(1);
    } finally {
      await late.stop();
    }
  });

  test('survive the process that counted them', async () => {
    const company = await createCompany(app, 'starter');
    for (let i = 0; i < 3; i++) await get(company.key);
    const env = { PLANS_FILE: join(directory, 'plans.json') };
    const restarted = await startTestService({ env, clock, databaseUrl: app.databaseUrl });
    try {
      expect(remaining(await get(company.key, restarted))).toEqual({ burst: 1, daily: 8 });
    } finally {
      await restarted.stop();
    }
  });
});

test('a plan left out of PLANS_FILE keeps its default, and so does a field', async () => {
  const { key } = await createCompany(app, 'enterprise');
  const { headers } = await get(key);
  expect(headers.get('x-ratelimit-limit-burst')).toBe('1200');
  expect(headers.get('x-ratelimit-limit-daily')).toBe('1000000');
  const starter = await createCompany(app, 'starter');
  expect((await get(starter.key)).status).toBe(200);
});

test('the built-in plans have the documented budgets', async () => {
  const plain = await startTestService();
  try {
    const budgets = { starter: ['60', '5000'], pro: ['120', '20000'], team: ['300', '100000'] } as const;
    for (const [tier, budget] of Object.entries(budgets)) {
      const { key } = await createCompany(plain, tier as keyof typeof budgets);
      const { headers } = await get(key, plain);
      expect([headers.get('x-ratelimit-limit-burst'), headers.get('x-ratelimit-limit-daily')]).toEqual(budget);
    }
  } finally {
    await plain.stop();
  }
});

test('a queue that stays for over a second refuses more of the same key, spends nothing, and ends', async () => {
  const [flooding, other] = [await createCompany(app), await createCompany(app)];
  const released = Promise.withResolvers<void>();
  const lock = app.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'lock table rate_usage in access exclusive mode', values: [] });
    await released.promise;
  });
  let refused: Answer | null = null;
  const asked: Promise<unknown>[] = [];
  // Not repeated when its time is over.
  const once = { baseUrl: app.baseUrl };
  const ask = async () => {
    const answer = await call(once, 'GET', '/account', { key: flooding.key });
    if (answer.body.error?.code === 'server_busy') refused ??= answer;
  };
  while (refused === null) {
    asked.push(...Array.from({ length: 10 }, ask));
    await sleep(20);
  }
  const waiting = call(once, 'GET', '/account', { key: other.key });
  released.resolve();
  await Promise.all([lock, ...asked]);

  expectRefusal(refused, 'server_busy');
  expect((refused as Answer).headers.get('retry-after')).toBe('1');
  expect((await waiting).body.error?.code).not.toBe('server_busy');
  expect((await call(app, 'GET', '/account', { key: flooding.key })).status).toBe(200);
});

describe('the guard in front of the key', () => {
  let guarded: TestService;
  let key: string;

  beforeAll(async () => {
    guarded = await startTestService({ env: { IP_REQUESTS_PER_MINUTE: '5', TRUST_PROXY: '127.0.0.1,10.0.0.0/8' } });
    key = (await createCompany(guarded)).key;
  });
  afterAll(() => guarded.stop());

  const from = (address: string, options: Parameters<typeof call>[3] = {}, path = '/account') =>
    call(guarded, 'GET', path, { ...options, headers: { 'x-forwarded-for': address, ...options.headers } });

  test('throttles one address to the request, whatever key it has or has not', async () => {
    for (let i = 0; i < 5; i++) expect((await from('203.0.113.1', i % 2 === 0 ? { key } : {})).status).not.toBe(429);
    const budget = (await from('203.0.113.2', { key })).headers.get('x-ratelimit-remaining-burst');
    const throttled = await from('203.0.113.1', { key });
    expectRefusal(throttled, 'ip_throttled');
    expect(throttled.headers.get('retry-after')).toBe('50');
    expect(throttled.headers.get('x-ratelimit-limit-burst')).toBeNull();
    expectRefusal(await from('203.0.113.1'), 'ip_throttled');
    expectRefusal(await from('203.0.113.1', { key: 'x' }, '/nothing'), 'ip_throttled');
    // Refused requests have cost the account nothing.
    const after = (await from('203.0.113.2', { key })).headers.get('x-ratelimit-remaining-burst');
    expect(after).toBe(String(Number(budget) - 1));
  });

  test('lets the address in again with the next minute', async () => {
    for (let i = 0; i < 6; i++) await from('203.0.113.3', { key });
    expectRefusal(await from('203.0.113.3', { key }), 'ip_throttled');
    guarded.clock.advance({ seconds: 50 });
    expect((await from('203.0.113.3', { key })).status).toBe(200);
  });

  test('takes the address from the last hop that is not a trusted proxy', async () => {
    // The client wrote the first entry. It must not be able to choose the address that is counted.
    for (let i = 0; i < 5; i++) await from(`198.51.100.${i}, 203.0.113.4, 10.1.2.3`, { key });
    expectRefusal(await from('198.51.100.9, 203.0.113.4', { key }), 'ip_throttled');
    expect((await from('203.0.113.4, 198.51.100.9', { key })).status).toBe(200);
  });

  test('counts the addresses of one IPv6 network together', async () => {
    for (let i = 0; i < 5; i++) await from(`2001:db8:1:2::${i}`, { key });
    expectRefusal(await from('2001:db8:1:2:ffff:ffff:ffff:ffff', { key }), 'ip_throttled');
    expect((await from('2001:db8:1:3::1', { key })).status).toBe(200);
  });

  test('believes no forwarded address without TRUST_PROXY', async () => {
    const open = await startTestService({ env: { IP_REQUESTS_PER_MINUTE: '2' } });
    try {
      const spoofing = (address: string) => call(open, 'GET', '/account', { headers: { 'x-forwarded-for': address } });
      await spoofing('203.0.113.5');
      await spoofing('203.0.113.6');
      expectRefusal(await spoofing('203.0.113.7'), 'ip_throttled');
    } finally {
      await open.stop();
    }
  });

  test('stands in front of the signing pages too', async () => {
    const page = () =>
      fetch(`${guarded.service.origin}/sign/unknown`, { headers: { 'x-forwarded-for': '203.0.113.8' } });
    for (let i = 0; i < 5; i++) expect((await page()).status).toBe(404);
    expect((await page()).status).toBe(429);
  });
});

test('a draft that was created is not lost to the budget: it is there in the next minute', async () => {
  const { key } = await createCompany(app, 'starter');
  const id = await createDraft(app, key);
  for (let i = 0; i < 5; i++) await get(key);
  nextMinute();
  expect((await call(app, 'GET', `/documents/${id}`, { key })).status).toBe(200);
});
