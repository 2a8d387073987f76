import type { World } from '../platform/world.ts';
import { DatabaseFailure, sqlState } from '../postgres/database.ts';

export interface DueDocument {
  id: string;
  account_id: string;
}

/** Yields portions of what is due, each after the last row of the one before, because what failed is still due. */
export async function* portionsOf<Row>(
  size: number,
  find: (after: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Row | null = null;
  do {
    const rows: Row[] = await find(after);
    yield rows;
    after = rows.length < size ? null : (rows.at(-1) ?? null);
  } while (after !== null);
}

/** A sweep that reads on after failures ends after this many: everything fails then, and each is logged. */
export const failuresMax = 5000;

/**
 * Does the work of a sweep on each document that is due. One that fails is logged and does not stop those after it. Returns the
 * failures: the sweep throws one at its end, so that it counts as failed. Throws at once while the database can't be reached,
 * and when the process stops. `purpose`: for the log, such as "expire a document".
 */
export async function eachDue<Due extends DueDocument>(
  world: World,
  purpose: string,
  due: Iterable<Due>,
  stopping: AbortSignal,
  work: (document: Due) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const document of due) {
    stopping.throwIfAborted();
    try {
      await work(document);
    } catch (error) {
      if (error instanceof DatabaseFailure && sqlState(error) === null) throw error;
      world.log.warn(`could not ${purpose}`, { document_id: document.id, account_id: document.account_id, error });
      failures.push(error);
    }
  }
  return failures;
}
