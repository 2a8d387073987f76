import type { World } from '../platform/world.ts';
import { DatabaseFailure, sqlState } from '../postgres/database.ts';

export interface DueDocument {
  id: string;
  account_id: string;
}

/** The row after which a sweep continues. Null: it begins with the first one. */
export interface Place<Row> {
  after: Row | null;
}

/**
 * Yields portions of what is due, each after the last row of the one before, because what failed is still due. A reader that
 * stops continues in its next run after the portion that it read last, when it passes the same place.
 */
export async function* portionsOf<Row>(
  size: number,
  find: (after: Row | null) => Promise<Row[]>,
  place: Place<Row> = { after: null },
): AsyncGenerator<Row[]> {
  do {
    const rows: Row[] = await find(place.after);
    place.after = rows.length < size ? null : (rows.at(-1) ?? null);
    yield rows;
  } while (place.after !== null);
}

/** How much a sweep reads at once, and after how many failures a run ends, because all may fail then, and each is logged. */
export interface SweepLimits {
  portion: number;
  failuresMax: number;
}

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
