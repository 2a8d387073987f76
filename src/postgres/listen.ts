import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../world/log.ts';

const reconnectMs = 1000;

/**
 * Calls `onNotify` for each notification on `channel`, on a connection of its own that is opened again when it breaks.
 * What was notified meanwhile is lost, so it is called after each opening too, with null in place of a payload; the
 * caller polls beside it, or can do without.
 */
export function listen(
  url: string,
  channel: string,
  log: Log,
  onNotify: (payload: string | null) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));

  const listenOnce = async () => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'countersign listen',
      connectionTimeoutMillis: 2000,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('error', (error) => log.debug('notifications interrupted', { error }));
    client.on('notification', ({ payload }) => onNotify(payload ?? ''));
    const listening = async () => {
      await client.connect();
      await client.query(`listen ${channel}`);
      onNotify(null);
      await ended;
    };
    try {
      await Promise.race([listening(), stopped]);
    } finally {
      // Not waited for: a server that is gone or silent never confirms it.
      client.end().catch(() => {});
    }
  };

  const keepListening = async () => {
    while (!stopping.signal.aborted) {
      await listenOnce().catch((error) => log.debug('notifications cannot be received', { error }));
      await sleep(reconnectMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  };
  const running = keepListening();

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
