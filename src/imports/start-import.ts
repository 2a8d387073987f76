import type { Plan } from '../accounts/plans.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { KeyMode } from '../keys/api-key.ts';
import { DatabaseFailure, type Tx } from '../postgres/database.ts';
import { carryOn } from './carry-on.ts';
import { type CreatedImport, createImport, readPlan } from './create-import.ts';
import { startMigration } from './esign/start-migration.ts';
import type { ImportMeans } from './import-means.ts';
import { type ImportJson, importJson, type StartedImportJson, startedImportJson } from './json.ts';
import { underLease } from './lease.ts';
import { planFiles } from './plan-files.ts';
import { findImport, listAllItems } from './queries.ts';
import { runItems } from './run-items.ts';
import type { CloudDriveWish, CloudFilesWish, ImportRequest, MigrationWish } from './start-import-body.ts';

export type CloudWish = CloudDriveWish | CloudFilesWish;

export interface Starter {
  accountId: string;
  keyId: string;
  mode: KeyMode;
}

/** What a request begins and answers, tied to its idempotency key if it has one: the API's `OnceOnly`. */
export interface OnceOnly {
  /** What an earlier request with the same key began and was cut off in. */
  begunId: string | null;
  begin(tx: Tx, id: string): Promise<void>;
  answer(tx: Tx, result: unknown): Promise<void>;
  /** Answers without remembering it: a repetition continues what was begun. */
  leaveOpen(): Promise<void>;
}

/** A client hears within 5 s that nothing was begun, whatever the database does. */
const beginMsMax = 2250;

/**
 * POST /imports: decides whether the import may begin, writes it down, and answers when its files are in, or at once for
 * a migration. After 85 s it answers with what is in, and the rest continues. It goes on when the client hangs up; a repetition of a request that was cut off carries on with what is
 * missing.
 */
export async function startImport(
  means: ImportMeans,
  starter: Starter,
  wish: ImportRequest,
  once: OnceOnly,
): Promise<StartedImportJson | ImportJson> {
  if (wish.source === 'esign_vendor') return startSweep(means, starter, wish, once);
  const answerAt = performance.now() + means.limits.answerMsMax;
  if (once.begunId !== null) await assertMayRepeat(means, starter, wish.source);
  const { importId, running } =
    once.begunId === null
      ? await beginAndRun(means, starter, wish, once)
      : await carryOn(means, starter.accountId, once.begunId, wish);
  if (!(await endsBy(answerAt, running))) {
    running.catch((error) =>
      means.world.log.warn('an import stopped after its answer', { import_id: importId, error }),
    );
  }

  let isFinal = true;
  const answer = await means.database.transaction(async (tx) => {
    const [row, items] = await Promise.all([
      findImport(tx, starter.accountId, importId),
      listAllItems(tx, starter.accountId, importId),
    ]);
    if (row === null) throw new Error(`import ${importId} is gone`);
    const result = startedImportJson(row, items);
    isFinal = row.status === 'finished' && !items.some(({ reason }) => reason === 'storage_unavailable');
    if (isFinal) await once.answer(tx, result);
    return result;
  });
  if (!isFinal) await once.leaveOpen();
  return answer;
}

/** Whether the work ended by then. Throws what it throws. */
async function endsBy(at: number, work: Promise<void>): Promise<boolean> {
  const limit = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => limit.resolve(false), Math.max(0, at - performance.now()));
  return Promise.race([work.then(() => true), limit.promise]).finally(() => clearTimeout(timer));
}

/** Answers at once, with every count at zero: the answer is stored with the migration that it tells of. */
async function startSweep(
  means: ImportMeans,
  starter: Starter,
  wish: MigrationWish,
  once: OnceOnly,
): Promise<ImportJson> {
  const starting = means.database.within(beginMsMax).transaction(async (tx) => {
    const result = importJson(await startMigration(means, tx, starter, wish));
    await orFail('idempotency_store_failed', once.answer(tx, result));
    return result;
  });
  return orFail('import_not_started', starting);
}

/** What was begun goes on though imports were switched off meanwhile: nothing new comes in by it. */
export async function assertMayRepeat(
  means: ImportMeans,
  { accountId, mode }: Starter,
  source: ImportRequest['source'],
): Promise<void> {
  if (source === 'esign_vendor') return;
  const reading = readPlan(means.database.within(beginMsMax), means.plans, accountId);
  assertMayImport({ isCloudEnabled: true }, await orFail('account_unavailable', reading), mode);
}

async function beginAndRun(means: ImportMeans, starter: Starter, wish: CloudWish, once: OnceOnly) {
  const created = await begin(means, starter, wish, once);
  const running = underLease(means, created.lease, (signal) => runItems(means, { ...created, signal }, created.items));
  return { importId: created.import.id, running };
}

/** Everything up to here leaves nothing behind: neither an import nor a byte of a file. */
async function begin(
  means: ImportMeans,
  { accountId, keyId, mode }: Starter,
  wish: CloudWish,
  once: OnceOnly,
): Promise<CreatedImport> {
  const database = means.database.within(beginMsMax);
  const plan = await orFail('account_unavailable', readPlan(database, means.plans, accountId));
  assertMayImport(means, plan, mode);
  const create = async (asksForSizes: boolean) => {
    const planning = planFiles(means, accountId, plan, wish, asksForSizes);
    const files = await orFail('import_not_started', planning);
    const creating = means.database.within(beginMsMax).transaction(async (tx) => {
      const { source, unlockDoc } = wish;
      const created = await createImport(means, tx, { accountId, keyId, personId: null, source, unlockDoc, files });
      await once.begin(tx, created.import.id);
      return created;
    });
    return orFail('import_not_started', creating);
  };
  try {
    return await create(false);
  } catch (error) {
    // Imports that began at the same moment hold the room: what the files really need may still be there.
    if (wish.source !== 'cloud_files' || !isQuotaExceeded(error)) throw error;
    return create(true);
  }
}

function isQuotaExceeded(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'import_quota_exceeded';
}

/** In the order of spec.md, permission_error. */
function assertMayImport({ isCloudEnabled }: Pick<ImportMeans, 'isCloudEnabled'>, plan: Plan, mode: KeyMode): void {
  if (!plan.cloud_import) throw new ApiError('cloud_import_requires_pro');
  if (!isCloudEnabled) throw new ApiError('cloud_import_unavailable');
  if (mode !== 'live') throw new ApiError('cloud_import_test_key');
}

async function orFail<Result>(code: ErrorCode, step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    throw error instanceof DatabaseFailure ? new ApiError(code, { cause: error }) : error;
  }
}
