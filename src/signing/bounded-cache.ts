/**
 * A least-recently-used cache with a size limit in bytes. Concurrent requests for one name share one call of `make`.
 * Failures are not cached.
 */
export interface BoundedCache<Value> {
  get(name: string, make: () => Promise<Value>): Promise<Value>;
}

export function createBoundedCache<Value>(bytesMax: number, bytesOf: (value: Value) => number): BoundedCache<Value> {
  /** Ordered by last use, oldest first. */
  const kept = new Map<string, Value>();
  const making = new Map<string, Promise<Value>>();
  let bytes = 0;

  function keep(name: string, value: Value): void {
    kept.set(name, value);
    bytes += bytesOf(value);
    for (const [oldest, dropped] of kept) {
      if (bytes <= bytesMax) return;
      kept.delete(oldest);
      bytes -= bytesOf(dropped);
    }
  }

  async function makeOnce(name: string, make: () => Promise<Value>): Promise<Value> {
    try {
      const value = await make();
      keep(name, value);
      return value;
    } finally {
      making.delete(name);
    }
  }

  return {
    async get(name, make) {
      const value = kept.get(name);
      if (value !== undefined) {
        kept.delete(name);
        kept.set(name, value);
        return value;
      }
      const underWay = making.get(name) ?? makeOnce(name, make);
      making.set(name, underWay);
      return underWay;
    },
  };
}
