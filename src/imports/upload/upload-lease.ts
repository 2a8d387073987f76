import type { World } from '../../platform/world.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Lease } from '../lease.ts';
import type { UploadedItem } from './find-outcome.ts';

/**
 * Returns the lease of an upload. A browser's files may reach any process, so the lease belongs to the import itself, and
 * each process that receives a file renews it. If nothing comes for `silenceMsMax`, a worker takes the lease and ends the
 * missing files as `interrupted`.
 */
export function uploadLease(importId: string): Lease {
  return { importId, leaseId: importId };
}

export const silenceMsMax = 30_000;

/** Gives the import its own lease, for `silenceMsMax`. In a transaction the caller holds the lock of its row. */
export async function holdUpload(world: World, db: Queryable, importId: string): Promise<void> {
  await db.query({
    name: 'hold_upload',
    text: 'update imports set lease_id = id, leased_until = $2 where id = $1',
    values: [importId, silenceMax(world)],
  });
}

/** Renews the lease while it is held. Returns false once the item has ended or the lease is lost. */
export async function keepUpload(
  world: World,
  db: Queryable,
  { accountId, importId, itemId }: UploadedItem,
): Promise<boolean> {
  const kept = await db.query({
    name: 'keep_upload',
    text: `update imports m set leased_until = greatest(m.leased_until, $3)
           where m.account_id = $4 and m.id = $1 and m.lease_id = m.id and exists (
             select from import_items where import_id = $1 and id = $2 and status in ('queued', 'running')
           )
           returning 1`,
    values: [importId, itemId, silenceMax(world), accountId],
  });
  return kept.length > 0;
}

function silenceMax(world: World): Date {
  return new Date(world.clock.now().getTime() + silenceMsMax);
}
