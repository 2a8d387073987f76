import { join } from 'node:path';
import type { Actor } from '../actor.ts';
import { appendAudit } from '../documents/audit.ts';
import { findDocumentInAccount, lockDocument } from '../documents/queries.ts';
import {
  claimRenewal,
  endRenewals,
  postponeRenewal,
  type RenewalFailure,
  recordRenewedFile,
  recordStamp,
  type SealedVersion,
} from '../documents/seal-renewals.ts';
import { fileKey, keepUncounted, releaseUncounted, storeFile } from '../documents/stored-files.ts';
import { PdfWorkerError } from '../pdf/process/pdf-worker-error.ts';
import type { FileStore } from '../platform/files.ts';
import { withTemporaryDirectory } from '../platform/temporary-directory.ts';
import { withLocalFile } from '../platform/with-local-file.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { PdfWorker } from '../sealing/pdf-worker.ts';
import type { RenewedSeal } from '../sealing/renew-seal.ts';

export interface Renewing {
  pdf: Pick<PdfWorker, 'renew'>;
  files: FileStore;
  tsaUrl: string;
  /** Certificates (DER) of trusted time-stamp authorities. None: any authority is accepted. */
  anchors: readonly Uint8Array[];
}

/** What became of a file. `gone`: the document has another file meanwhile, or none. */
export type RenewalOutcome =
  | { kind: 'gone' | 'unstamped' }
  | { kind: 'kept'; until: Date }
  | { kind: 'renewed'; until: Date; sha256: string }
  | { kind: 'failed'; reason: RenewalFailure; message: string };

/** Files of one run of the job. */
const filesAtOnce = 100;
/** Failures that other files would have too, until the authority has changed. */
const ofAuthority: readonly RenewalFailure[] = ['authority', 'no_later'];

/**
 * Gives the sealed files that are due a new time-stamp, one after the other, those that end first first. Ends when none is due,
 * when the authority makes none that can be used, or at once when the process stops. A file that was not finished is looked at
 * again after its lease. Returns the outcomes.
 */
export async function renewSeals(
  world: World,
  db: Database,
  renewing: Renewing,
  { actor, stopping }: { actor: Actor; stopping: AbortSignal },
): Promise<RenewalOutcome[]> {
  const outcomes: RenewalOutcome[] = [];
  const { promise: stopped, resolve } = Promise.withResolvers<null>();
  stopping.addEventListener('abort', () => resolve(null), { once: true });
  while (outcomes.length < filesAtOnce && !stopping.aborted) {
    const file = await claimRenewal(db, world.clock.now());
    if (file === null) break;
    const renewed = renewSealedFile(world, db, renewing, file, { actor, isForced: false });
    renewed.catch(() => {}); // when the process stops first
    const outcome = await Promise.race([renewed, stopped]);
    if (outcome === null) break;
    outcomes.push(outcome);
    if (outcome.kind === 'failed' && ofAuthority.includes(outcome.reason)) break;
  }
  return outcomes;
}

/**
 * Gives a sealed file a new time-stamp when it is due, or at once with `isForced`. The new file is stored first. One transaction
 * then switches the document to it and releases the file before. Errors that have nothing to do with the file are thrown.
 */
export async function renewSealedFile(
  world: World,
  db: Database,
  renewing: Renewing,
  file: SealedVersion,
  { actor, isForced }: { actor: Actor; isForced: boolean },
): Promise<RenewalOutcome> {
  const document = await findDocumentInAccount(db, file.account_id, file.document_id);
  if (document === null || document.sealed_file !== keyOf(file)) {
    await endRenewals(db, file);
    return { kind: 'gone' };
  }
  const fail = async (reason: RenewalFailure, message: string, stamp: Stamp = null): Promise<RenewalOutcome> => {
    world.log.warn('a sealed file got no new time-stamp', {
      document_id: file.document_id,
      reason,
      error: message,
    });
    // What an operator tries before the time says nothing about what workers will do.
    if (!isForced) await postponeRenewal(db, world.clock.now(), file, reason, stamp);
    return { kind: 'failed', reason, message };
  };
  try {
    if (!(await renewing.files.has(keyOf(file)))) return await fail('missing', `the file store has no ${keyOf(file)}`);
    return await withTemporaryDirectory(async (directory) => {
      const output = join(directory, 'renewed.pdf');
      const result = await makeRenewed(world, renewing, file, { output, isForced });
      if (result.kind === 'failed') return fail(result.reason, result.message, result.stamp);
      if (result.kind !== 'renewed') return keep(db, file, result);
      const content = { sha256: Buffer.from(result.sha256, 'hex'), bytes: result.bytes };
      await storeFile(world, db, renewing.files, content, output);
      const isSwitched = await db.transaction((tx) => switchFile(world, tx, file, result, actor));
      if (!isSwitched) return { kind: 'gone' };
      const { until } = result.stamp;
      world.log.info('a sealed file got a new time-stamp', { document_id: file.document_id, stamped_until: until });
      return { kind: 'renewed', until, sha256: result.sha256 };
    });
  } catch (error) {
    if (error instanceof PdfWorkerError && isOfFile(error)) return fail('failed', error.message);
    throw error;
  }
}

type Stamp = Extract<RenewedSeal, { kind: 'failed' }>['stamp'];

function keyOf({ sha256 }: SealedVersion): string {
  return fileKey(sha256.toString('hex'));
}

function isOfFile({ failure }: PdfWorkerError): boolean {
  return failure !== 'busy' && failure !== 'closed';
}

function makeRenewed(
  { clock }: World,
  { pdf, files, tsaUrl, anchors }: Renewing,
  file: SealedVersion,
  { output, isForced }: { output: string; isForced: boolean },
): Promise<RenewedSeal> {
  const input = { sealRange: file.range, tsaUrl, anchors, now: clock.now(), isForced };
  return withLocalFile(files, keyOf(file), (source) => pdf.renew(input, source, output));
}

async function keep(
  db: Database,
  file: SealedVersion,
  result: Extract<RenewedSeal, { kind: 'kept' | 'unstamped' }>,
): Promise<RenewalOutcome> {
  const stamp = result.kind === 'kept' ? result.stamp : null;
  await recordStamp(db, file, stamp);
  return stamp === null ? { kind: 'unstamped' } : { kind: 'kept', until: stamp.until };
}

/**
 * Makes the stored file the sealed file of the document. Returns false when the document has another one meanwhile, or was erased:
 * the stored file is then removed, because nothing refers to it.
 */
async function switchFile(
  world: World,
  tx: Tx,
  before: SealedVersion,
  { stamp, sha256, bytes }: Extract<RenewedSeal, { kind: 'renewed' }>,
  actor: Actor,
): Promise<boolean> {
  const document = await lockDocument(tx, before.account_id, before.document_id, 'all');
  if (document === null || document.sealed_file !== keyOf(before)) return false;
  await keepUncounted(tx, { sha256: Buffer.from(sha256, 'hex'), bytes });
  await recordRenewedFile(tx, before, { sha256, bytes, stamp });
  const detail = {
    sha256,
    previous_sha256: before.sha256.toString('hex'),
    stamped_until: stamp.until.toISOString(),
  };
  await appendAudit(tx, document, [{ at: world.clock.now().toISOString(), actor, action: 'renewed', detail }], {
    name: 'renew_sealed_file',
    columns: { sealed_file: fileKey(sha256) },
  });
  await releaseUncounted(tx, world, [{ sha256: before.sha256, bytes: before.bytes }]);
  return true;
}
