import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startAwakeTime } from '../support/awake-time.ts';
import type { Away } from '../support/fault-proxy.ts';
import { type Answer, aDraft, type Company, call, createCompany, createDraft, eventually } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { execute, type FaultyService, startFaultyService } from './faulty-service.ts';

const awake = startAwakeTime();
let app: FaultyService;
let company: Company;
let requests: Request[];
let keys = 0;

/** An endpoint, and its codes for internal failures in spec.md. */
interface Request {
  send(): Promise<Answer>;
  codes: string[];
}

beforeAll(async () => {
  app = await startFaultyService({}, true);
  company = await createCompany(app);
  const id = await createDraft(app, company.key);
  const { key } = company;
  const request = (method: string, path: string, codes: string[], options: () => object = () => ({})): Request => ({
    send: () => call(app, method, path, { key, ...options() }),
    codes: ['key_lookup_failed', ...codes],
  });
  const withKey = () => ({ headers: { 'idempotency-key': `away-${++keys}` } });
  requests = [
    request('GET', '/account', ['account_unavailable']),
    request('GET', '/documents', ['documents_unavailable']),
    request('GET', `/documents/${id}`, ['document_unavailable']),
    request('GET', `/documents/${id}/recipients`, ['document_unavailable', 'recipients_unavailable']),
    request('POST', '/documents', ['document_create_failed'], () => ({ body: aDraft })),
    request('POST', '/documents', ['document_create_failed', 'idempotency_store_failed'], () => ({
      body: aDraft,
      ...withKey(),
    })),
    request('POST', `/documents/${id}/send`, ['document_send_failed']),
    request('POST', `/documents/${id}/send`, ['document_send_failed', 'idempotency_store_failed'], withKey),
  ];
});
afterEach(async () => {
  await app.proxy.restore();
  app.clock.advance({ minutes: 1 }); // a fresh budget
});
afterAll(async () => {
  awake.stop();
  await app.stop();
});

interface Timed {
  request: Request;
  answer: Answer;
  ms: number;
}

/** Sends `count` requests at once, to the endpoints in turn. */
function atOnce(count: number): Promise<Timed[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const request = requests[i % requests.length] as Request;
      const began = awake.ms();
      const answer = await request.send();
      return { request, answer, ms: awake.ms() - began };
    }),
  );
}

function expectDocumented({ request, answer, ms }: Timed): void {
  expect(ms).toBeLessThan(5000);
  if (answer.status < 500) return;
  expect(request.codes).toContain(answer.body.error.code);
  expectFailure(answer, answer.body.error.code, company.key);
}

async function expectRecovery(): Promise<void> {
  const began = awake.ms();
  await eventually(
    () => Promise.all(requests.slice(0, 5).map((request) => request.send())),
    (answers) => answers.every(({ status }) => status < 300),
  );
  expect(awake.ms() - began).toBeLessThan(5000);
}

function ask(path: string): Promise<Response> {
  return fetch(new URL(path, app.baseUrl));
}

describe.each<Away>(['refused', 'frozen'])('the database is %s', (manner) => {
  test('every endpoint answers its 500 within 5 s, with 100 requests waiting at once, and recovers by itself', async () => {
    app.proxy.away(manner);
    const timed = await atOnce(100);
    for (const each of timed) {
      expectDocumented(each);
      expect(each.answer.status).toBe(500);
    }
    expect((await ask('/health/live')).status).toBe(200);
    expect((await ask('/health/ready')).status).toBe(503);
    const metrics = await (await ask('/metrics')).text();
    expect(metrics).toMatch(/^countersign_http_requests_total\{.*status="500".*\} \d+$/m);
    expect(metrics).not.toMatch(/^countersign_(imports_running\{|webhook_oldest_due_seconds )/m);
    await app.proxy.restore();
    await expectRecovery();
  });

  test.each(['find_account', 'list_recipients', 'create_document', 'commit'])(
    'while 100 requests are under way, at %s',
    async (statement) => {
      const isAway = app.proxy.awayAt(statement, manner);
      // On a busy machine, all of a hundred may be too late before they come to the statement.
      for (let round = 0; round < 5 && !isAway(); round += 1) {
        app.clock.advance({ minutes: 1 });
        const timed = await atOnce(100);
        timed.forEach(expectDocumented);
        expect(isAway() && timed.every(({ answer }) => answer.status !== 500)).toBe(false);
      }
      await app.proxy.restore();
      await expectRecovery();
    },
  );
});

test('it comes back elsewhere, and the old connections stay silent for ever', async () => {
  app.proxy.awayAt('create_document', 'frozen');
  (await atOnce(100)).forEach(expectDocumented);
  await app.proxy.restore('left');
  await expectRecovery();
});

test('every connection breaks: the next requests find new ones', async () => {
  await atOnce(50);
  app.proxy.away('cut');
  (await atOnce(50)).forEach(expectDocumented);
  await expectRecovery();
});

test('a standby that has not taken over yet is not ready', async () => {
  const isReady = async () => (await ask('/health/ready')).ok;
  const [database] = await app.db.query<{ name: string }>({
    name: '',
    text: 'select current_database() as name',
    values: [],
  });
  await execute(app, `alter database ${database?.name} set default_transaction_read_only = on`);
  app.proxy.away('cut');
  await eventually(isReady, (ready) => !ready);
  await app.proxy.restore();
  expect(await isReady()).toBe(false);
  expectFailure(await call(app, 'GET', '/account', { key: company.key }), 'tenant_resolution_failed', company.key);

  await execute(app, `alter database ${database?.name} reset default_transaction_read_only`);
  app.proxy.away('cut');
  await app.proxy.restore();
  await eventually(isReady, (ready) => ready);
});
