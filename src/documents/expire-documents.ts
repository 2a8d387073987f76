import { cancelMessages } from '../messages/enqueue-messages.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { appendAudit } from './audit.ts';
import { hasExpired } from './document.ts';
import { notifyRecipients } from './notify-recipients.ts';
import { listRecipients, lockDocument } from './queries.ts';

const batchMax = 100;

/**
 * Marks documents as expired that await signatures and are past `expires_at`. Runs at least once a minute. Uses one
 * transaction per document, so a crash loses nothing and a slow document does not delay the others. Returns how many were
 * marked.
 */
export async function expireDocuments(world: World, db: Database, queue: JobQueue): Promise<number> {
  let marked = 0;
  for (;;) {
    const due = await db.query<{ id: string; account_id: string }>({
      name: 'find_expiring_documents',
      text: `select id, account_id from documents
             where status in ('sent', 'partially_signed') and expires_at <= $1 order by expires_at limit $2`,
      values: [world.clock.now(), batchMax],
    });
    for (const { id, account_id } of due) {
      if (await db.transaction((tx) => expireOne(world, tx, queue, account_id, id))) marked += 1;
    }
    if (due.length < batchMax) return marked;
  }
}

async function expireOne(world: World, tx: Tx, queue: JobQueue, accountId: string, id: string): Promise<boolean> {
  const document = await lockDocument(tx, accountId, id, 'all');
  const now = world.clock.now();
  if (document === null || !hasExpired(document, now)) return false;
  const recipients = await listRecipients(tx, accountId, id);
  await Promise.all([
    cancelMessages(world, tx, document),
    notifyRecipients(world, tx, queue, document, recipients, 'recipient_expired'),
    appendAudit(
      tx,
      document,
      [{ at: now.toISOString(), actor: 'service', action: 'expired', detail: { expires_at: document.expires_at } }],
      { name: 'expire_document', columns: { status: 'expired', updated_at: now } },
    ),
  ]);
  return true;
}
