export interface Batches<Item> {
  /** Resolves when there is room for more, not when the item is recorded. Throws what recording threw. */
  add(item: Item): Promise<void>;
  /** When everything added is recorded. Throws what recording threw. */
  settled(): Promise<void>;
}

/** Records items in batches, one after the other: what is added while one is recorded makes the next. */
export function createBatches<Item>(itemsMax: number, record: (batch: Item[]) => Promise<void>): Batches<Item> {
  let waiting: Item[] = [];
  let recording: Promise<void> | null = null;
  let failure: { error: unknown } | null = null;

  async function recordWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, itemsMax);
      waiting = waiting.slice(itemsMax);
      await record(batch);
    }
  }

  function start(): void {
    recording ??= recordWaiting()
      .catch((error) => {
        failure ??= { error };
      })
      .finally(() => {
        recording = null;
      });
  }

  const assertWell = () => {
    if (failure !== null) throw failure.error;
  };

  return {
    async add(item) {
      assertWell();
      waiting.push(item);
      start();
      while (recording !== null && waiting.length >= itemsMax) await recording;
      assertWell();
    },
    async settled() {
      while (recording !== null) await recording;
      assertWell();
    },
  };
}
