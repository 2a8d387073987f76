import pg from 'pg';
import { createNotifier, type Notifier } from './notifier.ts';
import { openPool, type Pool, type PoolOptions } from './pool.ts';
import type { Queryable, Statement } from './queryable.ts';
import { shareConnections } from './shared-connections.ts';
import { UnreadableValue } from './timestamp.ts';

export type { Queryable, Statement };

/**
 * An open transaction. What must commit together takes a `Tx`, so the type says so (style.md, 4).
 * Statements may be issued without awaiting each: they travel in one pipeline and run in order.
 */
export interface Tx extends Queryable, Notifying {
  readonly inTransaction: true;
}

export interface Notifying {
  /** Wakes those who listen on the channel, in a transaction once it has committed; see `Notifier` for what it promises. */
  notify(channel: string, payload?: string): void;
}

export interface Transactional extends Queryable, Notifying {
  /** Commits what `work` did if it returns, rolls it back if it throws. No network call but SQL inside (design.md, law 2). */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

export interface Database extends Transactional {
  /** The same for work that has `ms` from now: what is not answered by then fails, and no statement or commit follows. */
  within(ms: number): Transactional;
  /** The same for short reads that many requests make at once: they share connections. */
  readsWithin(ms: number): Queryable;
  close(): Promise<void>;
}

/** The database did not do what was asked: unreachable, too slow, or it refused the statement. `cause` says which. */
export class DatabaseFailure extends Error {
  constructor(cause: unknown) {
    super(`database: ${(cause as Error).message}`, { cause });
    this.name = 'DatabaseFailure';
  }
}

export function openDatabase(options: PoolOptions): Database {
  const pool = openPool(options);
  const onShared = shareConnections(pool);
  const until = (endsAt: number): Transactional => ({
    query: <Row>(statement: Statement<Row>) => byThen(endsAt, alone<Row>(pool, statement, endsAt)),
    transaction: <Result>(work: (tx: Tx) => Promise<Result>) =>
      byThen(endsAt, inTransaction(pool, notifier, work, endsAt)),
    notify: (...note) => notifier.notify(...note),
  });
  const notifier = createNotifier(
    { query: (statement) => alone(pool, statement, Number.POSITIVE_INFINITY) },
    options.log,
  );
  return {
    ...until(Number.POSITIVE_INFINITY),
    within: (ms) => until(performance.now() + ms),
    readsWithin(ms) {
      const endsAt = performance.now() + ms;
      const read = <Row>(statement: Statement<Row>) =>
        onShared(async (client) => run<Row>(await connected(client), statement, endsAt));
      return { query: (statement) => byThen(endsAt, read(statement)) };
    },
    async close() {
      await notifier.settled();
      await pool.end();
    },
  };
}

/** Answers when `work` does, but by then at the latest. What is still under way is left to the pool's own time-outs. */
async function byThen<Result>(endsAt: number, work: Promise<Result>): Promise<Result> {
  if (endsAt === Number.POSITIVE_INFINITY) return work;
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseFailure(new Error(outOfTime))), endsAt - performance.now());
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

const outOfTime = 'the time that the request has is over';

async function alone<Row>(pool: Pool, statement: Statement<Row>, endsAt: number): Promise<Row[]> {
  const client = await connected(pool.take());
  const failures: Error[] = [];
  const onError = (error: Error) => failures.push(error);
  client.on('error', onError);
  try {
    return await run<Row>(client, statement, endsAt);
  } catch (error) {
    failures.push(error as Error);
    throw error;
  } finally {
    client.off('error', onError);
    pool.giveBack(client, failures);
  }
}

async function inTransaction<Result>(
  pool: Pool,
  notifier: Notifier,
  work: (tx: Tx) => Promise<Result>,
  endsAt: number,
): Promise<Result> {
  const client = await connected(pool.take());
  const failures: Error[] = [];
  const onError = (error: Error) => failures.push(error);
  client.on('error', onError);
  const notes: Parameters<Notifying['notify']>[] = [];
  const tx: Tx = {
    inTransaction: true,
    query: (statement) => run(client, statement, endsAt),
    notify: (...note) => void notes.push(note),
  };

  try {
    const begun = client.query('begin');
    // Not awaited: the first statement of `work` travels with it. A failed begin fails that statement too.
    begun.catch(() => {});
    const result = await work(tx);
    await commit(client, begun, endsAt);
    for (const note of notes) notifier.notify(...note);
    return result;
  } catch (error) {
    await client.query('rollback').catch((cause) => failures.push(error as Error, cause));
    throw error;
  } finally {
    client.off('error', onError);
    pool.giveBack(client, failures);
  }
}

async function connected(client: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  try {
    return await client;
  } catch (cause) {
    throw new DatabaseFailure(cause);
  }
}

/** In a transaction that already failed PostgreSQL answers COMMIT with ROLLBACK, without an error: nothing was written. */
async function commit(client: pg.PoolClient, begun: Promise<unknown>, endsAt: number): Promise<void> {
  try {
    await begun;
    assertInTime(endsAt);
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error(`the transaction was rolled back at commit (${command})`);
  } catch (cause) {
    throw new DatabaseFailure(cause);
  }
}

async function run<Row>(client: pg.PoolClient, statement: Statement<Row>, endsAt: number): Promise<Row[]> {
  try {
    assertInTime(endsAt);
    if (statement.row === undefined) return (await client.query(statement)).rows as Row[];
    const { rows } = await client.query<unknown[]>({ ...statement, rowMode: 'array' });
    const made = rows.map(statement.row);
    // The driver's objects are as old as the question. One that a collection has moved to the old generation would keep
    // the values of the answer alive long after anybody needs them.
    rows.length = 0;
    return made;
  } catch (cause) {
    throw cause instanceof UnreadableValue ? cause : new DatabaseFailure(cause);
  }
}

function assertInTime(endsAt: number): void {
  if (performance.now() > endsAt) throw new Error(outOfTime);
}

/** PostgreSQL's five-character error code, such as `23505`, or null for what is not an error of the server. */
export function sqlState(error: unknown): string | null {
  const cause = error instanceof DatabaseFailure ? error.cause : error;
  return cause instanceof pg.DatabaseError ? (cause.code ?? null) : null;
}
