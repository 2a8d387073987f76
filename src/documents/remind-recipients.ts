import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { eachDue } from './each-due.ts';
import { lockDocument } from './queries.ts';
import { awaitedRecipients, enqueueReminders, isRemoved } from './reminders.ts';

/** One run sends at most this many reminders, so that it ends soon and mail servers are not flooded. The next run resumes. */
const remindersMax = 500;
const dayMs = 86_400_000;

interface DueMessage {
  id: string;
  account_id: string;
  document_id: string;
}

/**
 * Enqueues the scheduled reminders that are due. `waitDays`: the days from the request to the first reminder, from the first
 * to the second, and so on, for documents without a schedule of their own. Each wait begins when the previous message is
 * sent. After an outage of weeks each recipient therefore gets one reminder, and the schedule continues from there. Uses one
 * transaction per document. One that fails does not stop the others, but makes it throw at the end. Returns how many
 * reminders were enqueued.
 */
export async function remindRecipients(
  world: World,
  db: Database,
  queue: JobQueue,
  waitDays: readonly number[],
  stopping: AbortSignal = new AbortController().signal,
): Promise<number> {
  const messages = [...(await findDue(world, db, waitDays)), ...(await findScheduled(world, db))];
  const due = [...Map.groupBy(messages, ({ document_id }) => document_id)].map(([id, ofDocument]) => ({
    id,
    account_id: (ofDocument[0] as DueMessage).account_id,
    messages: ofDocument,
  }));
  let reminded = 0;
  const failures = await eachDue(world, 'remind the recipients of a document', due, stopping, async (document) => {
    reminded += await db.transaction((tx) => remindForDocument(world, tx, queue, document));
  });
  if (failures.length > 0) throw failures[0];
  return reminded;
}

/**
 * Finds the last message of each recipient whose wait is over. The end of a wait is computed, not stored, so changed settings
 * also apply to messages sent before. Each step has another wait and is a separate index scan.
 */
async function findDue(world: World, db: Database, waitDays: readonly number[]): Promise<DueMessage[]> {
  const now = world.clock.now().getTime();
  return db.query<DueMessage>({
    name: 'find_due_reminders',
    text: `select m.id, m.account_id, m.document_id
           from unnest($1::int[], $2::timestamptz[]) as due (step, settled_until)
           cross join lateral (
             select id, account_id, document_id, settled_at from messages
             where step = due.step and settled_at <= due.settled_until
               and settled_at is not null and not followed and kind <> 'completed_copy' and step is not null
               and remind_at is null
             order by settled_at limit $3
           ) m order by m.settled_at limit $3`,
    values: [waitDays.map((_days, step) => step), waitDays.map((days) => new Date(now - days * dayMs)), remindersMax],
  });
}

/** Finds the messages of documents with a schedule of their own. It is fixed at sending, so the end of each wait is stored. */
async function findScheduled(world: World, db: Database): Promise<DueMessage[]> {
  return db.query<DueMessage>({
    name: 'find_scheduled_reminders',
    text: `select id, account_id, document_id from messages
           where remind_at <= $1 and remind_at is not null and not followed order by remind_at limit $2`,
    values: [world.clock.now(), remindersMax],
  });
}

/** Enqueues the reminders of one document. If two workers find the same messages, the second enqueues nothing. */
async function remindForDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  { id, account_id, messages }: { id: string; account_id: string; messages: DueMessage[] },
): Promise<number> {
  const document = await lockDocument(tx, account_id, id, 'all');
  const taken = await takeMessages(
    tx,
    account_id,
    messages.map((message) => message.id),
  );
  if (document === null || taken.length === 0 || (await isRemoved(tx, account_id))) return 0;
  const awaited = await awaitedRecipients(world, tx, document);
  const reminders = awaited.flatMap((recipient) => {
    const last = taken.find(({ recipient_id }) => recipient_id === recipient.id);
    return last === undefined ? [] : [{ recipient, step: last.step + 1 }];
  });
  await enqueueReminders(world, tx, queue, document, reminders, 'service');
  return reminders.length;
}

async function takeMessages(tx: Tx, accountId: string, ids: string[]) {
  return tx.query<{ recipient_id: string; step: number }>({
    name: 'take_due_reminders',
    text: `update messages set followed = true
           where account_id = $1 and id = any ($2::uuid[]) and not followed returning recipient_id, step`,
    values: [accountId, ids],
  });
}
