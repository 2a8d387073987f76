import type { Queryable } from '../../postgres/database.ts';
import type { ImportItem } from '../import.ts';

export interface UploadedItem {
  accountId: string;
  importId: string;
  itemId: string;
}

export type UploadOutcome = Pick<ImportItem, 'status' | 'reason' | 'duplicate'>;

/** Returns the current state of one file of an upload, or null. */
export async function findOutcome(db: Queryable, item: UploadedItem): Promise<UploadOutcome | null> {
  const rows = await db.query<UploadOutcome>({
    name: 'find_upload_outcome',
    text: `select status, reason, duplicate from import_items
           where account_id = $1 and import_id = $2 and id = $3`,
    values: [item.accountId, item.importId, item.itemId],
  });
  return rows[0] ?? null;
}
