import { setTimeout as sleep } from 'node:timers/promises';
import { auditAccount } from '../accounts/account-audit.ts';
import type { JobQueue } from '../documents/messages.ts';
import { releaseFile } from '../documents/stored-files.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import type { UnlockHook } from './import-deps.ts';
import {
  countWaitingItems,
  type DocumentUnlock,
  isAbout,
  lockUnlock,
  restartUnlock,
  updateItems,
} from './unlock-rows.ts';

/** After that, a client is answered with what is there; the rest is `pending` and goes on by itself. */
const waitMsMax = 30_000;
const pollMs = 100;

/** How importing has its files unlocked: as jobs that commit with the filing, and are waited for at the end. */
export function createUnlockHook(world: World, database: Database, queue: JobQueue): UnlockHook {
  return {
    async enqueue(tx, { accountId, documentId }) {
      const pending = await enqueueUnlock(world, tx, accountId, documentId);
      if (pending === null || pending.status !== 'pending') return;
      await queue.enqueue(tx, [{ name: 'unlock-document', accountId, documentId }]);
    },
    async settled(importId, signal) {
      const end = performance.now() + waitMsMax;
      while (performance.now() < end && (await countWaitingItems(database, importId)) > 0) {
        await sleep(pollMs, undefined, { signal });
      }
    },
  };
}

/**
 * Notes that a document is to be unlocked. One that is already, as it is, is left so, and the import items that ask for
 * it hear that at no cost. What failed or was skipped is tried anew. Returns the row, null for a document without a file.
 */
export async function enqueueUnlock(
  world: World,
  tx: Tx,
  accountId: string,
  documentId: string,
): Promise<DocumentUnlock | null> {
  const locked = await lockUnlock(world, tx, accountId, documentId);
  if (locked === null) return null;
  const { unlock, file } = locked;
  const isOfThisFile = isAbout(unlock, file.sha256);
  if (unlock.status === 'unlocked' && isOfThisFile) {
    await updateItems(tx, documentId, { status: 'unlocked', reason: null, pages: unlock.pages, credits: 0 });
    return unlock;
  }
  if (unlock.status === 'pending' && isOfThisFile) return unlock;
  await releaseFiles(world, tx, unlock);
  await restartUnlock(world, tx, documentId, file.sha256);
  return { ...unlock, status: 'pending', source_sha256: file.sha256 };
}

/**
 * The same because somebody asks for it, which goes on the company's record. `pages`: that the file has, each of which is a
 * credit; `personId`: who asks; null: the operator.
 */
export async function requestUnlock(
  world: World,
  tx: Tx,
  { accountId, documentId, pages }: { accountId: string; documentId: string; pages: number },
  personId: string | null,
): Promise<DocumentUnlock | null> {
  const detail = { document_id: documentId, pages };
  await auditAccount(world, tx, { accountId, personId, action: 'unlock_asked', detail });
  return enqueueUnlock(world, tx, accountId, documentId);
}

/** In the order of their hashes, as by everybody who changes the references of more than one. */
async function releaseFiles(world: World, tx: Tx, unlock: DocumentUnlock): Promise<void> {
  const { sha256, rendered_sha256, used_sha256, source_sha256 } = unlock;
  const held = [sha256, rendered_sha256, used_sha256 === null ? null : source_sha256].filter((file) => file !== null);
  for (const file of held.sort(Buffer.compare)) await releaseFile(tx, world, file);
}

const overdueMs = 60_000;

/** Owed a while ago and still not done: their jobs were lost or given up, and are asked for again. */
export async function requeueUnlocks(world: World, database: Database, queue: JobQueue): Promise<number> {
  return database.transaction(async (tx) => {
    const rows = await tx.query<{ accountId: string; documentId: string }>({
      name: 'find_overdue_unlocks',
      text: `select account_id as "accountId", document_id as "documentId" from document_unlocks
             where status = 'pending' and requested_at < $1 order by requested_at limit 100`,
      values: [new Date(world.clock.now().getTime() - overdueMs)],
    });
    await queue.enqueue(
      tx,
      rows.map((row) => ({ name: 'unlock-document', ...row })),
    );
    return rows.length;
  });
}
