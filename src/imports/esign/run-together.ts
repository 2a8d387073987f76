/** Waits for all promises. The first failure aborts `failing`, and is thrown once the others have stopped. */
export async function runTogether(works: ReadonlyArray<Promise<unknown>>, failing: AbortController): Promise<void> {
  for (const work of works) work.catch((error) => failing.abort(error));
  await Promise.allSettled(works);
  failing.signal.throwIfAborted();
}
