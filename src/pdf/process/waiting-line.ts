/** What waits for a free place. Owners take turns, so that nobody waits behind the many entries of another. */
export interface WaitingLine<Entry> {
  /** Returns false when the line has no room, for this owner or at all. */
  add(owner: string, entry: Entry): boolean;
  /** Removes the entry whose turn it is: the oldest of the owner who has waited longest for a turn. */
  next(): Entry | undefined;
  /** Removes all entries. */
  clear(): Entry[];
}

/** `ownerMax`: the entries of one owner, `max`: those of all. */
export function createWaitingLine<Entry>({ ownerMax, max }: { ownerMax: number; max: number }): WaitingLine<Entry> {
  /** In the order of their turns. Nobody has an empty list. */
  const owners = new Map<string, Entry[]>();
  let size = 0;

  return {
    add(owner, entry) {
      const entries = owners.get(owner) ?? [];
      if (size >= max || entries.length >= ownerMax) return false;
      entries.push(entry);
      owners.set(owner, entries);
      size += 1;
      return true;
    },
    next() {
      const [first] = owners;
      if (first === undefined) return undefined;
      const [owner, entries] = first;
      const entry = entries.shift();
      owners.delete(owner);
      if (entries.length > 0) owners.set(owner, entries);
      size -= 1;
      return entry;
    },
    clear() {
      const all = [...owners.values()].flat();
      owners.clear();
      size = 0;
      return all;
    },
  };
}
