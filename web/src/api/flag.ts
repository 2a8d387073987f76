/** Something that is so or not for the whole page, for `useSyncExternalStore`. */
export function createFlag() {
  let isSet = false;
  const listeners = new Set<() => void>();
  return {
    isSet: () => isSet,
    set(next: boolean): void {
      if (next === isSet) return;
      isSet = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
