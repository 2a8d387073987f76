import type { World } from '../platform/world.ts';
import { DatabaseFailure, sqlState } from '../postgres/database.ts';

export interface DueDocument {
  id: string;
  account_id: string;
}

/** What a sweep does with the documents that are due. `failures` is filled by `eachDue`. */
export interface Sweep {
  /** For the log, such as "expire a document". */
  purpose: string;
  stopping: AbortSignal;
  failures: unknown[];
}

/**
 * Works on the documents in turn. One that fails is logged and does not stop those after it. The caller throws the first of
 * the failures at its end, so that the sweep counts as failed. Throws at once while the database can't be reached, and when
 * the process stops.
 */
export async function eachDue<Due extends DueDocument>(
  world: World,
  { purpose, stopping, failures }: Sweep,
  due: Iterable<Due>,
  work: (document: Due) => Promise<void>,
): Promise<void> {
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
}

/** Throws the first failure, if there is one. */
export function throwFirst([first]: readonly unknown[]): void {
  if (first !== undefined) throw first;
}
