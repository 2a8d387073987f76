import type pg from 'pg';
import type { Pool } from './pool.ts';

/** Each active connection costs a process switch. Several are kept so that a slow read delays only some others. */
const sharedMax = 4;

interface SharedConnection {
  client: Promise<pg.PoolClient>;
  readsInFlight: number;
  failures: Error[];
  onError: (error: Error) => void;
}

/**
 * Shares a few connections of the pool among many short reads. Pipelined statements wake a server process once instead
 * of once each, which is most of the cost of a short read.
 * Each read is its own transaction. A read that the server refuses fails alone; a broken connection fails all reads on
 * it. After a failure a connection takes no new reads and is closed after its last one.
 */
export function shareConnections(pool: Pool) {
  // Every shared connection is busy: one without reads is released at once.
  const shared = new Set<SharedConnection>();

  return async <Result>(read: (client: Promise<pg.PoolClient>) => Promise<Result>): Promise<Result> => {
    const connection = shared.size < sharedMax ? borrow() : leastBusy();
    connection.readsInFlight += 1;
    try {
      return await read(connection.client);
    } catch (error) {
      connection.onError(error as Error);
      throw error;
    } finally {
      connection.readsInFlight -= 1;
      if (connection.readsInFlight === 0) giveBack(connection);
    }
  };

  function borrow(): SharedConnection {
    const connection: SharedConnection = {
      client: pool.take(),
      readsInFlight: 0,
      failures: [],
      onError(error) {
        connection.failures.push(error);
        shared.delete(connection);
      },
    };
    shared.add(connection);
    connection.client.then((client) => client.on('error', connection.onError), connection.onError);
    return connection;
  }

  function leastBusy(): SharedConnection {
    return [...shared].reduce((least, next) => (next.readsInFlight < least.readsInFlight ? next : least));
  }

  function giveBack(connection: SharedConnection): void {
    const { client, failures, onError } = connection;
    shared.delete(connection);
    const release = (taken: pg.PoolClient) => {
      taken.off('error', onError);
      pool.giveBack(taken, failures);
    };
    // If connecting failed there is nothing to release.
    client.then(release, () => {});
  }
}
