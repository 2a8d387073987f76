import { auditAccount } from '../accounts/account-audit.ts';
import type { FileStore } from '../platform/files.ts';
import type { Language } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** How long a finished archive is kept. */
export const keptDays = 7;
/** Archives that a company keeps at once. */
export const archivesMax = 3;
/** How long the session that confirmed a download may continue it. */
export const openHours = 24;

/** Attempts of an export. A stop of the worker takes none. */
export const attemptsMax = 5;

export type ExportStatus = 'pending' | 'running' | 'ready' | 'failed' | 'cancelled';
/** `no_space`: the disk of the worker has no room for the archive. `too_large`: only the command line can write it. */
export type ExportFailure = 'failed' | 'no_space' | 'too_large';

/** An export that an owner asked for. */
export interface DataExport {
  id: string;
  account_id: string;
  requested_by: string | null;
  /** The address of who asked. Null when this person was erased. */
  email: string | null;
  requested_at: Timestamp;
  language: Language;
  status: ExportStatus;
  attempts: number;
  files_done: number;
  files_total: number | null;
  missing_files: number;
  bytes: number | null;
  failure: ExportFailure | null;
  finished_at: Timestamp | null;
  expires_at: Timestamp | null;
  opened_by: string | null;
  opened_until: Timestamp | null;
}

const columns = `e.id, e.account_id, e.requested_by, e.requested_at, e.language, e.status, e.attempts, e.files_done, e.files_total,
  e.missing_files, e.bytes, e.failure, e.finished_at, e.expires_at, e.opened_by, e.opened_until,
  (select p.email from people p where p.id = e.requested_by and p.email not like '%@erased.invalid') as email`;

/** Returns the key of an archive in the file store. Each attempt writes its own. */
export function archiveKey(id: string, attempt: number): string {
  return `exports/${id}/${attempt}.zip`;
}

/**
 * Asks for an export. Returns `running` when one is unfinished, and `too_many` when the company keeps `archivesMax` archives.
 * Null when the company was removed.
 */
export async function requestExport(
  world: World,
  tx: Tx,
  { accountId, personId, language }: { accountId: string; personId: string; language: Language },
): Promise<DataExport | 'running' | 'too_many' | null> {
  const locked = await tx.query({
    name: 'lock_account_to_export',
    text: 'select from accounts where id = $1 and removed_at is null for no key update',
    values: [accountId],
  });
  if (locked.length === 0) return null;
  const [counts] = await tx.query<{ unfinished: number; archives: number }>({
    name: 'count_data_exports',
    text: `select count(*) filter (where status in ('pending', 'running'))::int as unfinished,
             count(*) filter (where status = 'ready')::int as archives
           from data_exports where account_id = $1`,
    values: [accountId],
  });
  if (counts === undefined || counts.unfinished > 0) return 'running';
  if (counts.archives >= archivesMax) return 'too_many';
  const id = world.newId();
  await tx.query({
    name: 'insert_data_export',
    text: `insert into data_exports (id, account_id, requested_by, requested_at, language, status)
           values ($1, $2, $3, $4, $5, 'pending')`,
    values: [id, accountId, personId, world.clock.now(), language],
  });
  await auditAccount(world, tx, {
    accountId,
    personId,
    action: 'data_export_requested',
    detail: { data_export_id: id },
  });
  return findExport(tx, accountId, id);
}

/** Lists exports, newest first, without cancelled ones. */
export function pageExports(
  db: Queryable,
  { accountId, afterId, limit }: { accountId: string; afterId: string | null; limit: number },
): Promise<DataExport[]> {
  return db.query<DataExport>({
    name: 'page_data_exports',
    text: `select ${columns} from data_exports e
           where e.account_id = $1 and e.status <> 'cancelled' and ($2::uuid is null or e.id < $2) order by e.id desc limit $3`,
    values: [accountId, afterId, limit],
  });
}

export async function findExport(db: Queryable, accountId: string, id: string): Promise<DataExport | null> {
  const [found] = await db.query<DataExport>({
    name: 'find_data_export',
    text: `select ${columns} from data_exports e where e.account_id = $1 and e.id = $2 and e.status <> 'cancelled'`,
    values: [accountId, id],
  });
  return found ?? null;
}

/**
 * Cancels an unfinished export, or deletes a finished one. A worker that writes it stops within seconds, and a job removes the
 * archive. Null when there is none. `personId` is null for the operator.
 */
export async function cancelExport(
  world: World,
  tx: Tx,
  { accountId, id, personId }: { accountId: string; id: string; personId: string | null },
): Promise<true | null> {
  const [before] = await tx.query<{ status: ExportStatus }>({
    name: 'cancel_data_export',
    text: `with found as (
             select id, status from data_exports where account_id = $1 and id = $2 and status <> 'cancelled' for update
           )
           update data_exports e set status = 'cancelled', bytes = null, failure = null, finished_at = coalesce(finished_at, $3),
             expires_at = $3, opened_by = null, opened_until = null
           from found where e.id = found.id returning found.status`,
    values: [accountId, id, world.clock.now()],
  });
  if (before === undefined) return null;
  const isUnfinished = before.status === 'pending' || before.status === 'running';
  const action = isUnfinished ? 'data_export_cancelled' : 'data_export_deleted';
  await auditAccount(world, tx, { accountId, personId, action, detail: { data_export_id: id } });
  return true;
}

/** Lets a session download a finished archive for `openHours`. Null when there is none. */
export async function openExport(
  world: World,
  tx: Tx,
  { accountId, id, personId, sessionId }: { accountId: string; id: string; personId: string; sessionId: string },
): Promise<DataExport | null> {
  const until = new Date(world.clock.now().getTime() + openHours * 3_600_000);
  const opened = await tx.query({
    name: 'open_data_export',
    text: `update data_exports set opened_by = $3, opened_until = $4
           where account_id = $1 and id = $2 and status = 'ready' and expires_at > $5 returning 1`,
    values: [accountId, id, sessionId, until, world.clock.now()],
  });
  if (opened.length === 0) return null;
  await auditAccount(world, tx, {
    accountId,
    personId,
    action: 'data_export_downloaded',
    detail: { data_export_id: id },
  });
  return findExport(tx, accountId, id);
}

/** Exports that one run removes. */
const removedAtOnce = 100;

/**
 * Removes exports that have ended, and those of removed companies, with their archives. One that a worker still writes is left
 * for the next run.
 */
export async function removeOldExports(world: World, db: Database, files: FileStore): Promise<number> {
  const now = world.clock.now();
  await db.query({
    name: 'end_data_exports_of_removed_accounts',
    text: `update data_exports e set status = 'cancelled', bytes = null, failure = null, expires_at = $1
           from accounts a where a.id = e.account_id and a.removed_at is not null and e.status <> 'cancelled'`,
    values: [now],
  });
  const old = await db.query<{ id: string }>({
    name: 'old_data_exports',
    text: `select id from data_exports
           where expires_at <= $1 and (leased_until is null or leased_until < $1) order by expires_at limit ${removedAtOnce}`,
    values: [now],
  });
  for (const { id } of old) {
    // A stopped attempt is not counted, and may have left an archive that could not be removed.
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) await files.remove(archiveKey(id, attempt));
    await db.query({ name: 'delete_data_export', text: 'delete from data_exports where id = $1', values: [id] });
  }
  return old.length;
}
