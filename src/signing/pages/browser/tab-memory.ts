import { type MarkKind, markKinds } from '../../../mark-kinds.ts';
import { element, isPreview } from './elements.ts';

/**
 * Values that a page stores until its tab closes, so that a reload loses nothing. They are stored by the link's address,
 * so the next person at the same device doesn't get them.
 */
export type Remembered = MarkKind | 'unsaved' | 'entered' | 'view';

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
    // Storage is full or disabled. After a reload the person enters it again.
  }
}

/** Deletes everything when the person has finished, for the next one at this device. */
export function forgetAll(): void {
  try {
    for (const what of [...markKinds, 'unsaved', 'entered', 'view'] as const) sessionStorage.removeItem(keyOf(what));
  } catch {
    // Storage is disabled, so there is nothing.
  }
}

function keyOf(what: Remembered): string {
  return `countersign-${what} ${element('page').dataset.address}`;
}
