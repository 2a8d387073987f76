import type { ListItem } from '../blocks.ts';

const plain = /^[•◦▪‣·∙*➢➤-]$/u;

/** Returns the marker of an item as text. All plain bullets are `•`. Boxes and ticks stay, because they may have a meaning. */
export function shownMarker({ ordered, marker }: Pick<ListItem, 'ordered' | 'marker'>): string {
  return !ordered && plain.test(marker) ? '•' : marker;
}
