import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { BulkSend, StopReason } from './bulk-send.ts';

export const rowStatuses = ['ready', 'faulty', 'sent', 'failed'] as const;
export type RowStatus = (typeof rowStatuses)[number];

/** A bulk send with what its page shows. */
export interface ListedBulkSend extends Pick<BulkSend, 'id' | 'template_version' | 'status'> {
  stop_reason: StopReason | null;
  file_name: string;
  columns: string[];
  created_at: Timestamp;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
}

const shown = 'id, template_version, status, stop_reason, file_name, columns, created_at, started_at, ended_at';

/** Finds a bulk send of a template. */
export async function findBulkSend(
  db: Queryable,
  accountId: string,
  templateId: string,
  id: string,
): Promise<ListedBulkSend | null> {
  const rows = await db.query<ListedBulkSend>({
    name: 'find_bulk_send',
    text: `select ${shown} from bulk_sends where account_id = $1 and template_id = $2 and id = $3`,
    values: [accountId, templateId, id],
  });
  return rows[0] ?? null;
}

/** Lists the bulk sends of a template, newest first. `afterId`: the last one of the page before. */
export async function listBulkSends(
  db: Queryable,
  templateId: string,
  { accountId, afterId, limit }: { accountId: string; afterId: string | null; limit: number },
): Promise<ListedBulkSend[]> {
  return db.query<ListedBulkSend>({
    name: 'list_bulk_sends',
    text: `select ${shown} from bulk_sends
           where account_id = $1 and template_id = $2 and ($3::uuid is null or id < $3) order by id desc limit $4`,
    values: [accountId, templateId, afterId, limit],
  });
}

/** Counts the bulk sends of a template that were not started. */
export async function countUnstarted(db: Queryable, accountId: string, templateId: string): Promise<number> {
  const [found] = await db.query<{ count: number }>({
    name: 'count_unstarted_bulk_sends',
    text: `select count(*)::int as count from bulk_sends
           where account_id = $1 and template_id = $2 and status = 'checked'`,
    values: [accountId, templateId],
  });
  return found?.count ?? 0;
}

/** The rows of a bulk send by their status, and how many of all have the content of an earlier one. */
export interface RowCounts extends Record<RowStatus, number> {
  duplicates: number;
}

/** Counts the rows of bulk sends, by the id of the bulk send. */
export async function countRows(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RowCounts>> {
  const rows = await db.query<{ id: string; status: RowStatus; rows: number; duplicates: number }>({
    name: 'count_bulk_send_rows',
    text: `select bulk_send_id as id, status, count(*)::int as rows, count(duplicate_of)::int as duplicates
           from bulk_send_rows where account_id = $1 and bulk_send_id = any ($2::uuid[]) group by bulk_send_id, status`,
    values: [accountId, ids],
  });
  const counts = new Map(ids.map((id) => [id, { ready: 0, faulty: 0, sent: 0, failed: 0, duplicates: 0 }]));
  for (const { id, status, rows: count, duplicates } of rows) {
    const own = counts.get(id);
    if (own === undefined) continue;
    own[status] = count;
    own.duplicates += duplicates;
  }
  return counts;
}
