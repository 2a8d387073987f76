import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { eachDue, failuresMax, type Place, portionsOf, type SweepLimits } from './each-due.ts';
import { lockDocument } from './queries.ts';
import { awaitedRecipients, enqueueReminders, isRemoved } from './reminders.ts';

/**
 * A run ends with the portion in which it has sent as many reminders as a portion has messages, or in which `failuresMax` documents
 * have failed, so that it ends soon and mail servers are not flooded. The next run resumes.
 */
const defaults: SweepLimits = { portion: 500, failuresMax };
const dayMs = 86_400_000;

/** Messages by the schedule of the service, and by one of their document. */
interface ReminderPlaces {
  due: Place<DueMessage>;
  scheduled: Place<DueMessage>;
}

export function newReminderPlaces(): ReminderPlaces {
  return { due: { after: null }, scheduled: { after: null } };
}

interface DueMessage {
  id: string;
  account_id: string;
  document_id: string;
  due_since: Timestamp;
}

/**
 * Enqueues the scheduled reminders that are due. `waitDays`: the days from the request to the first reminder, from the first
 * to the second, and so on, for documents without a schedule of their own. Each wait begins when the previous message is
 * sent. After an outage of weeks each recipient therefore gets one reminder, and the schedule continues from there. Uses one
 * transaction per document. One that fails does not stop the others, but makes it throw at the end. `places`: where the last run
 * ended. Returns how many reminders were enqueued.
 */
export async function remindRecipients(
  world: World,
  db: Database,
  queue: JobQueue,
  waitDays: readonly number[],
  stopping: AbortSignal = new AbortController().signal,
  places: ReminderPlaces = newReminderPlaces(),
  { portion, failuresMax } = defaults,
): Promise<number> {
  const failures: unknown[] = [];
  let reminded = 0;
  const sources = [
    { find: findDue, place: places.due },
    { find: findScheduled, place: places.scheduled },
  ];
  for (const { find, place } of sources) {
    const enough = reminded + portion;
    const failuresEnough = failures.length + failuresMax;
    const read = (after: DueMessage | null) => find(world, db, waitDays, after, portion);
    for await (const messages of portionsOf(portion, read, place)) {
      const due = byDocument(messages);
      const failed = await eachDue(world, 'remind the recipients of a document', due, stopping, async (document) => {
        reminded += await db.transaction((tx) => remindForDocument(world, tx, queue, document));
      });
      failures.push(...failed);
      if (reminded >= enough || failures.length >= failuresEnough) break;
    }
  }
  if (failures.length > 0) throw failures[0];
  return reminded;
}

interface DueDocument {
  id: string;
  account_id: string;
  messages: DueMessage[];
}

function byDocument(due: DueMessage[]): DueDocument[] {
  return [...Map.groupBy(due, ({ document_id }) => document_id)].map(([id, messages]) => ({
    id,
    account_id: (messages[0] as DueMessage).account_id,
    messages,
  }));
}

/**
 * Finds the last message of each recipient whose wait is over. The end of a wait is computed, not stored, so changed settings
 * also apply to messages sent before. Each step has another wait and is a separate index scan.
 */
async function findDue(
  world: World,
  db: Database,
  waitDays: readonly number[],
  after: DueMessage | null,
  limit: number,
): Promise<DueMessage[]> {
  const now = world.clock.now().getTime();
  return db.query<DueMessage>({
    name: 'find_due_reminders',
    text: `select m.id, m.account_id, m.document_id, m.settled_at as due_since
           from unnest($1::int[], $2::timestamptz[]) as due (step, settled_until)
           cross join lateral (
             select id, account_id, document_id, settled_at from messages
             where step = due.step and settled_at <= due.settled_until
               and settled_at is not null and not followed and kind <> 'completed_copy' and step is not null
               and remind_at is null and ${isAfter('settled_at', '$3', '$4')}
             order by settled_at, id limit $5
           ) m order by m.settled_at, m.id limit $5`,
    values: [
      waitDays.map((_days, step) => step),
      waitDays.map((days) => new Date(now - days * dayMs)),
      after?.due_since ?? null,
      after?.id ?? null,
      limit,
    ],
  });
}

/** Finds the messages of documents with a schedule of their own. It is fixed at sending, so the end of each wait is stored. */
async function findScheduled(
  world: World,
  db: Database,
  _waitDays: readonly number[],
  after: DueMessage | null,
  limit: number,
): Promise<DueMessage[]> {
  return db.query<DueMessage>({
    name: 'find_scheduled_reminders',
    text: `select id, account_id, document_id, remind_at as due_since from messages
           where remind_at <= $1 and remind_at is not null and not followed and ${isAfter('remind_at', '$2', '$3')}
           order by remind_at, id limit $4`,
    values: [world.clock.now(), after?.due_since ?? null, after?.id ?? null, limit],
  });
}

function isAfter(column: string, time: string, id: string): string {
  return `(${column}, id) > (coalesce(${time}::timestamptz, '-infinity'), coalesce(${id}::uuid, '00000000-0000-0000-0000-000000000000'))`;
}

/** Enqueues the reminders of one document. If two workers find the same messages, the second enqueues nothing. */
async function remindForDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  { id, account_id, messages }: DueDocument,
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
