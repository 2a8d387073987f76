import type { JobQueue } from '../messages/job-queue.ts';
import { listMessages, type Message } from '../messages/message.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { type DueDocument, eachDue, failuresMax, type Place, portionsOf, type SweepLimits } from './each-due.ts';
import { nextStepAt } from './next-reminder.ts';
import { lockDocument } from './queries.ts';
import { expiryReminderStep } from './reminder-plan.ts';
import { awaitedRecipients, enqueueReminders, isRemoved } from './reminders.ts';

/** A run ends with the portion in which it has sent as many reminders as a portion has, or in which `failuresMax` failed. */
const defaults: SweepLimits = { portion: 500, failuresMax };
const dayMs = 86_400_000;

/**
 * Enqueues the reminders of documents that expire soon. Leaves out recipients who got a message in the last 24 hours, or get
 * their next scheduled one within 24 hours, before the document expires. `waitDays`: as for `remindRecipients`. Uses one
 * transaction per document. One that fails does not stop the others, but makes it throw at the end. `place`: where the last
 * run ended. Returns how many reminders were enqueued.
 */
export async function remindBeforeExpiry(
  world: World,
  db: Database,
  queue: JobQueue,
  waitDays: readonly number[],
  stopping: AbortSignal = new AbortController().signal,
  place: Place<ExpiringDocument> = { after: null },
  { portion, failuresMax } = defaults,
): Promise<number> {
  const failures: unknown[] = [];
  let reminded = 0;
  const find = (after: ExpiringDocument | null) => findExpiring(world, db, after, portion);
  for await (const due of portionsOf(portion, find, place)) {
    const failed = await eachDue(world, 'remind before an expiry', due, stopping, async ({ id, account_id }) => {
      reminded += await db.transaction((tx) => remindForDocument(world, tx, queue, waitDays, account_id, id));
    });
    failures.push(...failed);
    if (reminded >= portion || failures.length >= failuresMax) break;
  }
  if (failures.length > 0) throw failures[0];
  return reminded;
}

interface ExpiringDocument extends DueDocument {
  expiry_reminder_at: string;
}

function findExpiring(
  world: World,
  db: Database,
  after: ExpiringDocument | null,
  limit: number,
): Promise<ExpiringDocument[]> {
  return db.query<ExpiringDocument>({
    name: 'find_expiry_reminders',
    text: `select id, account_id, expiry_reminder_at from documents
           where expiry_reminder_at <= $1 and expiry_reminder_at is not null
             and (expiry_reminder_at, id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
           order by expiry_reminder_at, id limit $4`,
    values: [world.clock.now(), after?.expiry_reminder_at ?? null, after?.id ?? null, limit],
  });
}

async function remindForDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  waitDays: readonly number[],
  accountId: string,
  id: string,
): Promise<number> {
  const document = await lockDocument(tx, accountId, id, 'all');
  if (document === null || document.expiry_reminder_at === null) return 0;
  await tx.query({
    name: 'take_expiry_reminder',
    text: 'update documents set expiry_reminder_at = null where account_id = $1 and id = $2',
    values: [accountId, id],
  });
  if (await isRemoved(tx, accountId)) return 0;
  const now = world.clock.now().getTime();
  const soon = Math.min(now + dayMs, Date.parse(document.expires_at ?? ''));
  const [awaited, messages] = await Promise.all([
    awaitedRecipients(world, tx, document),
    listMessages(tx, accountId, id),
  ]);
  const reminders = awaited.flatMap((recipient) => {
    const own = messages.filter(
      ({ recipient_id, holder }) => recipient_id === recipient.id && holder === recipient.holder,
    );
    const isRecent = own.some((message) => isUnderWay(message) || arrivedSince(message, now - dayMs));
    const next = nextStepAt(document, own, waitDays);
    if (isRecent || (next !== null && next.getTime() < soon)) return [];
    return [{ recipient, step: expiryReminderStep }];
  });
  await enqueueReminders(world, tx, queue, document, reminders, 'service');
  return reminders.length;
}

function isUnderWay({ status }: Message): boolean {
  return status === 'pending';
}

function arrivedSince({ status, settled_at, bounced_at }: Message, since: number): boolean {
  return status === 'accepted' && bounced_at === null && Date.parse(settled_at ?? '') > since;
}
