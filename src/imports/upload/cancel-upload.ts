import type { World } from '../../platform/world.ts';
import type { Queryable } from '../../postgres/database.ts';

/**
 * Ends the open items of an upload as `interrupted`: those in `itemIds`, or all. Updates the import's counts in the same
 * statement; the last open item finishes the import.
 */
export async function cancelUpload(
  world: World,
  db: Queryable,
  { accountId, importId, itemIds }: { accountId: string; importId: string; itemIds: readonly string[] | null },
): Promise<void> {
  await db.query({
    name: 'cancel_upload',
    text: `with held as (
             select id from imports where account_id = $1 and id = $2 and source = 'upload' for update
           ), ended as (
             update import_items i
             set status = 'failed', reason = 'interrupted', finished_at = $3, reserved_bytes = 0,
               unlock_status = case when i.unlock_status is not null then 'skipped' end
             from held h
             where i.import_id = h.id and i.status in ('queued', 'running') and ($4::uuid[] is null or i.id = any ($4))
             returning 1
           )
           update imports m
           set failed = m.failed + e.n,
             status = case when m.filed + m.failed + e.n = m.total_files then 'finished' else 'running' end,
             finished_at = case when m.filed + m.failed + e.n = m.total_files then $3::timestamptz end
           from held h, (select count(*)::int as n from ended) e
           where m.id = h.id and e.n > 0`,
    values: [accountId, importId, world.clock.now(), itemIds],
  });
}
