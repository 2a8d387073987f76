import { isHidden } from '../accounts/document-access.ts';
import type { Queryable } from '../postgres/database.ts';
import type { RowFault } from './check-rows.ts';
import type { RowStatus } from './list-bulk-sends.ts';

/** A row of a bulk send. `code` of a failed row is the error code of its sending. */
export interface ListedRow {
  number: number;
  status: RowStatus;
  /** Null after the recipient was erased. */
  cells: string[] | null;
  faults: Array<Omit<RowFault, 'code'> & { code: string }>;
  duplicate_of: number | null;
  document_id: string | null;
  /** Whether the reader may not see its document. */
  is_hidden: boolean;
}

/**
 * Lists rows in the order of the file. `afterNumber`: the last row of the page before, or 0. `statuses`: null for all.
 * `readerId`: from `readerIdOf`.
 */
export async function listRows(
  db: Queryable,
  { accountId, id }: { accountId: string; id: string },
  {
    readerId,
    statuses,
    afterNumber,
    limit,
  }: { readerId: string | null; statuses: readonly RowStatus[] | null; afterNumber: number; limit: number },
): Promise<ListedRow[]> {
  return db.query<ListedRow>({
    name: 'list_bulk_send_rows',
    text: `select b.number, b.status, b.cells, b.faults, b.duplicate_of, b.document_id,
             ${isHidden('d', '$6')} as is_hidden
           from bulk_send_rows b left join documents d on d.account_id = b.account_id and d.id = b.document_id
           where b.account_id = $1 and b.bulk_send_id = $2 and b.number > $3
             and ($4::text[] is null or b.status = any ($4)) order by b.number limit $5`,
    values: [accountId, id, afterNumber, statuses, limit, readerId],
  });
}
