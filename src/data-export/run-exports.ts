import { mkdir, open, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobQueue } from '../messages/job-queue.ts';
import type { FileStore } from '../platform/files.ts';
import { makeDirectory } from '../platform/make-directory.ts';
import type { World } from '../platform/world.ts';
import { type Database, openDatabase, type Tx } from '../postgres/database.ts';
import type { DatabaseAddress } from '../postgres/database-address.ts';
import { archiveKey, attemptsMax, type ExportFailure, keptDays } from './data-exports.ts';
import { watchRoom } from './watch-room.ts';
import { type ExportProgress, writeExport } from './write-export.ts';
import { createZipArchive } from './zip-archive.ts';

export interface ExportDeps {
  world: World;
  db: Database;
  address: DatabaseAddress;
  files: FileStore;
  queue: JobQueue;
  /** The archive is written below it, and then moved into the file store. */
  dataDir: string;
}

/** Maximum size of the stored files of an export. The file store takes archives of this size; the command line has no limit. */
const exportBytesMax = 64 * 2 ** 30;
/** Free space that the disk of the worker must keep. */
const reservedBytes = 512 * 2 ** 20;
/** A worker that died is noticed after this long. */
const leaseMs = 10_000;
const renewMs = 1000;
/** After a failed attempt, times the number of attempts. */
const retryMs = 60_000;

/** Opens connections for a reader whose statements may take minutes, such as the sum over all recipients. */
export function openExportDatabase(address: DatabaseAddress, { log }: World): Database {
  const applicationName = 'countersign export';
  return openDatabase({ ...address, connectionsMax: 2, timeoutMs: 300_000, applicationName, log });
}

/**
 * Returns a scheduled job that writes the exports that owners asked for, one at a time. An export is held under a lease: after
 * a kill another worker starts it again. The job ends when nothing is left to write, or at once when the process stops.
 */
export function createExportRunner(deps: ExportDeps): (stopping: AbortSignal) => Promise<void> {
  let hasCleaned = false;
  return async (stopping) => {
    if ((await failLastAttempts(deps)) || !hasCleaned) await removeLeftovers(deps);
    hasCleaned = true;
    while (!stopping.aborted) {
      const claimed = await claim(deps);
      if (claimed === null) return;
      await removeLeftovers(deps);
      await runExport(deps, claimed, stopping);
    }
  };
}

const expiryOf = (now: Date) => new Date(now.getTime() + keptDays * 86_400_000);

interface Claimed {
  id: string;
  account_id: string;
  language: 'en' | 'es';
  attempts: number;
  lease_id: string;
}

/** Takes the export that waits the longest, or one whose worker died. */
async function claim({ world, db }: ExportDeps): Promise<Claimed | null> {
  const now = world.clock.now();
  const [claimed] = await db.query<Claimed>({
    name: 'claim_data_export',
    text: `update data_exports e set status = 'running', lease_id = $1, leased_until = $2, attempts = attempts + 1,
             files_done = 0, files_total = null, missing_files = 0
           where e.id = (
             select w.id from data_exports w join accounts a on a.id = w.account_id and a.removed_at is null
             where w.status in ('pending', 'running') and w.attempts < ${attemptsMax}
               and (w.leased_until is null or w.leased_until <= $3)
             order by w.requested_at limit 1 for update of w skip locked
           )
           returning e.id, e.account_id, e.language, e.attempts, e.lease_id`,
    values: [world.newId(), new Date(now.getTime() + leaseMs), now],
  });
  return claimed ?? null;
}

/**
 * Ends exports whose worker died in the last attempt, such as one that needs more memory than the worker has. Returns whether
 * there were any.
 */
async function failLastAttempts(deps: ExportDeps): Promise<boolean> {
  const { world, db } = deps;
  const now = world.clock.now();
  return db.transaction(async (tx) => {
    const failed = await tx.query<{ id: string; account_id: string }>({
      name: 'fail_last_attempts_of_data_exports',
      text: `update data_exports set status = 'failed', failure = 'failed', lease_id = null, leased_until = null, finished_at = $1,
               expires_at = $2
             where status = 'running' and attempts >= ${attemptsMax} and (leased_until is null or leased_until <= $1)
             returning id, account_id`,
      values: [now, expiryOf(now)],
    });
    for (const { id, account_id } of failed) {
      world.log.warn('a data export failed: its worker died in the last attempt', { data_export_id: id });
      await notify(deps, tx, account_id, id);
    }
    return failed.length > 0;
  });
}

const workDirectory = ({ dataDir }: ExportDeps) => join(dataDir, 'exporting');
const nameOf = ({ id, attempts }: Pick<Claimed, 'id' | 'attempts'>) => `${id}-${attempts}`;

/** Deletes what killed workers left in this DATA_DIR. */
async function removeLeftovers(deps: ExportDeps): Promise<void> {
  const directory = workDirectory(deps);
  const names = await readdir(directory).catch(() => []);
  if (names.length === 0) return;
  const running = await deps.db.query<Pick<Claimed, 'id' | 'attempts'>>({
    name: 'running_data_exports',
    text: `select id, attempts from data_exports where status = 'running' and leased_until > $1`,
    values: [deps.world.clock.now()],
  });
  const kept = new Set(running.map(nameOf));
  for (const name of names) {
    if (!kept.has(name)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** The export was cancelled, another worker has it, or the process stops. */
class Lost extends Error {}

/** The export cannot succeed, so no attempt follows. */
class Refused extends Error {
  readonly failure: ExportFailure;

  constructor(failure: ExportFailure) {
    super(failure);
    this.failure = failure;
  }
}

async function runExport(deps: ExportDeps, claimed: Claimed, stopping: AbortSignal): Promise<void> {
  const { world, db, files } = deps;
  const key = archiveKey(claimed.id, claimed.attempts);
  const directory = join(workDirectory(deps), nameOf(claimed));
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, stopping]);
  const progress: ExportProgress & { missing: number } = { done: 0, total: 0, missing: 0 };
  const renewing = setInterval(() => {
    renew(deps, claimed, progress).then(
      (isHeld) => isHeld || ended.abort(new Lost()),
      () => {}, // the lease lasts longer than one renewal
    );
  }, renewMs);
  try {
    await makeDirectory(workDirectory(deps), 0o700);
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { mode: 0o700 });
    const { bytes, missing } = await writeArchive(deps, claimed, { directory, signal, progress });
    signal.throwIfAborted();
    await files.putFile(key, join(directory, 'archive.zip'), signal);
    const isFinished = await db.transaction((tx) => finish(deps, tx, claimed, { bytes, missing, progress }));
    if (!isFinished) throw new Lost();
  } catch (error) {
    clearInterval(renewing);
    if (await isUnfinished(deps, claimed, progress)) await files.remove(key).catch(() => {});
    await settleFailure(deps, claimed, signal.aborted ? new Lost() : error);
  } finally {
    clearInterval(renewing);
    await rm(directory, { recursive: true, force: true }).catch((error) =>
      world.log.warn('a directory of a data export was not removed', { error }),
    );
  }
}

interface ArchiveWork {
  directory: string;
  signal: AbortSignal;
  progress: ExportProgress;
}

async function writeArchive(deps: ExportDeps, { account_id, language }: Claimed, work: ArchiveWork) {
  const { world, files } = deps;
  const { directory, signal, progress } = work;
  const lists = join(directory, 'lists');
  await mkdir(lists, { mode: 0o700 });
  const db = openExportDatabase(deps.address, world);
  const file = await open(join(directory, 'archive.zip'), 'wx', 0o600);
  try {
    const archive = await createZipArchive(file, {
      modifiedAt: world.clock.now(),
      directoryPath: join(lists, 'directory'),
    });
    const source = { world, db, files, accountId: account_id, language };
    const watched = watchRoom(archive, () => assertRoom(directory, 0));
    const { missing } = await writeExport(source, watched, {
      directory: lists,
      signal,
      onProgress: (now) => Object.assign(progress, now),
      assertRoom: (bytes) => assertRoom(directory, bytes),
    });
    return { bytes: archive.bytes, missing };
  } finally {
    await file.close();
    await db.close();
  }
}

async function assertRoom(directory: string, bytes: number): Promise<void> {
  if (bytes > exportBytesMax) throw new Refused('too_large');
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < bytes + reservedBytes) throw new Refused('no_space');
}

/** Extends the lease and stores the progress. False when the lease is lost. */
async function renew({ world, db }: ExportDeps, { id, lease_id }: Claimed, progress: ExportProgress): Promise<boolean> {
  const renewed = await db.query({
    name: 'renew_data_export',
    text: `update data_exports set leased_until = $3, files_done = $4, files_total = $5
           where id = $1 and lease_id = $2 and status = 'running' returning 1`,
    values: [id, lease_id, new Date(world.clock.now().getTime() + leaseMs), progress.done, progress.total],
  });
  return renewed.length > 0;
}

interface Outcome {
  bytes: number;
  missing: number;
  progress: ExportProgress;
}

/** Makes the archive available, unless the export was cancelled or its company removed. */
async function finish(deps: ExportDeps, tx: Tx, { id, lease_id }: Claimed, outcome: Outcome): Promise<boolean> {
  const now = deps.world.clock.now();
  const finished = await tx.query<{ account_id: string }>({
    name: 'finish_data_export',
    text: `update data_exports e set status = 'ready', lease_id = null, leased_until = null, bytes = $3, missing_files = $4,
             files_done = $5, files_total = $6, finished_at = $7, expires_at = $8
           from accounts a
           where e.id = $1 and e.lease_id = $2 and e.status = 'running' and a.id = e.account_id and a.removed_at is null
           returning e.account_id`,
    values: [
      ...[id, lease_id, outcome.bytes, outcome.missing, outcome.progress.done, outcome.progress.total],
      ...[now, expiryOf(now)],
    ],
  });
  if (finished[0] === undefined) return false;
  await notify(deps, tx, finished[0].account_id, id);
  return true;
}

/**
 * Returns false when this attempt has finished the export and only the database's answer was lost: its archive is offered for
 * download. Throws when the database cannot be read: the archive then stays until its export is removed.
 */
async function isUnfinished(deps: ExportDeps, claimed: Claimed, progress: ExportProgress): Promise<boolean> {
  // Waits for `finish`, if the database still runs it. No other attempt has the same key while the lease lasts.
  if (await renew(deps, claimed, progress)) return true;
  const finished = await deps.db.query({
    name: 'finished_data_export',
    text: `select from data_exports where id = $1 and status = 'ready' and attempts = $2`,
    values: [claimed.id, claimed.attempts],
  });
  return finished.length === 0;
}

/** Leaves the export to another attempt, or ends it when this was the last or the export cannot succeed. */
async function settleFailure(deps: ExportDeps, claimed: Claimed, error: unknown): Promise<void> {
  const { world, db } = deps;
  const { id, account_id: accountId, lease_id: leaseId, attempts } = claimed;
  if (error instanceof Lost) {
    // A stop of the process is no failure, so it takes none of the attempts.
    await db.query({
      name: 'release_data_export',
      text: `update data_exports set lease_id = null, leased_until = null,
               attempts = case when status = 'running' then attempts - 1 else attempts end
             where id = $1 and lease_id = $2`,
      values: [id, leaseId],
    });
    return;
  }
  const failure = failureOf(error);
  world.log.warn('a data export failed', { data_export_id: id, attempt: attempts, cause: error });
  const isOver = failure !== 'failed' || attempts >= attemptsMax;
  const now = world.clock.now();
  await db.transaction(async (tx) => {
    if (!isOver) {
      await tx.query({
        name: 'retry_data_export',
        text: 'update data_exports set leased_until = $3 where id = $1 and lease_id = $2',
        values: [id, leaseId, new Date(now.getTime() + retryMs * attempts)],
      });
      return;
    }
    const failed = await tx.query({
      name: 'fail_data_export',
      text: `update data_exports set status = 'failed', failure = $3, lease_id = null, leased_until = null, finished_at = $4,
               expires_at = $5 where id = $1 and lease_id = $2 and status = 'running' returning 1`,
      values: [id, leaseId, failure, now, expiryOf(now)],
    });
    if (failed.length > 0) await notify(deps, tx, accountId, id);
  });
}

function failureOf(error: unknown): ExportFailure {
  if (error instanceof Refused) return error.failure;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOSPC') return 'no_space';
    if (cause instanceof Refused) return cause.failure;
  }
  return 'failed';
}

function notify({ world, queue }: ExportDeps, tx: Tx, accountId: string, dataExportId: string): Promise<void> {
  return queue.enqueue(tx, [{ name: 'tell-of-export', messageId: world.newId(), accountId, dataExportId }]);
}
