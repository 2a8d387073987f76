import type { Log } from '../world/log.ts';
import type { Queryable } from './queryable.ts';

export interface Notifier {
  /**
   * At once; with a payload, such as the id of the account that it is about, within a fifth of a second. What is said
   * twice meanwhile is said once.
   */
  notify(channel: string, payload?: string): void;
  /** When what was asked for has been said. Never rejects. */
  settled(): Promise<void>;
}

/** Those who show something can wait that long, and a thousand changes a second cost five statements. */
const restMs = 200;

/**
 * Says NOTIFY on a connection of its own right after a commit, and once for all commits that came while the last was
 * being said. Inside a transaction it would hold a lock of the whole server until that commit is on the disk, so that
 * no two could share a write. What a crash in between or a failure leaves unsaid, listeners find by polling.
 */
export function createNotifier({ query }: Queryable, log: Log): Notifier {
  const asked = new Set<string>();
  /** Channel and payload, with a line break between. */
  const resting = new Set<string>();
  let saying: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  async function sayAll(): Promise<void> {
    while (asked.size > 0) {
      const notes = [...asked].map((note) => note.split('\n'));
      asked.clear();
      await say(notes).catch((error) => log.debug('could not notify', { notes, error }));
    }
    saying = null;
  }

  async function say(notes: readonly string[][]): Promise<void> {
    await query({
      name: 'notify',
      text: "select pg_notify(channel, coalesce(payload, '')) from unnest($1::text[], $2::text[]) as note (channel, payload)",
      values: [notes.map(([channel]) => channel), notes.map(([, payload]) => payload)],
    });
  }

  function wake(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const note of resting) asked.add(note);
    resting.clear();
    if (asked.size > 0) saying ??= sayAll();
  }

  return {
    notify(channel, payload) {
      if (payload === undefined) {
        asked.add(channel);
        saying ??= sayAll();
      } else {
        resting.add(`${channel}\n${payload}`);
        timer ??= setTimeout(wake, restMs);
      }
    },
    async settled() {
      wake();
      await saying;
    },
  };
}
