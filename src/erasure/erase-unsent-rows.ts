import { lockBulkSend } from '../bulk-send/bulk-send.ts';
import { canonicalEmail } from '../platform/canonical-email.ts';
import { dialable } from '../platform/dialable.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { endExports } from './end-exports.ts';
import type { Contact } from './find-recipients.ts';

/** A row of a bulk send that names a person and did not become a document. */
export interface UnsentRow {
  account_id: string;
  bulk_send_id: string;
  number: number;
}

const lookedAtMax = 5_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Finds the rows with the address or number in any cell. It walks through all rows, in steps that each end soon. */
export async function findUnsentRows(db: Queryable, contact: Contact, accountId: string | null): Promise<UnsentRow[]> {
  const found: UnsentRow[] = [];
  let after: UnsentRow = { account_id: firstId, bulk_send_id: firstId, number: 0 };
  for (;;) {
    const rows = await db.query<UnsentRow & { cells: string[] | null }>({
      name: 'unsent_rows_to_erase',
      text: `select account_id, bulk_send_id, number, case when document_id is null then cells end as cells
             from bulk_send_rows
             where (account_id, bulk_send_id, number) > ($1, $2, $3) and ($4::uuid is null or account_id = $4)
             order by account_id, bulk_send_id, number limit ${lookedAtMax}`,
      values: [after.account_id, after.bulk_send_id, after.number, accountId],
    });
    for (const { cells, ...row } of rows) if (cells?.some((cell) => isContact(cell, contact))) found.push(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < lookedAtMax) return found;
    after = last;
  }
}

function isContact(cell: string, { channel, address }: Contact): boolean {
  return channel === 'email' ? canonicalEmail(cell) === address : dialable(cell) === address;
}

/**
 * Empties rows, each in a transaction of its own. One that still waited to be sent fails, and the others are sent. Those that have
 * become a document meanwhile stay: run the erasure again. Returns how many were emptied.
 */
export async function eraseUnsentRows(world: World, db: Database, rows: readonly UnsentRow[]): Promise<number> {
  let emptied = 0;
  for (const { account_id: accountId, bulk_send_id: id, number } of rows) {
    emptied += await db.transaction(async (tx) => {
      const bulkSend = await lockBulkSend(tx, accountId, id);
      const erased = await tx.query({
        name: 'erase_unsent_row',
        text: `update bulk_send_rows set cells = null, faults = $4,
                 status = case when status <> 'ready' then status when $5 then 'faulty' else 'failed' end
               where account_id = $1 and bulk_send_id = $2 and number = $3 and document_id is null and cells is not null
               returning 1`,
        values: [
          ...[accountId, id, number, JSON.stringify([{ column: null, target: null, code: 'person_erased' }])],
          bulkSend?.status === 'checked',
        ],
      });
      if (erased.length > 0) await endExports(world, tx, [accountId]);
      return erased.length;
    });
  }
  return emptied;
}
