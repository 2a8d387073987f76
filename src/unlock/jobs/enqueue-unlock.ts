import { auditAccount } from '../../accounts/account-audit.ts';
import { releaseFile } from '../../documents/stored-files.ts';
import { hasJob } from '../../messages/has-job.ts';
import type { JobQueue } from '../../messages/job-queue.ts';
import type { World } from '../../platform/world.ts';
import type { Database, Tx } from '../../postgres/database.ts';
import { type DocumentUnlock, isAbout, lockUnlock, type OnOutcome, restartUnlock } from './document-unlock.ts';

/**
 * Marks a document as pending for unlocking. If its file is already unlocked, only the outcome is reported,
 * at no cost. A failed or skipped attempt starts again. Returns the row, or null for a document without a file.
 */
export async function enqueueUnlock(
  { world, onOutcome }: { world: World; onOutcome: OnOutcome },
  tx: Tx,
  accountId: string,
  documentId: string,
): Promise<DocumentUnlock | null> {
  const locked = await lockUnlock(world, tx, accountId, documentId);
  if (locked === null) return null;
  const { unlock, file } = locked;
  const isOfThisFile = isAbout(unlock, file.sha256);
  if (unlock.status === 'unlocked' && isOfThisFile) {
    await onOutcome(tx, documentId, { status: 'unlocked', reason: null, pages: unlock.pages, credits: 0 });
    return unlock;
  }
  if (unlock.status === 'pending' && isOfThisFile) return unlock;
  await releaseFiles(world, tx, unlock);
  await restartUnlock(world, tx, documentId, file.sha256);
  return { ...unlock, status: 'pending', source_sha256: file.sha256 };
}

/**
 * Enqueues unlocking at a person's request and records that in the account's audit. `pages`: the file's pages, one credit
 * each. `personId`: null for the operator.
 */
export async function requestUnlock(
  deps: { world: World; onOutcome: OnOutcome },
  tx: Tx,
  { accountId, documentId, pages }: { accountId: string; documentId: string; pages: number },
  personId: string | null,
): Promise<DocumentUnlock | null> {
  const detail = { document_id: documentId, pages };
  await auditAccount(deps.world, tx, { accountId, personId, action: 'unlock_asked', detail });
  return enqueueUnlock(deps, tx, accountId, documentId);
}

/** Releases the files in the order of their hashes, which every change of several references keeps to avoid deadlocks. */
async function releaseFiles(world: World, tx: Tx, unlock: DocumentUnlock): Promise<void> {
  const { sha256, rendered_sha256, used_sha256, source_sha256 } = unlock;
  const held = [sha256, rendered_sha256, used_sha256 === null ? null : source_sha256].filter((file) => file !== null);
  for (const file of held.sort(Buffer.compare)) await releaseFile(tx, world, file);
}

const overdueMs = 60_000;

/** Enqueues again what has been pending for over a minute and has no job, because it was lost. Returns how many. */
export async function requeueUnlocks(world: World, database: Database, queue: JobQueue): Promise<number> {
  return database.transaction(async (tx) => {
    const rows = await tx.query<{ accountId: string; documentId: string }>({
      name: 'find_overdue_unlocks',
      text: `select account_id as "accountId", document_id as "documentId" from document_unlocks
             where status = 'pending' and requested_at < $1
               and not ${hasJob('unlock-document', 'document_unlocks.document_id::text')}
             order by requested_at limit 100`,
      values: [new Date(world.clock.now().getTime() - overdueMs)],
    });
    await queue.enqueue(
      tx,
      rows.map((row) => ({ name: 'unlock-document', ...row })),
    );
    return rows.length;
  });
}
