import type { Log } from '../platform/log.ts';
import type { Queryable } from './queryable.ts';

export interface Notifier {
  /**
   * Sends a notification. Without a payload it is sent at once. With a payload, such as an account id, it is sent
   * within 200 ms, and duplicates in that time are sent once.
   */
  notify(channel: string, payload?: string): void;
  /** Resolves when all notifications have been sent. Never rejects. */
  settled(): Promise<void>;
}

/** Delay of notifications with a payload. It turns a thousand changes a second into five statements. */
const delayMs = 200;

/**
 * Sends NOTIFY on its own connection after a commit, once for all commits since the previous one. Inside a transaction
 * NOTIFY holds a server-wide lock until the commit is on disk, so commits could not share a write.
 * Notifications lost in a crash or failure are found by polling.
 */
export function createNotifier({ query }: Queryable, log: Log): Notifier {
  const pending = new Set<string>();
  /** Each entry is channel and payload, separated by a line break. */
  const delayed = new Set<string>();
  let sending: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  async function sendAll(): Promise<void> {
    while (pending.size > 0) {
      const notes = [...pending].map((note) => note.split('\n'));
      pending.clear();
      await send(notes).catch((error) => log.debug('could not notify', { notes, error }));
    }
    sending = null;
  }

  async function send(notes: readonly string[][]): Promise<void> {
    await query({
      name: 'notify',
      text: "select pg_notify(channel, coalesce(payload, '')) from unnest($1::text[], $2::text[]) as note (channel, payload)",
      values: [notes.map(([channel]) => channel), notes.map(([, payload]) => payload)],
    });
  }

  function wake(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const note of delayed) pending.add(note);
    delayed.clear();
    if (pending.size > 0) sending ??= sendAll();
  }

  return {
    notify(channel, payload) {
      if (payload === undefined) {
        pending.add(channel);
        sending ??= sendAll();
      } else {
        delayed.add(`${channel}\n${payload}`);
        timer ??= setTimeout(wake, delayMs);
      }
    },
    async settled() {
      wake();
      await sending;
    },
  };
}
