import { documentsChannel } from '../documents/changes.ts';
import { listen } from '../postgres/listen.ts';
import type { Log } from '../world/log.ts';

/** One page that is open somewhere, and the stream of events it reads. */
export interface Watcher {
  accountId: string;
  personId: string;
  /** Something in the account has changed: not what, since a page asks for what it shows of it. */
  tell(): void;
  end(): void;
}

export interface LiveUpdates {
  /** Until what is returned is called. Null: one person, or all together, have too many open. */
  watch(watcher: Watcher): (() => void) | null;
  /** Ends every stream. */
  stop(): Promise<void>;
}

/** However fast documents change, nobody is told more often. */
const restMs = 500;
const watchersMax = 1000;
const watchersPerPersonMax = 20;

/** One LISTEN for the whole process, begun when somebody first watches, so that a service without a console has none. */
export function createLiveUpdates(databaseUrl: string, log: Log): LiveUpdates {
  const watchers = new Set<Watcher>();
  const changed = new Set<string>();
  let listening: ReturnType<typeof listen> | null = null;
  let timer: NodeJS.Timeout | null = null;

  function tellAll(): void {
    timer = null;
    for (const { accountId, tell } of watchers) if (changed.has(accountId)) tell();
    changed.clear();
  }

  /** Without an account: notifications were missed, so everything may have changed. */
  function onChange(accountId: string | null): void {
    for (const watcher of watchers) {
      if (accountId === null || watcher.accountId === accountId) changed.add(watcher.accountId);
    }
    if (changed.size > 0) timer ??= setTimeout(tellAll, restMs);
  }

  return {
    watch(watcher) {
      const own = [...watchers].filter(({ personId }) => personId === watcher.personId);
      if (watchers.size >= watchersMax || own.length >= watchersPerPersonMax) return null;
      listening ??= listen(databaseUrl, documentsChannel, log, onChange);
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      for (const { end } of watchers) end();
      await listening?.stop();
    },
  };
}
