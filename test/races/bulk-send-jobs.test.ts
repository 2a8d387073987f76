import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { cancelBulkSend } from '../../src/bulk-send/bulk-send.ts';
import { requeueBulkSends, sendBulkRows } from '../../src/bulk-send/send-rows.ts';
import { startQueue } from '../../src/jobs/job-queue.ts';
import type { JobQueue } from '../../src/messages/job-queue.ts';
import type { Tx } from '../../src/postgres/database.ts';
import { bulkRows, bulkStatus, csvOf, startBulk } from '../support/bulk-send.ts';
import { type Company, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';

/** The jobs of bulk sends. The service of these tests has no worker, except those that a test starts. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
});

/** Keeps no job, as if each were lost. */
const losing: JobQueue = { enqueue: async () => {} };

const statuses = async (id: string) => (await bulkRows(app, id)).map(({ status }) => status);
const jobsOf = (id: string) =>
  app.db.query<{ state: string }>({
    name: '',
    text: `select state from jobs.job where name = 'send-bulk-rows' and data->>'bulkSendId' = $1 order by created_on`,
    values: [id],
  });

async function startWorker(): Promise<TestService> {
  const worker = await startTestService({ env: { ROLE: 'worker' }, databaseUrl: app.databaseUrl, clock: app.clock });
  onTestFinished(() => worker.stop());
  return worker;
}

const limits = { rowsMax: 2, msMax: 60_000, unsentMax: 100 };
const send = (bulkSendId: string, changes: Partial<typeof limits> = {}) =>
  sendBulkRows(app.world, app.db, losing, { accountId: company.id, bulkSendId }, { ...limits, ...changes });

describe('one job', () => {
  test('sends at most its number of rows', async () => {
    const { id } = await startBulk(app, company, losing, csvOf(3));
    expect(await send(id)).toBe('more');
    expect(await statuses(id)).toEqual(['sent', 'sent', 'ready']);
    expect(await send(id)).toBe('ended');
    expect(await bulkStatus(app, id)).toEqual({ status: 'done', stop_reason: null });
  });

  test('begins no row after its time', async () => {
    const { id } = await startBulk(app, company, losing, csvOf(2));
    expect(await send(id, { msMax: 0 })).toBe('more');
    expect(await statuses(id)).toEqual(['ready', 'ready']);
  });

  test('waits for the older bulk send of the company', async () => {
    const first = await startBulk(app, company, losing, csvOf(1));
    const second = await startBulk(app, company, losing, csvOf(1));
    expect(await send(second.id)).toBe('waiting');
    expect(await send(first.id)).toBe('ended');
    expect(await send(second.id)).toBe('ended');
    expect(await statuses(second.id)).toEqual(['sent']);
  });

  test('waits while many messages of its rows are unsent', async () => {
    const { id } = await startBulk(app, company, losing, csvOf(5));
    expect(await send(id, { unsentMax: 2 })).toBe('more');
    expect(await send(id, { unsentMax: 2 })).toBe('waiting');
    await app.db.query({
      name: '',
      text: `update messages set status = 'accepted', settled_at = $2 where account_id = $1`,
      values: [company.id, app.clock.now()],
    });
    expect(await send(id, { unsentMax: 2 })).toBe('more');
    expect(await statuses(id)).toEqual(['sent', 'sent', 'sent', 'sent', 'ready']);
  });
});

describe('the scheduled job', () => {
  test('enqueues the oldest running bulk send of each company, once', async () => {
    const other = await createCompany(app);
    const [first, second, third] = [
      await startBulk(app, company, losing, csvOf(1)),
      await startBulk(app, company, losing, csvOf(1)),
      await startBulk(app, other, losing, csvOf(1)),
    ];
    const queue = await app.queue();
    await requeueBulkSends(app.db, queue);
    await requeueBulkSends(app.db, queue);
    expect(await Promise.all([first, second, third].map(async ({ id }) => (await jobsOf(id)).length))).toEqual([
      1, 0, 1,
    ]);
    await app.db.transaction((tx) => cancelBulkSend(app.world, tx, company.id, first.id));
    await requeueBulkSends(app.db, queue);
    expect(await jobsOf(second.id)).toHaveLength(1);
  });
});

test('a job enqueues itself again if its transaction commits, and no other job comes in while it is active', async () => {
  const { id } = await startBulk(app, company, await app.queue(), csvOf(1));
  const queue = await startQueue(app.databaseUrl, app.world.log, true);
  onTestFinished(() => queue.stop());
  let runs = 0;
  await queue.work('send-bulk-rows', { workers: 1 }, async ({ data, again }) => {
    if (data.bulkSendId !== id) return;
    runs += 1;
    await requeueBulkSends(app.db, queue);
    if (runs < 3) return app.db.transaction(again);
    const rollBack = async (tx: Tx) => {
      await again(tx);
      throw new Error('rolled back');
    };
    await expect(app.db.transaction(rollBack)).rejects.toThrow('rolled back');
  });
  await eventually(
    () => jobsOf(id),
    (jobs) => jobs.length === 3 && jobs.every(({ state }) => state === 'completed'),
  );
  await sleep(500);
  expect([runs, (await jobsOf(id)).length]).toEqual([3, 3]);
});

describe('workers', () => {
  test('two workers send each row once, in several jobs, and the next bulk send of the company after it', async () => {
    await Promise.all([startWorker(), startWorker()]);
    const queue = await app.queue();
    const [first, second] = [
      await startBulk(app, company, queue, csvOf(120)),
      await startBulk(app, company, queue, csvOf(3)),
    ];
    await eventually(
      () => bulkStatus(app, second.id),
      (bulkSend) => bulkSend?.status === 'done',
    );
    expect(await bulkStatus(app, first.id)).toEqual({ status: 'done', stop_reason: null });
    const rows = [...(await bulkRows(app, first.id)), ...(await bulkRows(app, second.id))];
    expect(rows.map(({ status, messages }) => `${status} ${messages}`)).toEqual(rows.map(() => 'sent 1'));
    expect(new Set(rows.map(({ document_id }) => document_id)).size).toBe(123);
    const [made] = await app.db.query<{ count: number }>({
      name: '',
      text: 'select count(*)::int as count from documents where account_id = $1 and not is_template',
      values: [company.id],
    });
    expect(made?.count).toBe(123);
    expect((await jobsOf(first.id)).length).toBeGreaterThanOrEqual(3);
  });

  test('a bulk send whose job was lost is sent', async () => {
    const { id } = await startBulk(app, company, losing, csvOf(2));
    expect(await jobsOf(id)).toEqual([]);
    await startWorker();
    await eventually(
      () => bulkStatus(app, id),
      (bulkSend) => bulkSend?.status === 'done',
    );
    expect(await statuses(id)).toEqual(['sent', 'sent']);
  });

  test('what a stopped worker leaves is sent by the next one', async () => {
    const queue = await app.queue();
    const { id } = await startBulk(app, company, queue, csvOf(500));
    const worker = await startTestService({ env: { ROLE: 'worker' }, databaseUrl: app.databaseUrl, clock: app.clock });
    await eventually(
      () => statuses(id),
      (seen) => seen.includes('sent'),
    );
    await worker.stop();
    const left = (await statuses(id)).filter((status) => status === 'ready');
    expect(left.length).toBeGreaterThan(0);
    await startWorker();
    await eventually(
      () => bulkStatus(app, id),
      (bulkSend) => bulkSend?.status === 'done',
    );
    const rows = await bulkRows(app, id);
    expect(rows.map(({ status, messages }) => `${status} ${messages}`)).toEqual(rows.map(() => 'sent 1'));
  });
});
