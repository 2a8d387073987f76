type Piece<Item> = [Item, ...Item[]];

/** Splits a list between neighbours that have a boundary between them. */
export function split<Item>(
  items: readonly Item[],
  isBoundary: (previous: Item, next: Item) => boolean,
): Array<Piece<Item>> {
  const pieces: Array<Piece<Item>> = [];
  let latest: Piece<Item> | undefined;
  for (const item of items) {
    const previous = latest?.at(-1);
    if (latest === undefined || previous === undefined || isBoundary(previous, item)) {
      latest = [item];
      pieces.push(latest);
    } else latest.push(item);
  }
  return pieces;
}
