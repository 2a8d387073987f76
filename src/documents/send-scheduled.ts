import { accessTo } from '../accounts/document-access.ts';
import type { Actor } from '../actor.ts';
import { ApiError } from '../errors.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import { type Database, DatabaseFailure, sqlState, type Tx } from '../postgres/database.ts';
import { type Document, type SendFailure, sendFailures } from './document.ts';
import { portionsOf } from './each-due.ts';
import { findActingMember } from './find-sender.ts';
import { lockDocument } from './queries.ts';
import { isRemoved } from './reminders.ts';
import { notifyOfFailedSchedule } from './schedule-notice.ts';
import { dropSchedule, failSchedule } from './schedule-send.ts';
import { sendDocument } from './send-document.ts';

export interface ScheduleLimits {
  batchMax: number;
  msMax: number;
}

/** The time is less than a worker that stops gives its jobs, so stopping rarely cuts a document off. */
const defaults: ScheduleLimits = { batchMax: 50, msMax: 3000 };
/** A document that fails for another reason than its rules is tried again for this long. */
const retryMs = 3_600_000;

interface DueDocument {
  id: string;
  account_id: string;
  send_at: string;
}

/**
 * Sends the documents whose time has come, the longest due first, each in one transaction: it is sent and its schedule ends
 * together, so it is sent once even if the process is killed. Several processes may call it at the same time. The next
 * run sends those left after `msMax`. Returns how many documents were sent.
 */
export async function sendScheduled(
  world: World,
  db: Database,
  queue: JobQueue,
  { batchMax, msMax }: ScheduleLimits = defaults,
): Promise<number> {
  const until = performance.now() + msMax;
  let sent = 0;
  const find = (after: DueDocument | null) => findDue(world, db, after, batchMax);
  for await (const due of portionsOf(batchMax, find)) {
    for (const one of due) {
      if (await sendOne(world, db, queue, one)) sent += 1;
      if (performance.now() > until) return sent;
    }
  }
  return sent;
}

async function findDue(
  world: World,
  db: Database,
  after: DueDocument | null,
  batchMax: number,
): Promise<DueDocument[]> {
  return db.query<DueDocument>({
    name: 'find_documents_to_send',
    text: `select id, account_id, send_at from documents
           where send_at is not null and send_at <= $1
             and (send_at, id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
           order by send_at, id limit $4`,
    values: [world.clock.now(), after?.send_at ?? null, after?.id ?? null, batchMax],
  });
}

/** Returns whether the document was sent. One that the rules refuse is not tried again. */
async function sendOne(world: World, db: Database, queue: JobQueue, due: DueDocument): Promise<boolean> {
  try {
    return await db.transaction((tx) => attempt(world, tx, queue, due));
  } catch (error) {
    const failure = failureOf(error);
    const isOverdue = Date.parse(due.send_at) < world.clock.now().getTime() - retryMs;
    if (failure === 'failed') {
      world.log.warn('a scheduled document could not be sent', { document_id: due.id, error });
      if (!isOverdue || (error instanceof DatabaseFailure && !isRefusedData(error))) return false;
    }
    await endOne(world, db, queue, due, failure);
    return false;
  }
}

/** Ends a schedule. If not even an entry can be added to the trail, the schedule ends without one. */
async function endOne(
  world: World,
  db: Database,
  queue: JobQueue,
  due: DueDocument,
  failure: SendFailure,
): Promise<void> {
  const endWith = (finish: typeof failSchedule) =>
    db.transaction(async (tx) => {
      const document = await lockDue(world, tx, due);
      if (document !== null) await end(world, tx, queue, document, failure, finish);
    });
  await endWith(failSchedule).catch(async (error) => {
    world.log.error('the schedule of a document could not be ended in its audit trail', { document_id: due.id, error });
    if (isRefusedData(error)) await endWith(dropSchedule);
  });
}

/** Whether the database refused the data of a document, which it would do each time. */
function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '');
}

async function attempt(world: World, tx: Tx, queue: JobQueue, due: DueDocument): Promise<boolean> {
  const document = await lockDue(world, tx, due);
  if (document === null) return false;
  const failure = await findObstacle(tx, document);
  if (failure !== null) {
    await end(world, tx, queue, document, failure);
    return false;
  }
  // Members and operators send in live mode only.
  const actor = document.send_by as Actor;
  await sendDocument(world, tx, queue, { accountId: due.account_id, actor, sees: 'all', mode: 'live' }, document.id);
  return true;
}

/** Locks the document. Returns null if it was sent, cancelled or given another time meanwhile. */
async function lockDue(world: World, tx: Tx, { account_id, id }: DueDocument): Promise<Document | null> {
  const document = await lockDocument(tx, account_id, id, 'all');
  const now = world.clock.now().toISOString();
  return document === null || document.send_at === null || document.send_at > now ? null : document;
}

/**
 * Checks what the console checks when a member sends. Roles, restrictions and folders may have changed since. An operator may
 * send all.
 */
async function findObstacle(tx: Tx, document: Document): Promise<SendFailure | null> {
  if (await isRemoved(tx, document.account_id)) return 'company_removed';
  if (document.send_by === 'operator') return null;
  const member = await findActingMember(tx, document.account_id, document.send_by);
  if (member === null) return 'not_a_member';
  const access = await accessTo(tx, member, document);
  const isInReview = document.status === 'in_review' && member.role === 'member';
  return access !== 'editor' || isInReview ? 'not_allowed' : null;
}

async function end(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  failure: SendFailure,
  finish = failSchedule,
): Promise<void> {
  await finish(world, tx, document, failure);
  await notifyOfFailedSchedule(world, tx, queue, document, failure);
}

function failureOf(error: unknown): SendFailure {
  if (!(error instanceof ApiError)) return 'failed';
  return sendFailures.find((failure) => failure === error.code) ?? 'failed';
}
