import { setTimeout as sleep } from 'node:timers/promises';
import { lockDocumentShared } from '../documents/queries.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import type { OnOutcome } from '../unlock/jobs/document-unlock.ts';
import { enqueueUnlock } from '../unlock/jobs/enqueue-unlock.ts';
import type { UnlockHook } from './import-deps.ts';

/** After this time POST /imports answers; documents still being unlocked are `pending` and continue. */
const waitMsMax = 30_000;
const pollMs = 100;

/** Connects imports to unlocking. Jobs are enqueued in the transaction that creates the documents. */
export function createUnlockHook(world: World, database: Database, queue: JobQueue): UnlockHook {
  return {
    async enqueue(tx, { accountId, documentId, itemId, sha256 }) {
      if (!(await mayUnlock(tx, accountId, documentId, sha256))) return skipItem(tx, itemId);
      const pending = await enqueueUnlock({ world, onOutcome: updateUnlockedItems }, tx, accountId, documentId);
      if (pending?.status !== 'pending') return;
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
 * Whether importing a file unlocks its document: not if it is voided or restricted by now or has lost its file, or has another
 * one than this or what was rendered from this.
 */
async function mayUnlock(tx: Tx, accountId: string, documentId: string, sha256: Buffer | null): Promise<boolean> {
  // Attaching another file waits for this lock.
  await lockDocumentShared(tx, accountId, documentId);
  const found = await tx.query({
    name: 'imported_document_to_unlock',
    text: `select from documents d
           join document_files f on f.account_id = $1 and f.document_id = d.id
           left join document_unlocks u on u.account_id = $1 and u.document_id = d.id
           where d.account_id = $1 and d.id = $2 and d.status <> 'voided' and d.restricted_kind is null
             and ($3::bytea is null or f.sha256 = $3 or (f.sha256 = u.used_sha256 and u.source_sha256 = $3))`,
    values: [accountId, documentId, sha256],
  });
  return found.length > 0;
}

/** Ends the unlocking of one item. Others of the same document may wait for an attempt that has begun. */
async function skipItem(tx: Tx, itemId: string): Promise<void> {
  await tx.query({
    name: 'skip_unlock_of_item',
    text: `update import_items set unlock_status = 'skipped', unlock_credits = 0 where id = $1 and unlock_status = 'pending'`,
    values: [itemId],
  });
}

/** Records the outcome on the import items that wait for the document to be unlocked. The credits count for the first. */
export const updateUnlockedItems: OnOutcome = async (tx, documentId, outcome) => {
  await tx.query({
    name: 'update_unlocked_items',
    text: `update import_items i
           set unlock_status = $2, unlock_reason = $3, unlock_pages = $4,
             unlock_credits = case when i.id = waiting.first then $5::int else 0 end
           from (
             select min(id::text)::uuid as first from import_items
             where document_id = $1 and unlock_status = 'pending' and status = 'filed'
           ) waiting
           where i.document_id = $1 and i.unlock_status = 'pending' and i.status = 'filed'`,
    values: [documentId, outcome.status, outcome.reason, outcome.pages, outcome.credits],
  });
};

async function countWaitingItems(db: Queryable, importId: string): Promise<number> {
  const [row] = await db.query<{ waiting: number }>({
    name: 'count_items_being_unlocked',
    text: `select count(*) as waiting from import_items
           where import_id = $1 and unlock_status = 'pending' and status = 'filed'`,
    values: [importId],
  });
  return row?.waiting ?? 0;
}
