import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { attemptsMax, type ExportFailure, keptDays } from './data-exports.ts';
import type { ExportProgress } from './write-export.ts';

/** For changes of the state of an export. */
export interface LeaseDeps {
  world: World;
  db: Database;
  queue: JobQueue;
}

/** A worker that died is noticed after this long. */
const leaseMs = 10_000;
/** After a failed attempt, times the number of attempts. */
const retryMs = 60_000;

const expiryOf = (now: Date) => new Date(now.getTime() + keptDays * 86_400_000);

/** An export that a worker writes, and the lease under which it does. */
export interface Claimed {
  id: string;
  account_id: string;
  language: 'en' | 'es';
  attempts: number;
  lease_id: string;
}

/** Takes the export that waits the longest, or one whose worker died. */
export async function claim({ world, db }: LeaseDeps): Promise<Claimed | null> {
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
export async function failLastAttempts(deps: LeaseDeps): Promise<boolean> {
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

/** Extends the lease and stores the progress. False when the lease is lost. */
export async function renew(
  { world, db }: LeaseDeps,
  { id, lease_id }: Claimed,
  progress: ExportProgress,
): Promise<boolean> {
  const renewed = await db.query({
    name: 'renew_data_export',
    text: `update data_exports set leased_until = $3, files_done = $4, files_total = $5
           where id = $1 and lease_id = $2 and status = 'running' returning 1`,
    values: [id, lease_id, new Date(world.clock.now().getTime() + leaseMs), progress.done, progress.total],
  });
  return renewed.length > 0;
}

export interface Outcome {
  bytes: number;
  missing: number;
  progress: ExportProgress;
}

/** Makes the archive available, unless the export was cancelled or its company removed. */
export async function finish(deps: LeaseDeps, tx: Tx, { id, lease_id }: Claimed, outcome: Outcome): Promise<boolean> {
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
export async function isUnfinished(deps: LeaseDeps, claimed: Claimed, progress: ExportProgress): Promise<boolean> {
  // Waits for `finish`, if the database still runs it. No other attempt has the same key while the lease lasts.
  if (await renew(deps, claimed, progress)) return true;
  const finished = await deps.db.query({
    name: 'finished_data_export',
    text: `select from data_exports where id = $1 and status = 'ready' and attempts = $2`,
    values: [claimed.id, claimed.attempts],
  });
  return finished.length === 0;
}

/** The export was cancelled, another worker has it, or the process stops. */
export class Lost extends Error {}

/** The export cannot succeed, so no attempt follows. */
export class Refused extends Error {
  readonly failure: ExportFailure;

  constructor(failure: ExportFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** Leaves the export to another attempt, or ends it when this was the last or the export cannot succeed. */
export async function settleFailure(deps: LeaseDeps, claimed: Claimed, error: unknown): Promise<void> {
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

function notify({ world, queue }: LeaseDeps, tx: Tx, accountId: string, dataExportId: string): Promise<void> {
  return queue.enqueue(tx, [{ name: 'tell-of-export', messageId: world.newId(), accountId, dataExportId }]);
}
