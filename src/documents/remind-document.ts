import type { Actor } from '../actor.ts';
import { Refusal } from '../errors.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { Document } from './document.ts';
import { awaitedRecipients, enqueueReminders, isAwaiting } from './reminders.ts';

/** A recipient gets at most one manual reminder in this time. */
const manualReminderIntervalMs = 24 * 3_600_000;

/**
 * Sends a reminder now to every recipient whose turn it is, or to one of them. The schedule does not change. Skips recipients
 * who got a manual reminder in the last 24 hours, unless it failed or bounced. Throws a `Refusal` if nobody is left. The caller
 * holds the document's lock.
 */
export async function remindDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  actor: Actor,
  recipientId: string | null = null,
): Promise<void> {
  const now = world.clock.now();
  if (!isAwaiting(document, now)) {
    const state = document.status === 'sent' || document.status === 'partially_signed' ? 'expired' : document.status;
    throw new Refusal(`the document does not await signatures: it is ${state}`);
  }
  if (document.sent_mode !== 'live') throw new Refusal('the document was sent with a test key: it sends no messages');
  const everyone = await awaitedRecipients(world, tx, document);
  if (everyone.length === 0) throw new Refusal('no reminder sent: everyone whose turn it is signs in person');
  const awaited = everyone.filter(({ id }) => recipientId === null || id === recipientId.toLowerCase());
  if (awaited.length === 0) {
    throw new Refusal('no reminder sent: this is not a recipient whose turn it is, or they sign in person');
  }
  const recentlyReminded = await manuallyRemindedSince(
    tx,
    document,
    new Date(now.getTime() - manualReminderIntervalMs),
  );
  const reminders = awaited
    .filter((recipient) => !recentlyReminded.has(recipient.id))
    .map((recipient) => ({ recipient, step: null }));
  if (reminders.length === 0) {
    throw new Refusal('no reminder sent: everyone whose turn it is was reminded by hand in the last 24 hours');
  }
  await enqueueReminders(world, tx, queue, document, reminders, actor);
}

/** Returns the recipients whose present person was reminded by hand. */
async function manuallyRemindedSince(tx: Tx, document: Document, since: Date): Promise<Set<string>> {
  const rows = await tx.query<{ recipient_id: string }>({
    name: 'manually_reminded_since',
    text: `select m.recipient_id from messages m
           join recipients r on r.account_id = $1 and r.id = m.recipient_id and r.holder = m.holder
           where m.account_id = $1 and m.document_id = $2 and m.kind = 'reminder' and m.step is null and m.created_at > $3
             and m.status in ('pending', 'accepted') and m.bounced_at is null`,
    values: [document.account_id, document.id, since],
  });
  return new Set(rows.map(({ recipient_id }) => recipient_id));
}
