import type { Log } from '../world/log.ts';
import type { Queryable } from './database.ts';

export interface Notifier {
  notify(channel: string): void;
  /** When what was asked for has been said. Never rejects. */
  settled(): Promise<void>;
}

/**
 * Says NOTIFY on a connection of its own right after a commit, and once for all commits that came while the last was
 * being said. Inside a transaction it would hold a lock of the whole server until that commit is on the disk, so that
 * no two could share a write. What a crash in between or a failure leaves unsaid, listeners find by polling.
 */
export function createNotifier({ query }: Queryable, log: Log): Notifier {
  const asked = new Set<string>();
  let saying: Promise<void> | null = null;

  async function sayAll(): Promise<void> {
    while (asked.size > 0) {
      const channels = [...asked];
      asked.clear();
      await say(channels).catch((error) => log.debug('could not notify', { channels, error }));
    }
    saying = null;
  }

  async function say(channels: string[]): Promise<void> {
    await query({
      name: 'notify',
      text: "select pg_notify(channel, '') from unnest($1::text[]) as channel",
      values: [channels],
    });
  }

  return {
    notify(channel) {
      asked.add(channel);
      saying ??= sayAll();
    },
    async settled() {
      await saying;
    },
  };
}
