import type { Log } from '../platform/log.ts';
import { listen } from '../postgres/listen.ts';
import { documentsChannel } from './audit.ts';

/** A page or program with an open event stream. */
export interface Watcher {
  accountId: string;
  /** The person, or the API key. */
  watcherId: string;
  /** Called when something in the account has changed, for the watcher to read it again. */
  tell(): void;
  end(): void;
}

export interface LiveUpdates {
  /** Adds a watcher. Returns a function that removes it, or null if this person or key, or all together, have too many. */
  watch(watcher: Watcher): (() => void) | null;
  /** Ends every stream. */
  stop(): Promise<void>;
}

/** Minimum time between two events of a watcher. */
const restMs = 500;
const watchersMax = 1000;
const watchesMax = 20;

/** Listens for changes with one LISTEN for the whole process. It starts with the first watcher. */
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

  /** Notifies the watchers of an account. Without an account it notifies all, because notifications were missed. */
  function onChange(accountId: string | null): void {
    for (const watcher of watchers) {
      if (accountId === null || watcher.accountId === accountId) changed.add(watcher.accountId);
    }
    if (changed.size > 0) timer ??= setTimeout(tellAll, restMs);
  }

  return {
    watch(watcher) {
      const own = [...watchers].filter(({ watcherId }) => watcherId === watcher.watcherId);
      if (watchers.size >= watchersMax || own.length >= watchesMax) return null;
      listening ??= listen(databaseUrl, [documentsChannel], log, (change) => onChange(change?.payload ?? null));
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
