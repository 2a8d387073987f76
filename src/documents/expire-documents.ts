import { cancelMessages } from '../messages/enqueue-messages.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { appendAudit } from './audit.ts';
import { hasExpired } from './document.ts';
import { type DueDocument, eachDue, failuresMax, type Place, portionsOf, type SweepLimits } from './each-due.ts';
import { notifyRecipients } from './notify-recipients.ts';
import { listRecipients, lockDocument } from './queries.ts';

const defaults: SweepLimits = { portion: 100, failuresMax };

/**
 * Marks documents as expired that await signatures and are past `expires_at`. Runs at least once a minute. Uses one
 * transaction per document, so a crash loses nothing and a slow document does not delay the others. One that fails does not
 * stop the others, but makes it throw at the end. `place`: where the last run ended. Returns how many were marked.
 */
export async function expireDocuments(
  world: World,
  db: Database,
  queue: JobQueue,
  stopping: AbortSignal = new AbortController().signal,
  place: Place<ExpiringDocument> = { after: null },
  limits = defaults,
): Promise<number> {
  const failures: unknown[] = [];
  let marked = 0;
  const find = (after: ExpiringDocument | null) => findExpiring(world, db, after, limits.portion);
  for await (const due of portionsOf(limits.portion, find, place)) {
    const failed = await eachDue(world, 'expire a document', due, stopping, async ({ id, account_id }) => {
      if (await db.transaction((tx) => expireOne(world, tx, queue, account_id, id))) marked += 1;
    });
    failures.push(...failed);
    if (failures.length >= limits.failuresMax) break;
  }
  if (failures.length > 0) throw failures[0];
  return marked;
}

interface ExpiringDocument extends DueDocument {
  expires_at: string;
}

function findExpiring(
  world: World,
  db: Database,
  after: ExpiringDocument | null,
  limit: number,
): Promise<ExpiringDocument[]> {
  return db.query<ExpiringDocument>({
    name: 'find_expiring_documents',
    text: `select id, account_id, expires_at from documents
           where status in ('sent', 'partially_signed') and expires_at <= $1
             and (expires_at, id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
           order by expires_at, id limit $4`,
    values: [world.clock.now(), after?.expires_at ?? null, after?.id ?? null, limit],
  });
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
