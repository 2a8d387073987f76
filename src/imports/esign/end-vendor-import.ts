import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { assertLeased, type Lease, LeaseLost } from '../lease.ts';
import type { VendorImportEnded } from './vendor-import-ended.ts';

/** Marks the import as finished once every item has ended. Throws `LeaseLost` if another process has taken over. */
export async function finishVendorImport(world: World, tx: Tx, { importId, leaseId }: Lease): Promise<void> {
  const finished = await tx.query({
    name: 'finish_sweep',
    text: `update imports set status = 'finished', finished_at = $3
           where id = $1 and lease_id = $2 and filed + failed = total_files returning 1`,
    values: [importId, leaseId, world.clock.now()],
  });
  if (finished.length === 0) throw new LeaseLost();
}

/**
 * Ends a vendor import that can't continue: its open items fail. If the list was never complete, one nameless failed
 * item is added, so that the counts don't look like those of a complete import.
 */
export async function failVendorImport(
  world: World,
  tx: Tx,
  lease: Lease,
  reason: VendorImportEnded['reason'],
): Promise<void> {
  await assertLeased(tx, lease);
  await tx.query({
    name: 'give_up_sweep',
    text: `with unlisted as (
             insert into import_items (id, account_id, import_id, status, reason, reserved_bytes, unlock_status,
               unlock_credits, created_at, finished_at)
             select $2, i.account_id, i.id, 'failed', $3, 0, case when i.unlock_doc then 'skipped' end,
               case when i.unlock_doc then 0 end, $4, $4
             from imports i join esign_sweeps s on s.import_id = i.id
             where i.id = $1 and s.looks = 0
             returning 1
           ), ended as (
             update import_items set status = 'failed', reason = $3, finished_at = $4,
               unlock_status = case when unlock_status is not null then 'skipped' end
             where import_id = $1 and status in ('queued', 'running')
             returning id
           ), forgotten as (
             update esign_envelopes e set envelope = null from ended where e.item_id = ended.id
           ), counted as (
             select (select count(*) from unlisted)::int as unlisted, (select count(*) from ended)::int as ended
           )
           update imports
           set total_files = total_files + c.unlisted, failed = failed + c.unlisted + c.ended, status = 'finished',
             finished_at = $4
           from counted c where id = $1`,
    values: [lease.importId, world.newId(), reason, world.clock.now()],
  });
}
