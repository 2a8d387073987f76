/**
 * Waits for all of them. The first that fails tells the others to stop, through `failing`, and its failure is thrown when
 * they have.
 */
export async function runTogether(works: ReadonlyArray<Promise<unknown>>, failing: AbortController): Promise<void> {
  for (const work of works) work.catch((error) => failing.abort(error));
  await Promise.allSettled(works);
  failing.signal.throwIfAborted();
}
