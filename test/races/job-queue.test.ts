import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCrew } from '../../src/jobs/crew.ts';
import { type RunningQueue, startQueue } from '../../src/jobs/job-queue.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import { eventually } from '../support/service.ts';

/** Lines of the log. */
const lines: string[] = [];
const log = createLog('warn', (line) => lines.push(line));

let postgres: FreshDatabase;
let db: Database;
let queue: RunningQueue;

beforeEach(async () => {
  lines.length = 0;
  postgres = await freshDatabase();
  db = openDatabase({ url: postgres.url, connectionsMax: 2, timeoutMs: 60_000, log });
  queue = await startQueue(postgres.url, log, true);
});
afterEach(async () => {
  await queue.stop();
  await db.close();
  await postgres.drop();
});

function idOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

function enqueue(...numbers: number[]): Promise<void> {
  return db.transaction((tx) =>
    queue.enqueue(
      tx,
      numbers.map((n) => ({ name: 'deliver-message', accountId: idOf(0), messageId: idOf(n) })),
    ),
  );
}

test('new jobs wake one worker, and each that has found some wakes the next', async () => {
  const woken: string[] = [];
  const crew = createCrew((id) => woken.push(id));
  const ends: Array<() => void> = [];
  const work = (id: string, isFull: boolean) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return crew.during(id, isFull, () => promise);
  };
  for (const id of ['a', 'b', 'c']) crew.add(id);
  crew.announce();
  crew.announce();
  expect(woken.splice(0)).toEqual(['a', 'a']);
  // What `a` found may have been there before the second announcement.
  const first = work('a', false);
  expect(woken.splice(0)).toEqual(['b']);
  // `b` found what its look after no announcement gave, and it could not take all.
  const second = work('b', true);
  expect(woken.splice(0)).toEqual(['c']);
  const third = work('c', false);
  crew.announce();
  expect(woken.splice(0)).toEqual([]);
  // All were busy, so the first that ends looks again.
  ends[0]?.();
  await first;
  expect(woken.splice(0)).toEqual(['a']);
  for (const end of ends) end();
  await Promise.all([second, third]);
  expect(woken[0]).toBe('b');
});

test('jobs that are taken together fail and end one by one', async () => {
  const attempts = new Map<string, number>();
  let atOnce = 0;
  let mostAtOnce = 0;
  await enqueue(1, 2, 3, 4, 5, 6, 7);
  await queue.work('deliver-message', { workers: 1, batch: 5 }, async ({ data }) => {
    attempts.set(data.messageId, (attempts.get(data.messageId) ?? 0) + 1);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await new Promise((resolve) => setTimeout(resolve, 50));
    atOnce -= 1;
    if (data.messageId === idOf(2) && attempts.get(data.messageId) === 1) throw new Error('ada is away');
  });
  await eventually(
    async () => attempts.get(idOf(2)),
    (count) => count === 2,
  );
  expect(Object.fromEntries(attempts)).toEqual(
    Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [idOf(n), n === 2 ? 2 : 1])),
  );
  expect(mostAtOnce).toBe(5);
  expect(lines.map((line) => JSON.parse(line)).filter(({ job_id }) => job_id === idOf(2))).toMatchObject([
    { message: 'a job failed', job: 'deliver-message', attempt: 1 },
  ]);
  expect(lines.join('\n')).not.toContain('is away');
});

test('the log says why a job failed that sends no message', async () => {
  const documentId = idOf(1);
  await db.transaction((tx) => queue.enqueue(tx, [{ name: 'seal-document', accountId: idOf(2), documentId }]));
  const failures: unknown[] = [
    new Error('no key for ada@example.com'),
    Object.assign(new Error(''), { code: 'ENOSPC' }),
  ];
  let attempts = 0;
  await queue.work('seal-document', { workers: 1 }, async () => {
    const failure = failures[attempts];
    attempts += 1;
    throw failure;
  });
  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ job }) => job === 'seal-document');
  const [first, second] = await eventually(
    async () => logged(),
    (seen) => seen.length >= 2,
  );
  expect(first).toMatchObject({ message: 'a job failed', attempt: 1, reason: 'no key for [address]' });
  expect(second).toMatchObject({ attempt: 2, reason: 'ENOSPC' });
});

test('a job that comes while all workers are busy is worked on by the first that has ended', async () => {
  const done: string[] = [];
  const waiting = new Map<string, () => void>();
  await queue.work('deliver-message', { workers: 2, batch: 2 }, async ({ data }) => {
    await new Promise<void>((resolve) => waiting.set(data.messageId, resolve));
    done.push(data.messageId);
  });
  const started = (n: number) =>
    eventually(
      async () => waiting.has(idOf(n)),
      (has) => has,
    );
  await enqueue(1);
  await started(1);
  await enqueue(2);
  await started(2);
  // Both workers are busy.
  await enqueue(3);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(waiting.has(idOf(3))).toBe(false);
  waiting.get(idOf(2))?.();
  await started(3);
  for (const end of waiting.values()) end();
  await eventually(
    async () => done.length,
    (count) => count === 3,
  );
});

test('a company whose job comes after the many of another does not wait behind them', async () => {
  const [busy, other] = [idOf(1001), idOf(1002)];
  const add = (accountId: string, ...messages: number[]) =>
    db.transaction((tx) =>
      queue.enqueue(
        tx,
        messages.map((n) => ({ name: 'deliver-message', accountId, messageId: idOf(n) })),
      ),
    );
  const many = Array.from({ length: 200 }, (_, n) => n);
  await add(busy, ...many.slice(0, 100));
  await add(busy, ...many.slice(100));
  await add(other, 500);
  const done: string[] = [];
  await queue.work('deliver-message', { workers: 1, batch: 8 }, async ({ data }) => void done.push(data.messageId));
  await eventually(
    async () => done.length,
    (count) => count === 201,
  );
  expect(done.indexOf(idOf(500))).toBeLessThan(100);
  // A company's own jobs keep their order.
  expect(done.filter((id) => id !== idOf(500))).toEqual(many.map(idOf));
});
