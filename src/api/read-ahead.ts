import { ApiError } from '../errors.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Caller } from './caller.ts';

/**
 * What a request reads while its key is still being checked. `read` is called with the caller that the key had at its last
 * use. The result counts only if the check finds the same caller and admits the request.
 */
export type ReadAhead = (caller: Caller, db: Queryable) => Promise<unknown>;

/** A read that was started ahead. */
export interface Ahead {
  caller: Caller;
  result: Promise<unknown>;
}

const callersMax = 10_000;

/**
 * Sends the read of a request along with the statement that checks its key, so that a request that comes alone waits for
 * one round trip. Only one such read runs at a time: a read that hangs must not take the connections that keys are checked on.
 */
export function createReadsAhead() {
  /** The last caller of each key, by the key's hash. A key keeps its company for life. */
  const callers = new Map<string, Caller>();
  let isReading = false;

  return {
    /** Remembers who had the key. */
    note(hash: Buffer, caller: Caller): void {
      if (callers.size >= callersMax) callers.clear();
      callers.set(hash.toString('latin1'), caller);
    },

    /** Starts the read on `db`. Returns null for an unknown key, and while another one runs. */
    start(hash: Buffer | undefined, read: ReadAhead | undefined, db: Queryable): Ahead | null {
      if (hash === undefined || read === undefined || isReading) return null;
      const caller = callers.get(hash.toString('latin1'));
      if (caller === undefined) return null;
      isReading = true;
      const result = read(caller, db).finally(() => {
        isReading = false;
      });
      // It is nobody's error when the request is refused.
      result.catch(() => {});
      return { caller, result };
    },
  };
}

/**
 * Returns what was read ahead for this caller, or what `read` returns. A read that failed is repeated, because the failure
 * may be that of the connection on which keys are checked.
 */
export async function resultOf(ahead: Ahead | null, caller: Caller, read: () => Promise<unknown>): Promise<unknown> {
  if (ahead === null || !isSame(ahead.caller, caller)) return read();
  try {
    return await ahead.result;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) throw error;
    return read();
  }
}

function isSame(a: Caller, b: Caller): boolean {
  return a.keyId === b.keyId && a.accountId === b.accountId && a.mode === b.mode && `${a.scopes}` === `${b.scopes}`;
}
