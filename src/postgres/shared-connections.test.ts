import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../platform/log.ts';
import { type Database, DatabaseFailure, openDatabase } from './database.ts';

const timeoutMs = 60_000;
let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = openDatabase({ url: fresh.url, connectionsMax: 16, timeoutMs, log: createLog('silent') });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

const answerMsMax = 60_000;
const read = <Row>(name: string, text: string, values: unknown[] = []) =>
  db.readsWithin(answerMsMax).query<Row>({ name, text, values });
const whichServer = () => read<{ pid: number }>('which_server', 'select pg_backend_pid() as pid');

test('a hundred concurrent reads share four connections and each gets its own answer', async () => {
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  const answers = await Promise.all(
    numbers.map((number) =>
      read<{ number: number; pid: number }>('echo', 'select $1::int as number, pg_backend_pid() as pid', [number]),
    ),
  );
  expect(answers.map(([row]) => row?.number)).toEqual(numbers);
  expect(new Set(answers.map(([row]) => row?.pid)).size).toBe(4);
});

test('a read that the server refuses fails alone', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, number) => read('divide', 'select 1 / $1::int as quotient', [number % 10])),
  );
  const failed = outcomes.flatMap((outcome, number) => (outcome.status === 'rejected' ? [number] : []));
  expect(failed).toEqual([0, 10, 20, 30]);
});

test('a connection that breaks fails the reads on it with a DatabaseFailure, and the next read has another', async () => {
  const [before] = await whichServer();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => read('end_me', 'select pg_terminate_backend(pg_backend_pid())')),
  );
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  for (const outcome of outcomes) expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseFailure);
  const [after] = await whichServer();
  expect(after?.pid).not.toBe(before?.pid);
});

test('reads release their connections, so a pool of four is free for transactions', async () => {
  const small = openDatabase({ url: fresh.url, connectionsMax: 4, timeoutMs, log: createLog('silent') });
  const ask = () => small.readsWithin(answerMsMax).query({ name: 'one', text: 'select 1', values: [] });
  await Promise.all(Array.from({ length: 20 }, ask));
  await expect(small.transaction(async () => 'open')).resolves.toBe('open');
  await small.close();
});

test('a read fails at its time limit while the connection is still waiting', async () => {
  const read = db.readsWithin(100).query({ name: 'dawdle', text: 'select pg_sleep(1)', values: [] });
  await expect(read).rejects.toThrow(/the time limit of the request has passed/);
});
