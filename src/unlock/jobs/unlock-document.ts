import { join } from 'node:path';
import type { PlanTable } from '../../accounts/plans.ts';
import { fileKey, retainFile, storeFile } from '../../documents/stored-files.ts';
import { PdfWorkerError } from '../../pdf/process/pdf-worker-error.ts';
import type { FileStore } from '../../platform/files.ts';
import { withTemporaryDirectory } from '../../platform/temporary-directory.ts';
import { withLocalFile } from '../../platform/with-local-file.ts';
import type { World } from '../../platform/world.ts';
import type { Database, Tx } from '../../postgres/database.ts';
import { canPay, payCredits } from '../../usage/credits.ts';
import type { Unlocker } from '../convert/create-unlocker.ts';
import type { Conversion } from '../convert/process/jobs.ts';
import {
  countAttempt,
  type DocumentUnlock,
  endUnlock,
  type FileToUnlock,
  lockUnlock,
  type OnOutcome,
  type UnlockEnding,
  uncountAttempt,
} from './document-unlock.ts';

export interface Unlocking {
  world: World;
  database: Database;
  plans: PlanTable;
  files: FileStore;
  unlocker: Unlocker;
  onOutcome: OnOutcome;
}

interface Begun {
  unlock: DocumentUnlock;
  pages: number;
}

/** Attempts include those that ended with their process, which may not be the file's fault. */
const attemptsMax = 5;

/**
 * Unlocks the file of a document that waits for it. A child process converts the file, then one transaction charges the
 * pages and records the success: nothing is charged without a result, and of two processes the second finds the work
 * done. A document whose file was replaced, or that was voided, is skipped: nobody agreed to that price. Returns whether this
 * call unlocked it. Throws if the database, the file store or the unlocker fails.
 */
export async function unlockDocument(unlocking: Unlocking, accountId: string, documentId: string): Promise<boolean> {
  const { world, database } = unlocking;
  const begun = await database.transaction((tx) => begin(unlocking, tx, accountId, documentId));
  if (begun === null) return false;
  try {
    return await convertAndSettle(unlocking, begun);
  } catch (error) {
    const mayBeOfFile = error instanceof PdfWorkerError && error.failure === 'failed';
    if (!mayBeOfFile) {
      await uncountAttempt(world, database, begun.unlock).catch((cause) =>
        world.log.warn('an attempt to unlock a document stays counted', { document_id: documentId, error: cause }),
      );
    }
    throw error;
  }
}

function convertAndSettle(unlocking: Unlocking, begun: Begun): Promise<boolean> {
  const { world, database, files, unlocker } = unlocking;
  return withTemporaryDirectory(async (directory) => {
    const output = join(directory, 'pages.gz');
    const source = fileKey(begun.unlock.source_sha256.toString('hex'));
    const made = await withLocalFile(files, source, (path) =>
      unlocker.convert({ source: path, output, pages: begun.pages }),
    );
    if (made.ok) await storeFile(world, database, files, contentOf(made), output);
    return database.transaction((tx) => settle(unlocking, tx, begun, made));
  });
}

/** Counts an attempt and returns what to convert. Null if there is nothing to do or the account lacks credits. */
async function begin(unlocking: Unlocking, tx: Tx, accountId: string, documentId: string): Promise<Begun | null> {
  const { world, plans } = unlocking;
  const locked = await lockUnlock(world, tx, accountId, documentId);
  if (locked === null || locked.unlock.status !== 'pending') return null;
  const { unlock, file } = locked;
  const wanted = { accountId, documentId, sourceSha256: unlock.source_sha256, pages: file.page_count };
  const end = (ending: UnlockEnding) => endUnlock(unlocking, tx, documentId, ending);
  if (!isStillWanted(unlock, file)) await end(notWanted);
  else if (!(await canPay(world, tx, plans, wanted))) await end({ status: 'skipped', reason: 'insufficient_credits' });
  else if (unlock.attempts >= attemptsMax) await end({ status: 'failed', reason: 'conversion_failed' });
  else {
    await countAttempt(tx, documentId);
    return { unlock, pages: file.page_count };
  }
  return null;
}

const notWanted: UnlockEnding = { status: 'skipped', reason: null };

function isStillWanted({ source_sha256 }: DocumentUnlock, { sha256, document_status }: FileToUnlock): boolean {
  return source_sha256.equals(sha256) && document_status !== 'voided';
}

async function settle(unlocking: Unlocking, tx: Tx, { unlock }: Begun, made: Conversion): Promise<boolean> {
  const { world } = unlocking;
  const { account_id: accountId, document_id: documentId } = unlock;
  const locked = await lockUnlock(world, tx, accountId, documentId);
  // Another process has done it, or unlocking was asked for again, for another file.
  if (locked?.unlock.status !== 'pending' || !locked.unlock.source_sha256.equals(unlock.source_sha256)) return false;
  const isWanted = isStillWanted(unlock, locked.file);
  await endUnlock(unlocking, tx, documentId, isWanted ? await outcomeOf(unlocking, tx, unlock, made) : notWanted);
  return isWanted;
}

async function outcomeOf(
  { world, plans }: Unlocking,
  tx: Tx,
  { account_id: accountId, document_id: documentId, source_sha256: sourceSha256 }: DocumentUnlock,
  made: Conversion,
): Promise<UnlockEnding> {
  if (!made.ok) return { status: 'failed', reason: made.reason };
  const { pages } = made;
  const credits = await payCredits(world, tx, plans, { accountId, documentId, sourceSha256, pages });
  if (credits === null) return { status: 'skipped', reason: 'insufficient_credits' };
  const content = contentOf(made);
  await retainFile(tx, content);
  return { status: 'unlocked', pages, credits, sha256: content.sha256 };
}

function contentOf({ sha256, bytes }: Extract<Conversion, { ok: true }>) {
  return { sha256: Buffer.from(sha256), bytes };
}
