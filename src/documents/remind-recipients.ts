import type { Database, Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import type { JobQueue } from './messages.ts';
import { lockDocument } from './queries.ts';
import { awaitedRecipients, enqueueReminders } from './reminders.ts';

/** A sweep that finds more leaves them to the next one: it must end soon, and mail servers dislike floods. */
const portionMax = 500;
const dayMs = 86_400_000;

interface DueMessage {
  id: string;
  account_id: string;
  document_id: string;
}

/**
 * Reminds whoever was asked and has not answered. `waitDays`: the days from the request to the first reminder, from that
 * to the second, and so on; as many reminders as there are waits. Each wait begins when the message before has left, so
 * after a pause of weeks everybody gets one reminder and the schedule goes on from there. A document is a transaction of
 * its own. Returns how many reminders are owed now.
 */
export async function remindRecipients(
  world: World,
  db: Database,
  queue: JobQueue,
  waitDays: readonly number[],
): Promise<number> {
  const due = await findDue(world, db, waitDays);
  let reminded = 0;
  for (const messages of Map.groupBy(due, (message) => message.document_id).values()) {
    reminded += await db.transaction((tx) => remindOf(world, tx, queue, messages));
  }
  return reminded;
}

/**
 * The newest message of each series whose wait is over. One walk over the index for each step: the waits are settings,
 * so the time when one ends is not stored, and a change of the settings holds for what was sent before it.
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
             order by settled_at limit $3
           ) m order by m.settled_at limit $3`,
    values: [waitDays.map((_days, step) => step), waitDays.map((days) => new Date(now - days * dayMs)), portionMax],
  });
}

/** Messages of one document. Of two workers that found the same the second takes none, and owes nothing. */
async function remindOf(world: World, tx: Tx, queue: JobQueue, messages: DueMessage[]): Promise<number> {
  const { account_id, document_id } = messages[0] as DueMessage;
  const document = await lockDocument(tx, account_id, document_id, 'all');
  const taken = await takeMessages(
    tx,
    account_id,
    messages.map(({ id }) => id),
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

/** A company that was removed asks nobody any more. */
async function isRemoved(tx: Tx, accountId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'is_account_removed',
    text: 'select from accounts where id = $1 and removed_at is not null',
    values: [accountId],
  });
  return rows.length > 0;
}

async function takeMessages(tx: Tx, accountId: string, ids: string[]) {
  return tx.query<{ recipient_id: string; step: number }>({
    name: 'take_due_reminders',
    text: `update messages set followed = true
           where account_id = $1 and id = any ($2::uuid[]) and not followed returning recipient_id, step`,
    values: [accountId, ids],
  });
}
