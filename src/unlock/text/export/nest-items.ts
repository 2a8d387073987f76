import type { ListItem } from '../../blocks.ts';

export interface Nested {
  item: ListItem;
  inner: Nested[];
}

/** Nests list items by their levels, each in the last item of an outer level. */
export function nestItems(items: readonly ListItem[]): Nested[] {
  const outermost: Nested[] = [];
  const path: Nested[] = [];
  for (const item of items) {
    while ((path.at(-1)?.item.level ?? -1) >= item.level) path.pop();
    const nested = { item, inner: [] };
    (path.at(-1)?.inner ?? outermost).push(nested);
    path.push(nested);
  }
  return outermost;
}
