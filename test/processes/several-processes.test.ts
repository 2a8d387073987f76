import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import { expectTimeout } from '../support/expect-timeout.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { type Answer, aDraft, type Company, call, createCompany } from '../support/service.ts';

let ground: Ground;
type Web = Awaited<ReturnType<typeof startServer>>;

let webs: [Web, Web, Web];
let company: Company;

beforeAll(async () => {
  ground = await prepareGround();
  const plans = join(ground.dataDir, 'plans.json');
  writeFileSync(
    plans,
    JSON.stringify({
      team: { burst_per_minute: 240 },
      pro: { burst_per_minute: 1000, requests_per_day: 50 },
      enterprise: { burst_per_minute: 1_000_000 },
    }),
  );
  const settings = { ...ground.settings, ROLE: 'web', PLANS_FILE: plans };
  // They start at once on one empty DATA_DIR, and agree on the secrets they create there.
  webs = await Promise.all([startServer(settings), startServer(settings), startServer(settings)]);
  company = await createCompany(ground, 'team');
});
afterAll(async () => {
  await endServers();
  await ground.clear();
});

/** Sends `count` requests to each process, all at once. */
function toEach(count: number, ask: (web: Web) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(webs.flatMap((web) => Array.from({ length: count }, () => ask(web))));
}

/** Budgets are counted per minute of the clock. Waits until enough of the minute is left for all requests. */
async function enoughOfTheMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 25_000) await sleep(left + 50);
}

describe('a budget is shared exactly by all processes', () => {
  test('of 300 requests at once in a minute, 240 pass', async () => {
    await enoughOfTheMinute();
    const answers = await toEach(100, (web) => call(web, 'GET', '/account', { key: company.key }));
    expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset'))).size).toBe(1);

    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(240);
    // Each request took one unit and saw that in its headers.
    const remaining = passed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining-burst')));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 240 }, (_, i) => i));
    for (const { status, body, headers } of answers) {
      if (status === 200) continue;
      expect(body.error.code).toBe('rate_limit_exceeded');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  test('of 120 requests at once in a day, 50 pass', async () => {
    await enoughOfTheMinute();
    const small = await createCompany(ground, 'pro');
    const answers = await toEach(40, (web) => call(web, 'GET', '/account', { key: small.key }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.find(({ status }) => status === 429)?.body.error.message).toMatch(/per day/);
  });
});

test('twins with one Idempotency-Key at different processes write once and get one answer', async () => {
  const owner = await createCompany(ground);
  const keys = Array.from({ length: 20 }, (_, i) => `twin-${i}`);
  const failures: { web: Web; text: string }[] = [];
  const answersOf = (key: string) =>
    toEach(2, async (web) => {
      for (;;) {
        const headers = { 'idempotency-key': key };
        const answer = await call(web, 'POST', '/documents', { key: owner.key, body: aDraft, headers });
        if (answer.status === 201) return answer;
        // As clients do, after a refusal as after a time limit.
        if (answer.status >= 500) failures.push({ web, text: answer.text });
        else expect(answer).toMatchObject({ status: 409, body: { error: { code: 'idempotency_in_progress' } } });
        await sleep(20);
      }
    });

  const answers = await Promise.all(keys.map(answersOf));
  for (const { web, text } of failures) expectTimeout(web, text);
  for (const same of answers) {
    for (const { status, text } of same) expect({ status, text }).toEqual({ status: 201, text: same[0]?.text });
  }
  const [row] = await ground.db.query<{ count: number }>({
    name: '',
    text: 'select count(*) from documents where account_id = $1',
    values: [owner.id],
  });
  expect(Number(row?.count)).toBe(keys.length);
});

test('a key that is revoked is refused by every process from the next request on', async () => {
  const owner = await createCompany(ground);
  const { id, key } = await owner.keyWith(['documents:read']);
  let revoked = false;
  const keepAsking = async (web: { baseUrl: string }) => {
    for (;;) {
      const after = revoked;
      const { status, body } = await call(web, 'GET', '/account', { key });
      if (!after && status === 200) {
        await sleep(20);
        continue;
      }
      expect({ status, code: body.error?.code }).toEqual({ status: 401, code: 'invalid_api_key' });
      if (after) return;
    }
  };
  const asking = Promise.all(webs.flatMap((web) => [keepAsking(web), keepAsking(web)]));
  await sleep(300);
  await ground.db.transaction((tx) => revokeKey(ground.world, tx, id, null));
  revoked = true;
  await asking;
});

test("one process takes another's cursor", async () => {
  const owner = await createCompany(ground);
  const [one, other] = webs;
  const created = [];
  for (let i = 0; i < 3; i++) {
    created.unshift((await call(one, 'POST', '/documents', { key: owner.key, body: aDraft })).body.id);
  }
  const first = await call(one, 'GET', '/documents?limit=2', { key: owner.key });
  const second = await call(other, 'GET', `/documents?limit=2&starting_after=${first.body.next_cursor}`, {
    key: owner.key,
  });
  expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(created);
});
