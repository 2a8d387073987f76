import type { Log } from '../world/log.ts';
import type { Queryable } from './database.ts';

export interface Notifier {
  /** `payload`: what it is about, such as an account's id. What is said twice before it is heard is said once. */
  notify(channel: string, payload?: string): void;
  /** When what was asked for has been said. Never rejects. */
  settled(): Promise<void>;
}

/**
 * Says NOTIFY on a connection of its own right after a commit, and once for all commits that came while the last was
 * being said. Inside a transaction it would hold a lock of the whole server until that commit is on the disk, so that
 * no two could share a write. What a crash in between or a failure leaves unsaid, listeners find by polling.
 */
export function createNotifier({ query }: Queryable, log: Log): Notifier {
  /** Channel and payload, with a line break between. */
  const asked = new Set<string>();
  let saying: Promise<void> | null = null;

  async function sayAll(): Promise<void> {
    while (asked.size > 0) {
      const notes = [...asked].map((note) => note.split('\n') as [channel: string, payload: string]);
      asked.clear();
      await say(notes).catch((error) => log.debug('could not notify', { notes, error }));
    }
    saying = null;
  }

  async function say(notes: readonly [channel: string, payload: string][]): Promise<void> {
    await query({
      name: 'notify',
      text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as note (channel, payload)',
      values: [notes.map(([channel]) => channel), notes.map(([, payload]) => payload)],
    });
  }

  return {
    notify(channel, payload = '') {
      asked.add(`${channel}\n${payload}`);
      saying ??= sayAll();
    },
    async settled() {
      await saying;
    },
  };
}
