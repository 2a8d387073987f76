import type { Log } from '../platform/log.ts';
import { listen } from '../postgres/listen.ts';
import { documentsChannel } from './audit.ts';

/** A page or program with an open event stream. */
export interface Watcher {
  accountId: string;
  /** The person, or the API key. */
  watcherId: string;
  via: 'console' | 'api';
  /** Called when something in the account has changed, for the watcher to read it again. */
  tell(): void;
  end(): void;
}

/** Which limit is reached: that of the person or key, the API keys of the company together, or the process. */
export type TooMany = 'of_watcher' | 'of_company' | 'of_process';

export interface LiveUpdates {
  /** Adds a watcher. Returns a function that removes it, or why it is refused. */
  watch(watcher: Watcher): (() => void) | TooMany;
  /** Whether the process has as many streams as it can. */
  isFull(): boolean;
  /** Ends every stream. */
  stop(): Promise<void>;
}

/** Minimum time between two events of a watcher. */
const restMs = 500;
const processStreamsMax = 1000;
const watcherStreamsMax = 20;
const companyApiStreamsMax = 40;

/** Listens for changes with one LISTEN for the whole process. It starts with the first watcher. */
export function createLiveUpdates(databaseUrl: string, log: Log, streamsMax = processStreamsMax): LiveUpdates {
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

  function refuse({ accountId, watcherId, via }: Watcher): TooMany | null {
    const all = [...watchers];
    if (all.filter((other) => other.watcherId === watcherId).length >= watcherStreamsMax) return 'of_watcher';
    const ofCompany = all.filter((other) => other.via === 'api' && other.accountId === accountId);
    if (via === 'api' && ofCompany.length >= companyApiStreamsMax) return 'of_company';
    return watchers.size >= streamsMax ? 'of_process' : null;
  }

  return {
    watch(watcher) {
      const refusal = refuse(watcher);
      if (refusal !== null) return refusal;
      listening ??= listen(databaseUrl, [documentsChannel], log, (change) => onChange(change?.payload ?? null));
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    isFull: () => watchers.size >= streamsMax,
    async stop() {
      if (timer !== null) clearTimeout(timer);
      for (const { end } of watchers) end();
      await listening?.stop();
    },
  };
}
