/**
 * Runs `work` for every item, `atOnce` at a time, and returns the results in the items' order. After a failure it starts
 * nothing more, waits for what is running, and throws the first failure.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      await work(item, index).then(
        (result) => {
          results[index] = result;
        },
        (error) => failures.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
