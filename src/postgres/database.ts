import pg from 'pg';
import { createNotifier, type Notifier } from './notifier.ts';
import { type ConnectionCounts, isReadOnly, openPool, type Pool, type PoolOptions } from './pool.ts';
import type { Queryable, Statement } from './queryable.ts';
import { shareConnections } from './shared-connections.ts';
import { UnreadableValue } from './timestamp.ts';

export type { Queryable, Statement };

/**
 * An open transaction. Functions whose changes must commit together take a `Tx`.
 * Statements may be issued without awaiting each one: they are pipelined and run in order.
 */
export interface Tx extends Queryable, Notifying {
  readonly inTransaction: true;
}

export interface Notifying {
  /**
   * Wakes the listeners of a channel. Inside a transaction it takes effect after the commit. See `Notifier` for the
   * guarantees.
   */
  notify(channel: string, payload?: string): void;
}

export interface Transactional extends Queryable, Notifying {
  /**
   * Runs `work` in a transaction. Commits if it returns, rolls back if it throws. `work` makes no network calls except
   * SQL.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

export interface Database extends Transactional {
  /** Limits all work to `ms` from now. After that, pending calls fail and no further statement or commit is sent. */
  within(ms: number): Transactional;
  /** Runs short reads of many concurrent requests on shared connections, within `ms` from now. */
  readsWithin(ms: number): Queryable;
  /**
   * Runs the statements of `work` on one connection, each in a transaction of its own. Statements issued together travel
   * together. `work` returns when all of them have ended. After a failure the connection is closed.
   */
  onOneConnection<Result>(work: (db: Queryable) => Promise<Result>): Promise<Result>;
  connections(): ConnectionCounts;
  close(): Promise<void>;
}

/** Thrown when the database is unreachable, too slow, or refuses a statement. `cause` holds the reason. */
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
    query: <Row>(statement: Statement<Row>) => untilDeadline(endsAt, runAlone<Row>(pool, statement, endsAt)),
    transaction: <Result>(work: (tx: Tx) => Promise<Result>) =>
      untilDeadline(endsAt, inTransaction(pool, notifier, work, endsAt)),
    notify: (...note) => notifier.notify(...note),
  });
  const notifier = createNotifier(
    { query: (statement) => runAlone(pool, statement, Number.POSITIVE_INFINITY) },
    options.log,
  );
  return {
    ...until(Number.POSITIVE_INFINITY),
    within: (ms) => until(performance.now() + ms),
    readsWithin(ms) {
      const endsAt = performance.now() + ms;
      const read = <Row>(statement: Statement<Row>) =>
        onShared(async (client) => runOne<Row>(pool, await connected(client), statement, endsAt));
      return { query: (statement) => untilDeadline(endsAt, read(statement)) };
    },
    onOneConnection: (work) => onOneConnection(pool, work, Number.POSITIVE_INFINITY),
    connections: () => pool.counts(),
    async close() {
      await notifier.settled();
      await pool.end();
    },
  };
}

/** Waits for `work`, but no longer than `endsAt`. The pool's own timeouts end what is still running. */
async function untilDeadline<Result>(endsAt: number, work: Promise<Result>): Promise<Result> {
  if (endsAt === Number.POSITIVE_INFINITY) return work;
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseFailure(new Error(outOfTime))), endsAt - performance.now());
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

const outOfTime = 'the time limit of the request has passed';

function runAlone<Row>(pool: Pool, statement: Statement<Row>, endsAt: number): Promise<Row[]> {
  return onOneConnection(pool, (db) => db.query(statement), endsAt);
}

async function onOneConnection<Result>(
  pool: Pool,
  work: (db: Queryable) => Promise<Result>,
  endsAt: number,
): Promise<Result> {
  const client = await connected(pool.take());
  const failures: Error[] = [];
  const onError = (error: Error) => failures.push(error);
  client.on('error', onError);
  const query = <Row>(statement: Statement<Row>) => {
    const mayEndLate = endsAt - performance.now() < pool.timeoutMs;
    const running = (mayEndLate ? runLate : runOne)<Row>(pool, client, statement, endsAt);
    return running.catch((error) => {
      failures.push(error);
      throw error;
    });
  };
  try {
    return await work({ query });
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
    query: (statement) =>
      run(pool, client, statement, endsAt).catch((error) => {
        // The connection leads to a server that is not the primary any more, and stays there.
        if (isReadOnly(error)) failures.push(error);
        throw error;
      }) as Promise<never>,
    notify: (...note) => void notes.push(note),
  };

  try {
    const begun = client.query(pool.begin);
    // Not awaited, so that it travels with the first statement of `work`. If begin fails, that statement fails too.
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

/** Commits. PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error, so the answer is checked. */
async function commit(client: pg.PoolClient, begun: Promise<unknown>, endsAt: number): Promise<void> {
  try {
    await begun;
    assertInTime(endsAt);
    assertCommitted(await client.query('commit'));
  } catch (cause) {
    throw new DatabaseFailure(cause);
  }
}

function assertCommitted({ command }: pg.QueryResult): void {
  if (command !== 'COMMIT') throw new Error(`the transaction was rolled back at commit (${command})`);
}

/**
 * Runs a statement outside of a transaction. Through a pooler it gets a transaction of its own, for the settings. All of it
 * is sent at once, so that no other read on a shared connection comes between.
 */
async function runOne<Row>(
  pool: Pool,
  client: pg.PoolClient,
  statement: Statement<Row>,
  endsAt: number,
): Promise<Row[]> {
  if (!pool.throughPooler) return run(pool, client, statement, endsAt);
  const [begun, rows, committed] = await Promise.allSettled([
    client.query(pool.begin),
    run<Row>(pool, client, statement, endsAt),
    client.query('commit').then(assertCommitted),
  ]);
  if (begun.status === 'rejected') throw new DatabaseFailure(begun.reason);
  if (rows.status === 'rejected') throw rows.reason;
  if (committed.status === 'rejected') throw new DatabaseFailure(committed.reason);
  return rows.value;
}

/**
 * Runs a statement that the server might carry out only after `endsAt`, when it has been told that nothing was done. It gets a
 * transaction, and no commit is sent after `endsAt`. After a failure the connection must be closed.
 */
async function runLate<Row>(
  pool: Pool,
  client: pg.PoolClient,
  statement: Statement<Row>,
  endsAt: number,
): Promise<Row[]> {
  const begun = client.query(pool.begin);
  begun.catch(() => {});
  const rows = await run<Row>(pool, client, statement, endsAt);
  await commit(client, begun, endsAt);
  return rows;
}

async function run<Row>(pool: Pool, client: pg.PoolClient, statement: Statement<Row>, endsAt: number): Promise<Row[]> {
  try {
    assertInTime(endsAt);
    const { row, ...sent } = pool.throughPooler ? { ...statement, name: '' } : statement;
    if (row === undefined) return (await client.query(sent)).rows as Row[];
    const { rows } = await client.query<unknown[]>({ ...sent, rowMode: 'array' });
    const made = rows.map(row);
    // A result object that the garbage collector has promoted would keep the values in memory for long. Emptying it
    // frees them.
    rows.length = 0;
    return made;
  } catch (cause) {
    throw cause instanceof UnreadableValue ? cause : new DatabaseFailure(cause);
  }
}

function assertInTime(endsAt: number): void {
  if (performance.now() > endsAt) throw new Error(outOfTime);
}

/** Returns PostgreSQL's five-character error code, such as `23505`, or null if the server did not raise the error. */
export function sqlState(error: unknown): string | null {
  const cause = error instanceof DatabaseFailure ? error.cause : error;
  return cause instanceof pg.DatabaseError ? (cause.code ?? null) : null;
}
