import type { Tx } from '../../postgres/database.ts';
import { assertWithinQuota, lockImportUsage, readImportUse } from '../../usage/import-quota.ts';
import { requirePlan } from '../create-import.ts';
import type { FailureReason, Import, ItemStatus } from '../import.ts';
import type { ImportDeps } from '../import-deps.ts';
import { importColumns } from '../queries.ts';
import type { UploadedItem } from './find-outcome.ts';
import { holdUpload } from './upload-lease.ts';

type BeginningDeps = Pick<ImportDeps, 'world' | 'plans'>;

export interface SentFile extends UploadedItem {
  /** The most bytes that can come: the declared size, or else the largest accepted one. */
  bytesMax: number;
}

export type Begun =
  | { kind: 'begun'; import: Import; name: string | null }
  /** The item has ended, and sending the file again wouldn't change that. */
  | { kind: 'over' }
  /** A worker is ending the missing files of this import. A moment later the file can be sent again. */
  | { kind: 'closing' }
  | { kind: 'not_found' };

/** An interrupted file can be sent again for this long after the upload began. */
const sendableMs = 24 * 3_600_000;
const retriableReasons: ReadonlyArray<FailureReason | null> = ['interrupted', 'download_failed', 'storage_unavailable'];

/**
 * Begins to receive a file: reserves the storage that its request declares, and reopens an item that was interrupted.
 * Throws `import_quota_exceeded` if the storage isn't enough.
 */
export async function beginFile(deps: BeginningDeps, tx: Tx, sent: SentFile): Promise<Begun> {
  const { world } = deps;
  const now = world.clock.now();
  await lockImportUsage(tx, sent.accountId, now);
  const found = await lockUpload(tx, sent);
  const item = found === null ? null : await lockItem(tx, sent);
  if (found === null || item === null) return { kind: 'not_found' };
  const isOpen = item.status === 'queued' || item.status === 'running';
  const isLate = new Date(found.created_at).getTime() + sendableMs < now.getTime();
  if (!isOpen && (isLate || !retriableReasons.includes(item.reason))) return { kind: 'over' };
  const { lease_id: leaseId, leased_until: leasedUntil } = found;
  const isHeldByWorker = leaseId !== null && leaseId !== sent.importId;
  if (isHeldByWorker && leasedUntil !== null && new Date(leasedUntil) > now) return { kind: 'closing' };

  await assertRoom(deps, tx, sent, isOpen ? item.reserved_bytes : 0);
  await holdUpload(world, tx, sent.importId);
  await openItem(tx, sent, isOpen);
  return { kind: 'begun', import: found, name: item.name };
}

type UploadRow = Import & { lease_id: string | null; leased_until: string | null };

async function lockUpload(tx: Tx, { accountId, importId }: SentFile): Promise<UploadRow | null> {
  const rows = await tx.query<UploadRow>({
    name: 'lock_upload',
    text: `select ${importColumns}, lease_id, leased_until from imports
           where account_id = $1 and id = $2 and source = 'upload' for update`,
    values: [accountId, importId],
  });
  return rows[0] ?? null;
}

interface ItemRow {
  name: string | null;
  status: ItemStatus;
  reason: FailureReason | null;
  reserved_bytes: number;
}

async function lockItem(tx: Tx, { importId, itemId }: SentFile): Promise<ItemRow | null> {
  const rows = await tx.query<ItemRow>({
    name: 'lock_uploaded_item',
    text: `select name, status, reason, reserved_bytes from import_items
           where import_id = $1 and id = $2 for update`,
    values: [importId, itemId],
  });
  return rows[0] ?? null;
}

async function assertRoom({ world, plans }: BeginningDeps, tx: Tx, sent: SentFile, heldBytes: number): Promise<void> {
  const bytes = Math.max(0, sent.bytesMax - heldBytes);
  const [plan, use] = await Promise.all([
    requirePlan(tx, plans, sent.accountId),
    readImportUse(tx, sent.accountId, world.clock.now()),
  ]);
  if (bytes > 0) assertWithinQuota(plan, use, { files: 0, bytes });
}

async function openItem(tx: Tx, { importId, itemId, bytesMax }: SentFile, isOpen: boolean): Promise<void> {
  await Promise.all([
    tx.query({
      name: 'open_uploaded_item',
      text: `update import_items
             set status = 'running', reason = null, finished_at = null, reserved_bytes = $2,
               unlock_status = case when unlock_status is not null then 'pending' end
             where id = $1`,
      values: [itemId, bytesMax],
    }),
    tx.query({
      name: 'reopen_upload',
      text: `update imports set failed = failed - 1, status = 'running', finished_at = null where id = $1 and not $2`,
      values: [importId, isOpen],
    }),
  ]);
}
