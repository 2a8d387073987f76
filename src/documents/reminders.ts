import type { Actor } from '../actor.ts';
import { enqueueMessages, reachableRecipients } from '../messages/enqueue-messages.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { appendAudit } from './audit.ts';
import { awaitsSignature, type Document, hasExpired } from './document.ts';
import { listRecipients } from './queries.ts';
import { isSigner, type Recipient } from './recipient.ts';
import { expiryReminderStep } from './reminder-plan.ts';

export interface Reminder {
  recipient: Recipient;
  /** The number of a scheduled reminder, from 1. `expiryReminderStep`: before the expiry. Null: sent by hand. */
  step: number | null;
}

/**
 * Returns the recipients who have got a request, have not answered, and can get messages. Returns none if the document no
 * longer awaits signatures.
 */
export async function awaitedRecipients(world: World, db: Queryable, document: Document): Promise<Recipient[]> {
  if (!isAwaiting(document, world.clock.now())) return [];
  const recipients = await listRecipients(db, document.account_id, document.id);
  return reachableRecipients(document, recipients).filter(
    (recipient) => isSigner(recipient) && (recipient.status === 'sent' || recipient.status === 'viewed'),
  );
}

/** Returns whether the document awaits signatures and has not expired. */
export function isAwaiting(document: Document, now: Date): boolean {
  return awaitsSignature(document.status) && !hasExpired(document, now);
}

/** Returns whether the account was removed. Removed accounts send no reminders. */
export async function isRemoved(db: Queryable, accountId: string): Promise<boolean> {
  const rows = await db.query({
    name: 'is_account_removed',
    text: 'select from accounts where id = $1 and removed_at is not null',
    values: [accountId],
  });
  return rows.length > 0;
}

/** Enqueues the reminders and adds them to the audit trail. `actor`: `service` for scheduled reminders. */
export async function enqueueReminders(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  reminders: readonly Reminder[],
  actor: Actor,
): Promise<void> {
  if (reminders.length === 0) return;
  const at = world.clock.now().toISOString();
  const recipients = reminders.map(({ recipient }) => recipient);
  const steps = reminders.map(({ step }) => step);
  await Promise.all([
    enqueueMessages(world, tx, queue, document, recipients, 'reminder', steps),
    appendAudit(
      tx,
      document,
      reminders.map(({ recipient, step }) => ({
        at,
        actor,
        action: 'reminded',
        detail: {
          recipient_id: recipient.id,
          name: recipient.display_name,
          channel: recipient.channel,
          ...(step === expiryReminderStep ? { number: null, before_expiry: true } : { number: step }),
        },
      })),
    ),
  ]);
}
