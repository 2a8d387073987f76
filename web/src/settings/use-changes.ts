import { useRef, useState } from 'react';
import { ApiFailure } from '../api/client.ts';

/** Sends a change to the newest settings, which `send` gets, and shows what it returns. Returns why it failed, or null. */
export type Change<T> = (send: (newest: T) => Promise<T>) => Promise<unknown>;

interface Changes<T> {
  shown: T;
  change: Change<T>;
  /** Whether a change was refused because someone else had changed the settings. */
  isOutdated: boolean;
}

/**
 * Settings that several forms of a page change. Their changes are sent one after the other, so that each is based on the one
 * before, and no form makes another one's version outdated.
 */
export function useChanges<T>(saved: T): Changes<T> {
  const [shown, setShown] = useState(saved);
  const [isOutdated, setOutdated] = useState(false);
  const newest = useRef(new Promise<T>((resolve) => resolve(saved)));
  const change: Change<T> = async (send) => {
    const before = newest.current;
    const changed = before.then(send);
    newest.current = changed.catch(() => before);
    try {
      setShown(await changed);
      return null;
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.code === 'changed_meanwhile') setOutdated(true);
      return failure;
    }
  };
  return { shown, change, isOutdated };
}

/** Leaves out the entries that were sent and saved. Those that were typed meanwhile stay. */
export function withoutSent<Entries extends object>(now: Entries, sent: Entries): Partial<Entries> {
  const rest = Object.entries(now).filter(([key, value]) => value !== sent[key as keyof Entries]);
  return Object.fromEntries(rest) as Partial<Entries>;
}
