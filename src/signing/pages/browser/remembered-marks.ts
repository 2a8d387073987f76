import { element } from './elements.ts';
import type { TabKind } from './signature-tabs.ts';

/** A mark as it was made: by typing, drawing or choosing an image. Pictures are PNGs in base64. */
export interface RememberedMark {
  text: string;
  tab: TabKind;
  drawn: string | null;
  uploaded: string | null;
  /** Somebody has placed it: the next field takes it without asking. */
  wasPlaced: boolean;
}

export type MarkKind = 'signature' | 'initials';

/**
 * For as long as the tab is open, so that a reload in the middle costs nobody their signature. Under the address of the
 * link: who signs next on the same device has another.
 */
export function recallMark(kind: MarkKind): RememberedMark | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(kind)) ?? 'null') as RememberedMark | null;
  } catch {
    return null;
  }
}

export function rememberMark(kind: MarkKind, mark: RememberedMark): void {
  try {
    sessionStorage.setItem(keyOf(kind), JSON.stringify(mark));
  } catch {
    // Storage is full or switched off: a reload will then ask for the mark again.
  }
}

export function forgetMarks(): void {
  for (const kind of ['signature', 'initials'] as const) sessionStorage.removeItem(keyOf(kind));
}

function keyOf(kind: MarkKind): string {
  return `countersign-${kind} ${element('page').dataset.address}`;
}
