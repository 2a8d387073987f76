import type { DownloadSlots } from './import-deps.ts';

interface Waiting {
  account: string;
  admit(): void;
}

/**
 * Admits waiting downloads in the order they came, but skips those whose account holds `perAccountMax` slots, so that
 * one account's slow files leave room for others.
 */
export function createDownloadSlots(slotsMax: number, perAccountMax: number): DownloadSlots {
  let free = slotsMax;
  const held = new Map<string, number>();
  const waiting = new Set<Waiting>();

  const hasRoom = (account: string) => free > 0 && (held.get(account) ?? 0) < perAccountMax;

  function take(account: string): void {
    free -= 1;
    held.set(account, (held.get(account) ?? 0) + 1);
  }

  async function enter(account: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (hasRoom(account)) return take(account);
    await new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        account,
        admit() {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = () => {
        waiting.delete(entry);
        reject(signal.reason);
      };
      waiting.add(entry);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  function leave(account: string): void {
    free += 1;
    const left = (held.get(account) ?? 1) - 1;
    if (left === 0) held.delete(account);
    else held.set(account, left);
    const next = [...waiting].find((entry) => hasRoom(entry.account));
    if (next === undefined) return;
    waiting.delete(next);
    take(next.account);
    next.admit();
  }

  return {
    async use(account, signal, work) {
      await enter(account, signal);
      try {
        return await work();
      } finally {
        leave(account);
      }
    },
  };
}
