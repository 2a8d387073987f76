import type pg from 'pg';
import type { Pool } from './pool.ts';

/** Few, because each one woken costs a switch of processes; several, so that a slow read holds up only some others. */
const sharedMax = 4;

interface SharedConnection {
  client: Promise<pg.PoolClient>;
  readsInFlight: number;
  failures: Error[];
  onError: (error: Error) => void;
}

/**
 * Lends a few connections of the pool to many short reads at once. Requests that were admitted together read together:
 * pipelined, their statements wake a server process once instead of one each, which is most of what a short read costs.
 * Each is a transaction of its own, and one that the server refuses fails alone; a connection that breaks fails all reads
 * on it. After a failure a connection is lent no further, and is not used again once its last read is done.
 */
export function shareConnections(pool: Pool) {
  // Those that are lent are busy, all of them: without a read they are given back at once.
  const lent = new Set<SharedConnection>();

  return async <Result>(read: (client: Promise<pg.PoolClient>) => Promise<Result>): Promise<Result> => {
    const connection = lent.size < sharedMax ? borrow() : leastBusy();
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
        lent.delete(connection);
      },
    };
    lent.add(connection);
    connection.client.then((client) => client.on('error', connection.onError), connection.onError);
    return connection;
  }

  function leastBusy(): SharedConnection {
    return [...lent].reduce((least, next) => (next.readsInFlight < least.readsInFlight ? next : least));
  }

  function giveBack(connection: SharedConnection): void {
    const { client, failures, onError } = connection;
    lent.delete(connection);
    const release = (taken: pg.PoolClient) => {
      taken.off('error', onError);
      pool.giveBack(taken, failures);
    };
    // A connection that could not be made was never taken.
    client.then(release, () => {});
  }
}
