import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { FailureReason } from './import.ts';
import type { Lease } from './lease.ts';
import { LeaseLost } from './lease.ts';

export interface FiledItem {
  documentId: string;
  isDuplicate: boolean;
  bytes: number;
  pages: number;
  /** Whether a requested unlocking follows. Otherwise it is recorded as skipped. */
  isToUnlock: boolean;
}

/** Marks an item as running. Its reserved storage shrinks to the size that the source declares, if that is less. */
export async function beginItem(
  db: Queryable,
  lease: Lease,
  itemId: string,
  seen: { name: string | null; declaredBytes: number | null },
): Promise<void> {
  const begun = await db.query({
    name: 'begin_import_item',
    text: `update import_items set status = 'running', name = coalesce(name, $4),
             reserved_bytes = least(reserved_bytes, $5)
           where id = $3 and status in ('queued', 'running')
             and exists (select from imports where id = $1 and lease_id = $2 for share)
           returning 1`,
    values: [lease.importId, lease.leaseId, itemId, seen.name, seen.declaredBytes],
  });
  if (begun.length === 0) throw new LeaseLost();
}

/** Returns the bytes of storage that an item has reserved. */
export async function readReserved(db: Queryable, itemId: string): Promise<number> {
  const [item] = await db.query<{ reserved_bytes: number }>({
    name: 'read_reserved_bytes',
    text: 'select reserved_bytes from import_items where id = $1',
    values: [itemId],
  });
  return item?.reserved_bytes ?? 0;
}

/**
 * Ends an item and updates its import's counts in one statement; the last item finishes the import. Throws `LeaseLost`
 * if another process has taken over.
 */
export async function endItem(world: World, tx: Tx, lease: Lease, itemId: string, filed: FiledItem): Promise<void> {
  await settle(world, tx, lease, itemId, { kind: 'filed', filed });
}

/** Fails an item, otherwise as `endItem`. */
export async function failItem(
  world: World,
  db: Queryable,
  lease: Lease,
  itemId: string,
  reason: FailureReason,
): Promise<void> {
  await settle(world, db, lease, itemId, { kind: 'failed', reason });
}

type Outcome = { kind: 'filed'; filed: FiledItem } | { kind: 'failed'; reason: FailureReason };

async function settle(world: World, db: Queryable, lease: Lease, itemId: string, outcome: Outcome): Promise<void> {
  const filed = outcome.kind === 'filed' ? outcome.filed : null;
  const settled = await db.query({
    name: 'settle_import_item',
    text: `with held as (
             select id, account_id from imports where id = $1 and lease_id = $2 for update
           ), ended as (
             update import_items i
             set status = $4, reason = $5, document_id = $6, duplicate = $7, bytes = $8, pages = $9, finished_at = $10,
               reserved_bytes = 0, sealed_link = null,
               unlock_status = case when i.unlock_status is null or $11 then i.unlock_status else 'skipped' end
             from held h
             where i.id = $3 and i.import_id = h.id and i.account_id = h.account_id and i.status in ('queued', 'running')
             returning i.import_id, i.status
           )
           update imports m
           set filed = m.filed + (e.status = 'filed')::int, failed = m.failed + (e.status = 'failed')::int,
             status = case when m.filed + m.failed + 1 = m.total_files then 'finished' else 'running' end,
             finished_at = case when m.filed + m.failed + 1 = m.total_files then $10::timestamptz end
           from ended e where m.id = e.import_id returning 1`,
    values: [
      lease.importId,
      lease.leaseId,
      itemId,
      outcome.kind,
      outcome.kind === 'failed' ? outcome.reason : null,
      filed?.documentId ?? null,
      filed?.isDuplicate ?? false,
      filed?.bytes ?? null,
      filed?.pages ?? null,
      world.clock.now(),
      filed?.isToUnlock ?? false,
    ],
  });
  if (settled.length === 0) throw new LeaseLost();
}
