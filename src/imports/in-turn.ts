/** Runs `work` once what was given before for the same account has ended, whether it succeeded or not. */
export type InTurn = <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Makes the files of an account wait for its lock here instead of in the database, where each would hold a connection that
 * others need, and could wait longer than a statement may take.
 */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (accountId, work) => {
    const before = last.get(accountId) ?? Promise.resolve();
    const own = before.then(work, work);
    last.set(accountId, own);
    try {
      return await own;
    } finally {
      if (last.get(accountId) === own) last.delete(accountId);
    }
  };
}
