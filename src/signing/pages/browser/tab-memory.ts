import { element, isPreview } from './elements.ts';

/**
 * What a page keeps for as long as its tab is open, so that a reload in the middle costs nobody anything. Under the address
 * of the link: who signs next on the same device has another.
 */
export type Remembered = 'signature' | 'initials' | 'unsaved';

export function recall<T>(what: Remembered): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(what)) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

export function remember(what: Remembered, value: unknown): void {
  if (isPreview()) return;
  try {
    sessionStorage.setItem(keyOf(what), JSON.stringify(value));
  } catch {
    // Storage is full or switched off: after a reload it is asked for again.
  }
}

/** When all is done: the next person on this device starts with nothing. */
export function forgetAll(): void {
  for (const what of ['signature', 'initials', 'unsaved'] as const) sessionStorage.removeItem(keyOf(what));
}

function keyOf(what: Remembered): string {
  return `countersign-${what} ${element('page').dataset.address}`;
}
