import type { Connection } from './connection.ts';

export interface KeptConnections {
  /**
   * Takes the most recently used connection, which is the least likely to be closed. A request on a closed one throws
   * `ConnectionSpentError`.
   */
  take(key: string): Connection | null;
  keep(connection: Connection): void;
  /** Call it for each connection that closes. */
  forget(connection: Connection): void;
  close(): void;
}

/** Keeps up to `connectionsMax` idle connections. The longest idle one is closed first. */
export function createKeptConnections(connectionsMax: number): KeptConnections {
  const byKey = new Map<string, Connection[]>();
  const idleLongestFirst = new Set<Connection>();

  function forget(connection: Connection): void {
    if (!idleLongestFirst.delete(connection)) return;
    const sameKey = byKey.get(connection.key) ?? [];
    sameKey.splice(sameKey.lastIndexOf(connection), 1);
    if (sameKey.length === 0) byKey.delete(connection.key);
  }

  return {
    take(key) {
      const connection = byKey.get(key)?.at(-1) ?? null;
      if (connection !== null) forget(connection);
      return connection;
    },
    keep(connection) {
      const sameKey = byKey.get(connection.key);
      if (sameKey === undefined) byKey.set(connection.key, [connection]);
      else sameKey.push(connection);
      idleLongestFirst.add(connection);
      for (const oldest of idleLongestFirst) {
        if (idleLongestFirst.size <= connectionsMax) return;
        forget(oldest);
        oldest.socket.destroy();
      }
    },
    forget,
    close() {
      for (const connection of [...idleLongestFirst]) {
        forget(connection);
        connection.socket.destroy();
      }
    },
  };
}
