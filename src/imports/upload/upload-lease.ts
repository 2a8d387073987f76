import type { Queryable } from '../../postgres/database.ts';
import type { World } from '../../world/world.ts';
import type { Lease } from '../lease.ts';
import type { UploadedItem } from './find-outcome.ts';

/**
 * A browser's files may come to any process, so the lease of such an import belongs to the import itself, and whoever
 * receives something of it renews it. When nothing has come for so long, the browser is gone: a worker takes the lease,
 * and what is missing ends as `interrupted`.
 */
export function uploadLease(importId: string): Lease {
  return { importId, leaseId: importId };
}

export const silenceMsMax = 30_000;

/** Takes the import into its own lease, for the next while. Its row is locked by whoever does this in a transaction. */
export async function holdUpload(world: World, db: Queryable, importId: string): Promise<void> {
  await db.query({
    name: 'hold_upload',
    text: 'update imports set lease_id = id, leased_until = $2 where id = $1',
    values: [importId, silenceMax(world)],
  });
}

/** Renews it, while it is held. `itemId`: what is being received; false when that is not wanted any more. */
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
