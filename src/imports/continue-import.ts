import { ApiError } from '../errors.ts';
import type { Tx } from '../postgres/database.ts';
import { assertWithinQuota, lockImportUsage, readImportUse } from '../usage/import-quota.ts';
import { requirePlan } from './create-import.ts';
import type { Import } from './import.ts';
import type { ImportDeps } from './import-deps.ts';
import type { Run, RunningItem } from './import-file.ts';
import { assertLeased, type Lease, takeLease, underLease } from './lease.ts';
import { listOpenItems, type OpenItem } from './open-items.ts';
import { findImport } from './queries.ts';
import { runItems } from './run-items.ts';
import type { FileRequest } from './sources/file-source.ts';
import { fileSources } from './sources/sources.ts';
import { cleanName } from './title-of.ts';

/**
 * Continues the import of an earlier request with the same key, whose process was killed. Runs the items that are open
 * or ended as `interrupted` or `storage_unavailable`. Throws `idempotency_in_progress` while another process runs it.
 */
export async function continueImport(
  deps: ImportDeps,
  accountId: string,
  importId: string,
  input: FileRequest,
): Promise<{ importId: string; running: Promise<void> }> {
  const { world, database } = deps;
  const [lease, row] = await database.transaction((tx) =>
    Promise.all([takeLease(world, tx, importId), findImport(tx, accountId, importId)]),
  );
  if (lease === null || row === null) throw new ApiError('idempotency_in_progress');
  const running = underLease(deps, lease, async (signal) => {
    const run = { import: row, lease, signal };
    const open = await listOpenItems(database, importId, 'open_or_repeatable');
    if (open.length > 0) await runItems(deps, run, await reopened(deps, run, open, input));
  });
  return { importId, running };
}

async function reopened(
  deps: ImportDeps,
  run: Run,
  open: readonly OpenItem[],
  input: FileRequest,
): Promise<RunningItem[]> {
  const files = await fileSources[input.source].reopen(deps, input, open, run.signal);
  const items = open.map(({ id }, position) => {
    const file = files[position] as RunningItem['file'];
    return { id, file: { ...file, name: cleanName(file.name) } };
  });
  await deps.database.transaction((tx) => reopen(deps, tx, run, items));
  return items;
}

/**
 * Reopens failed items: they count as remaining again and reserve the storage that their files declare. Throws
 * `import_quota_exceeded` when others have used that storage meanwhile.
 */
async function reopen(
  { world, plans }: ImportDeps,
  tx: Tx,
  { import: row, lease }: { import: Import; lease: Lease },
  items: readonly RunningItem[],
): Promise<void> {
  const now = world.clock.now();
  await lockImportUsage(tx, row.account_id, now);
  await assertLeased(tx, lease);
  const [reopened] = await tx.query<{ bytes: number }>({
    name: 'reopen_import_items',
    text: `with reopened as (
             update import_items i
             set status = 'queued', reason = null, finished_at = null, reserved_bytes = wanted.reserved_bytes,
               unlock_status = case when i.unlock_status is not null then 'pending' end
             from unnest($2::uuid[], $3::bigint[]) as wanted (id, reserved_bytes)
             where i.id = wanted.id and i.import_id = $1 and i.status = 'failed' and i.reason in ('interrupted', 'storage_unavailable')
             returning i.reserved_bytes
           )
           update imports set failed = failed - n, status = 'running', finished_at = null
           from (select count(*) as n, sum(reserved_bytes) as bytes from reopened) counted where id = $1 and n > 0
           returning counted.bytes::bigint as bytes`,
    values: [
      lease.importId,
      items.map(({ id }) => id),
      items.map(({ file }) => (file.content.kind === 'fails' ? 0 : (file.declaredBytes ?? file.content.bytesMax))),
    ],
  });
  if (reopened === undefined) return;
  const [plan, use] = await Promise.all([
    requirePlan(tx, plans, row.account_id),
    readImportUse(tx, row.account_id, now),
  ]);
  const { bytes } = reopened;
  assertWithinQuota(plan, { ...use, reservedBytes: use.reservedBytes - bytes }, { files: 0, bytes });
}
