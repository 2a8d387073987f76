/**
 * What was made last and is asked for most, within a bound. What several ask for at once is made once; what failed is
 * not kept.
 */
export interface BoundedCache<Value> {
  get(name: string, make: () => Promise<Value>): Promise<Value>;
}

export function createBoundedCache<Value>(bytesMax: number, bytesOf: (value: Value) => number): BoundedCache<Value> {
  /** The one asked for longest ago comes first. */
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
