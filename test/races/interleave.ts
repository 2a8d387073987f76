import type { Tx } from '../../src/postgres/database.ts';
import type { TestService } from '../support/service.ts';

export type Settled<T> = { ok: true; value: T } | { ok: false; error: Error };

/**
 * Starts `first`, then `second`, while a transaction of the test holds the lock that both need, and then releases it. Both
 * have done all reads that come before the lock, so a decision based on them fails every time and not by chance.
 * PostgreSQL grants the lock in the order of requests. A call that settles without the lock counts as arrived.
 */
export async function interleave<A, B>(
  app: TestService,
  hold: (tx: Tx) => Promise<unknown>,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[Settled<A>, Settled<B>]> {
  let settledCount = 0;
  const start = <T>(act: () => Promise<T>): Promise<Settled<T>> =>
    act()
      .then(
        (value): Settled<T> => ({ ok: true, value }),
        (error: Error): Settled<T> => ({ ok: false, error }),
      )
      .finally(() => {
        settledCount += 1;
      });
  const arrived = async (count: number) => {
    const deadline = performance.now() + 20_000;
    while (settledCount + (await countWaiting(app)) < count) {
      if (performance.now() > deadline) throw new Error(`${count} calls should wait for the lock by now`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const started = await app.db.transaction(async (tx) => {
    await hold(tx);
    const one = start(first);
    await arrived(1);
    const two = start(second);
    await arrived(2);
    return [one, two] as const;
  });
  return Promise.all(started);
}

/** Connections of this database that wait for a lock. Those of the service's own sweeps don't count, which refer to accounts. */
async function countWaiting(app: TestService): Promise<number> {
  const rows = await app.db.query({
    name: '',
    text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query !~ 'request_log|account_storage'`,
    values: [],
  });
  return rows.length;
}

/** Locks one row. `table` and `column` come from the test, so they are safe in SQL. */
export function holdRow(table: string, column: string, value: string) {
  return (tx: Tx) =>
    tx.query({ name: '', text: `select 1 from ${table} where ${column} = $1 for update`, values: [value] });
}
