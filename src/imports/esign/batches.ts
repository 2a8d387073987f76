export interface Batches<Item> {
  /** Resolves when there is room for another item, which may be before this one is recorded. Throws what recording threw. */
  add(item: Item): Promise<void>;
  /** Resolves when everything added is recorded. Throws what recording threw. */
  settled(): Promise<void>;
}

/** Records items in batches, one batch at a time. Items added meanwhile form the next batch. */
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

  const throwFailure = () => {
    if (failure !== null) throw failure.error;
  };

  return {
    async add(item) {
      throwFailure();
      waiting.push(item);
      start();
      while (recording !== null && waiting.length >= itemsMax) await recording;
      throwFailure();
    },
    async settled() {
      while (recording !== null) await recording;
      throwFailure();
    },
  };
}
