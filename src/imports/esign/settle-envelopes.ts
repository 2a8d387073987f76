import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import type { FailureReason } from '../import.ts';
import type { Lease } from '../lease.ts';

export interface SettledEnvelope {
  itemId: string;
  /** Why it failed, or null. */
  reason: FailureReason | null;
  documentId: string | null;
  isDuplicate: boolean;
  bytes: number | null;
  pages: number | null;
}

/**
 * Ends items and updates the import's counts in one statement, under the import's lock. The import itself continues,
 * because more may be listed.
 */
export async function settleEnvelopes(
  world: World,
  tx: Tx,
  { importId }: Lease,
  settled: readonly SettledEnvelope[],
  isToUnlock: boolean,
): Promise<void> {
  const [{ ended }] = (await tx.query<{ ended: number }>({
    name: 'settle_envelopes',
    text: `with ended as (
             update import_items i
             set status = case when s.reason is null then 'filed' else 'failed' end, reason = s.reason,
               document_id = s.document_id, duplicate = s.duplicate, bytes = s.bytes, pages = s.pages,
               finished_at = $8,
               unlock_status = case when i.unlock_status is null or ($9 and s.reason is null) then i.unlock_status
                 else 'skipped' end
             from unnest($2::uuid[], $3::text[], $4::uuid[], $5::boolean[], $6::bigint[], $7::int[])
               as s (id, reason, document_id, duplicate, bytes, pages)
             where i.id = s.id and i.import_id = $1 and i.status in ('queued', 'running')
             returning i.id, i.status
           ), counted as (
             select count(*)::int as n, count(*) filter (where status = 'filed')::int as filed from ended
           ), moved as (
             update imports set filed = imports.filed + c.filed, failed = imports.failed + c.n - c.filed
             from counted c where id = $1 and c.n > 0
           ), done as (
             update esign_envelopes e set envelope = null from ended where e.item_id = ended.id
           ), progressed as (
             update esign_sweeps set progressed_at = $8 where import_id = $1
           )
           select n as ended from counted`,
    values: [
      importId,
      settled.map(({ itemId }) => itemId),
      settled.map(({ reason }) => reason),
      settled.map(({ documentId }) => documentId),
      settled.map(({ isDuplicate }) => isDuplicate),
      settled.map(({ bytes }) => bytes),
      settled.map(({ pages }) => pages),
      world.clock.now(),
      isToUnlock,
    ],
  })) as [{ ended: number }];
  if (ended !== settled.length) throw new Error(`${settled.length - ended} items of import ${importId} ended before`);
}
