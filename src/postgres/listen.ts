import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../platform/log.ts';

const reconnectMs = 1000;

export interface Notification {
  channel: string;
  /** Empty for a notification without one. */
  payload: string;
}

/**
 * Calls `onNotify` for each notification on one of the channels. It uses its own connection and reconnects when that
 * breaks. Notifications sent while disconnected are lost. So `onNotify` is also called with null after each connect,
 * and callers that need every change also poll.
 */
export function listen(
  url: string,
  channels: readonly string[],
  log: Log,
  onNotify: (notification: Notification | null) => void,
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
    client.on('notification', ({ channel, payload }) => onNotify({ channel, payload: payload ?? '' }));
    const listening = async () => {
      await client.connect();
      await client.query(channels.map((channel) => `listen ${channel}`).join('; '));
      onNotify(null);
      await ended;
    };
    try {
      await Promise.race([listening(), stopped]);
    } finally {
      // Not awaited: a dead or silent server never confirms it.
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
