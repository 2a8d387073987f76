import { ApiError } from '../errors.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { lockImportUsage, readImportUse, storageLeft } from '../usage/import-quota.ts';
import { requirePlan } from './create-import.ts';
import type { ImportDeps } from './import-deps.ts';
import type { Run, RunningItem } from './import-file.ts';
import { assertLeased, type Lease, takeLease, underLease } from './lease.ts';
import { listOpenItems, type OpenItem, repeatableCondition } from './open-items.ts';
import { findImport } from './queries.ts';
import { runItems } from './run-items.ts';
import { type FileRequest, reservationOf } from './sources/file-source.ts';
import { fileSources } from './sources/sources.ts';
import { cleanName } from './title-of.ts';

/**
 * Continues the import of an earlier request with the same key, whose process was killed. Runs the items that are open
 * or ended as `interrupted` or `storage_unavailable`. Throws `idempotency_in_progress` while another process runs it, and
 * `import_quota_exceeded` when the storage of the month has no room for any of them.
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

/** Returns the items that run: the open ones, and those of the failed ones that the storage of the month has room for. */
async function reopened(
  deps: ImportDeps,
  run: Run,
  open: readonly OpenItem[],
  input: FileRequest,
): Promise<RunningItem[]> {
  const { world, database, plans } = deps;
  const { account_id: accountId } = run.import;
  const source = fileSources[input.source];
  const files = await source.reopen(deps, input, open, run.signal);
  const items = open.map((item, position) => {
    const file = files[position] as RunningItem['file'];
    const link = source.encryptLink(deps, input, item);
    return { id: item.id, isFailed: item.status === 'failed', link, file: { ...file, name: cleanName(file.name) } };
  });
  const failed = items.filter(({ isFailed }) => isFailed);
  const largest = failed.map(({ file }) => reservationOf(file, file.declaredBytes));
  const left = async (db: Queryable) =>
    storageLeft(await requirePlan(db, plans, accountId), await readImportUse(db, accountId, world.clock.now()));
  const isShort = (await left(database)) < largest.reduce((sum, bytes) => sum + bytes, 0);
  const sizes =
    isShort && source.sizes !== null
      ? await source.sizes(
          deps,
          failed.map(({ file }) => file),
        )
      : largest;
  return database.transaction(async (tx) => {
    await lockImportUsage(tx, accountId, world.clock.now());
    await assertLeased(tx, run.lease);
    const fitting = fittingIn(await left(tx), failed, sizes);
    if (fitting.length === 0 && failed.length > 0 && failed.length === items.length) throw tooLittleStorage();
    await reopen(tx, run.lease, fitting);
    const ids = new Set(fitting.map(({ id }) => id));
    return items.filter(({ id, isFailed }) => !isFailed || ids.has(id));
  });
}

interface Reserving {
  id: string;
  bytes: number;
  /** The encrypted link. The ended item has none. */
  link: Buffer | null;
}

function fittingIn(
  room: number,
  items: ReadonlyArray<Pick<Reserving, 'id' | 'link'>>,
  sizes: readonly number[],
): Reserving[] {
  let left = room;
  return items.flatMap(({ id, link }, index) => {
    const bytes = sizes[index] ?? 0;
    if (bytes > 0 && bytes > left) return [];
    left -= bytes;
    return [{ id, bytes, link }];
  });
}

function tooLittleStorage(): ApiError {
  return new ApiError('import_quota_exceeded', {
    message: "The month's import storage of the plan has no room for the files that failed. They were not tried again.",
  });
}

/** Reopens failed items: they count as remaining again, reserve storage and have their links, for the next worker after a kill. */
async function reopen(tx: Tx, { importId }: Lease, items: readonly Reserving[]): Promise<void> {
  await tx.query({
    name: 'reopen_import_items',
    text: `with reopened as (
             update import_items i
             set status = 'queued', reason = null, finished_at = null, reserved_bytes = wanted.reserved_bytes,
               sealed_link = wanted.sealed_link,
               unlock_status = case when i.unlock_status is not null then 'pending' end
             from unnest($2::uuid[], $3::bigint[], $4::bytea[]) as wanted (id, reserved_bytes, sealed_link)
             where i.id = wanted.id and i.import_id = $1 and ${repeatableCondition}
             returning 1
           )
           update imports set failed = failed - n, status = 'running', finished_at = null
           from (select count(*) as n from reopened) counted where id = $1 and n > 0`,
    values: [importId, items.map(({ id }) => id), items.map(({ bytes }) => bytes), items.map(({ link }) => link)],
  });
}
