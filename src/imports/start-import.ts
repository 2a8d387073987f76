import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '../accounts/plans.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { KeyMode } from '../keys/api-key.ts';
import { DatabaseFailure, type Queryable, type Tx } from '../postgres/database.ts';
import { continueImport } from './continue-import.ts';
import { type CreatedImport, createImport, requirePlan } from './create-import.ts';
import { startVendorImport } from './esign/start-vendor-import.ts';
import { repeatableReasons } from './import.ts';
import type { ImportDeps } from './import-deps.ts';
import { type ImportJson, importJson, type StartedImportJson, shownItemJson } from './json.ts';
import { underLease } from './lease.ts';
import { planFiles } from './plan-files.ts';
import { findImport, listAllItems } from './queries.ts';
import { runItems } from './run-items.ts';
import type { FileRequest } from './sources/file-source.ts';
import { fileSources } from './sources/sources.ts';
import type { ImportRequest, VendorImportRequest } from './start-import-body.ts';

export interface Starter {
  accountId: string;
  keyId: string;
  mode: KeyMode;
}

/** Ties the import that a request starts, and its answer, to the request's Idempotency-Key, if it has one. */
export interface OnceOnly {
  /** The import of an earlier request with the same key that got no final answer. */
  begunId: string | null;
  begin(tx: Tx, id: string): Promise<void>;
  answer(tx: Tx, result: unknown): Promise<void>;
  /** Leaves the answer unrecorded, so that a repeated request continues the import. */
  leaveOpen(): Promise<void>;
}

/**
 * Runs POST /imports: checks whether the import may start, records it and runs it. Returns when all files have ended, or
 * while the rest continues after 85 s or because the process stops; for a vendor import at once. The import continues if
 * the client hangs up. A repeated request continues an interrupted one.
 */
export async function startImport(
  deps: ImportDeps,
  starter: Starter,
  input: ImportRequest,
  once: OnceOnly,
): Promise<StartedImportJson | ImportJson> {
  if (input.source === 'esign_vendor') return startVendor(deps, starter, input, once);
  const answerAt = performance.now() + deps.limits.answerMsMax;
  if (once.begunId !== null) await assertMayRepeat(deps, starter, input.source);
  const { importId, running } =
    once.begunId === null
      ? await beginAndRun(deps, starter, input, once)
      : await continueImport(deps, starter.accountId, once.begunId, input);
  if (!(await endsBy(answerAt, deps.answering, running))) {
    running.catch((error) => deps.world.log.warn('an import stopped after its answer', { import_id: importId, error }));
  }

  let isFinal = true;
  const answer = await deps.database.transaction(async (tx) => {
    const [row, items] = await Promise.all([
      findImport(tx, starter.accountId, importId),
      listAllItems(tx, starter.accountId, importId),
    ]);
    if (row === null) throw new Error(`import ${importId} is gone`);
    const result: StartedImportJson = { ...importJson(row), items: items.map(shownItemJson) };
    isFinal = row.status === 'finished' && !items.some(({ reason }) => repeatableReasons.includes(reason));
    if (isFinal) await once.answer(tx, result);
    return result;
  });
  if (!isFinal) await once.leaveOpen();
  return answer;
}

/** Whether `work` ends by `at`, a `performance.now()` time, and before `signal` is aborted. Throws what `work` throws. */
async function endsBy(at: number, signal: AbortSignal, work: Promise<void>): Promise<boolean> {
  const over = new AbortController();
  const limit = sleep(Math.max(0, at - performance.now()), false, { signal: AbortSignal.any([signal, over.signal]) });
  return Promise.race([work.then(() => true), limit.catch(() => false)]).finally(() => over.abort());
}

/** Starts a vendor import and answers at once, with every count at zero. The answer is stored in the same transaction. */
async function startVendor(
  deps: ImportDeps,
  starter: Starter,
  input: VendorImportRequest,
  once: OnceOnly,
): Promise<ImportJson> {
  const starting = deps.database.within(deps.limits.beginMsMax).transaction(async (tx) => {
    const result = importJson(await startVendorImport(deps, tx, starter, input));
    await orFail('idempotency_store_failed', once.answer(tx, result));
    return result;
  });
  return orFail('import_not_started', starting);
}

/** Whether a repeated request may continue its import. It may while imports are switched off, because it adds no files. */
export async function assertMayRepeat(
  deps: ImportDeps,
  { accountId, mode }: Starter,
  source: ImportRequest['source'],
): Promise<void> {
  if (source === 'esign_vendor') return;
  const reading = requirePlan(deps.database.within(deps.limits.beginMsMax), deps.plans, accountId);
  assertMayImport({ isCloudEnabled: true }, await orFail('account_unavailable', reading), mode);
}

/**
 * Returns a stored answer of `startImport`, without the names and ids of documents that the API no longer shows. An answer without
 * such documents comes back byte for byte.
 */
export async function hideRestricted(db: Queryable, accountId: string, answered: string): Promise<string> {
  const answer = JSON.parse(answered) as ImportJson & Partial<StartedImportJson>;
  const shown = new Map((answer.items ?? []).map((item) => [item.id, item]));
  if (shown.size === 0) return answered;
  const hidden = (await listAllItems(db, accountId, answer.id)).filter(
    ({ id, is_hidden }) => is_hidden && shown.get(id)?.document_id != null,
  );
  if (hidden.length === 0) return answered;
  const isHidden = new Set(hidden.map(({ id }) => id));
  const items = [...shown.values()].map((item) =>
    isHidden.has(item.id) ? { ...item, name: null, document_id: null } : item,
  );
  return JSON.stringify({ ...answer, items });
}

async function beginAndRun(deps: ImportDeps, starter: Starter, input: FileRequest, once: OnceOnly) {
  const created = await begin(deps, starter, input, once);
  const running = underLease(deps, created.lease, (signal) => runItems(deps, { ...created, signal }, created.items));
  return { importId: created.import.id, running };
}

/** Creates the import. If it throws, nothing is left: neither an import nor a byte of a file. */
async function begin(
  deps: ImportDeps,
  { accountId, keyId, mode }: Starter,
  input: FileRequest,
  once: OnceOnly,
): Promise<CreatedImport> {
  const database = deps.database.within(deps.limits.beginMsMax);
  const plan = await orFail('account_unavailable', requirePlan(database, deps.plans, accountId));
  assertMayImport(deps, plan, mode);
  const create = async (asksForSizes: boolean) => {
    const planning = planFiles(deps, accountId, plan, input, asksForSizes);
    const files = await orFail('import_not_started', planning);
    const creating = deps.database.within(deps.limits.beginMsMax).transaction(async (tx) => {
      const { source, unlockDoc } = input;
      const created = await createImport(deps, tx, { accountId, keyId, personId: null, source, unlockDoc, files });
      await once.begin(tx, created.import.id);
      return created;
    });
    return orFail('import_not_started', creating);
  };
  try {
    return await create(false);
  } catch (error) {
    // Imports that started at the same moment reserve more than they need. The real sizes may still fit.
    if (fileSources[input.source].declaresSizes || !isQuotaExceeded(error)) throw error;
    return create(true);
  }
}

function isQuotaExceeded(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'import_quota_exceeded';
}

/** Throws the first permission error in the documented order. */
function assertMayImport({ isCloudEnabled }: Pick<ImportDeps, 'isCloudEnabled'>, plan: Plan, mode: KeyMode): void {
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
