import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { allowErasing } from './allow-erasing.ts';

/** Rows of one statement. */
export const rowsAtOnce = 5000;

/** The erasure of one account. */
export interface AccountErasure {
  world: World;
  db: Database;
  accountId: string;
  /** Interrupts the erasure between two transactions. */
  stopping: AbortSignal;
  /** The local mailbox. Its messages of the account are removed. */
  mailboxDir?: string | undefined;
}

/** Deletes rows of a table without partitions, in batches. `table` and `where` come from the code. */
export async function deleteRows(
  { db, accountId, stopping }: AccountErasure,
  table: string,
  where: string,
): Promise<void> {
  for (;;) {
    stopping.throwIfAborted();
    const deleted = await db.transaction(async (tx) => {
      await allowErasing(tx);
      return tx.query({
        name: `erase_rows_of_${table}`,
        text: `delete from ${table} where ctid = any (array(
                 select ctid from ${table} where ${where} limit ${rowsAtOnce})) returning 1`,
        values: [accountId],
      });
    });
    if (deleted.length < rowsAtOnce) return;
  }
}
