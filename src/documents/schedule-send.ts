import type { Actor } from '../actor.ts';
import { Refusal } from '../errors.ts';
import type { Language } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { appendAudit } from './audit.ts';
import { assertSendable, type Document, isUnsent, type SendFailure, unscheduled } from './document.ts';
import { findMirroredStatus, listRecipients } from './queries.ts';

/** A document is scheduled at least this long ahead. */
const scheduleMsMin = 60_000;
/** A document is scheduled at most this long ahead: a year. */
const scheduleMsMax = 365 * 86_400_000;

/** Returns whether a document can be scheduled for this time. */
export function isScheduleTime(at: Date, now: Date): boolean {
  const ahead = at.getTime() - now.getTime();
  return ahead >= scheduleMsMin && ahead <= scheduleMsMax;
}

/**
 * Schedules an unsent document, or changes its time. It is sent in the name of `actor`. The caller holds the document's lock
 * and has checked the time. Throws the codes of `assertSendable`. `language`: of the e-mail to the member if it can't be sent.
 */
export async function scheduleSend(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  { at, language }: { at: Date; language: Language },
): Promise<void> {
  const [recipients, mirrored] = await Promise.all([
    listRecipients(tx, document.account_id, document.id),
    findMirroredStatus(tx, document.account_id, document.id),
  ]);
  assertSendable(document, recipients, mirrored);
  const now = world.clock.now().toISOString();
  Object.assign(document, { send_at: at.toISOString(), send_by: actor, send_failure: null, send_failed_at: null });
  document.updated_at = now;
  await Promise.all([
    tx.query({
      name: 'schedule_send',
      text: `update documents set send_at = $3, send_by = $4, send_language = $5, send_failure = null, send_failed_at = null,
               updated_at = $6
             where account_id = $1 and id = $2`,
      values: [document.account_id, document.id, at, actor, language, now],
    }),
    appendAudit(tx, document, [{ at: now, actor, action: 'send_scheduled', detail: { send_at: document.send_at } }]),
  ]);
}

/**
 * Cancels the schedule of a document, or forgets why the last one failed. The document stays as it is. The caller holds its
 * lock. Throws a `Refusal` if there is nothing to cancel.
 */
export async function cancelSchedule(world: World, tx: Tx, document: Document, actor: Actor): Promise<void> {
  const wasScheduled = document.send_at !== null;
  if (!isUnsent(document.status) || (!wasScheduled && document.send_failure === null)) {
    throw new Refusal('the document is not scheduled to be sent');
  }
  const at = world.clock.now().toISOString();
  Object.assign(document, unscheduled);
  await tx.query({
    name: 'cancel_schedule',
    text: `update documents set send_at = null, send_failure = null, send_failed_at = null, updated_at = $3
           where account_id = $1 and id = $2`,
    values: [document.account_id, document.id, at],
  });
  if (wasScheduled) await appendAudit(tx, document, [{ at, actor, action: 'schedule_cancelled', detail: {} }]);
}

/** Ends the schedule of a document that can't be sent. The caller holds its lock. */
export async function failSchedule(world: World, tx: Tx, document: Document, failure: SendFailure): Promise<void> {
  const at = world.clock.now().toISOString();
  const { send_at } = document;
  Object.assign(document, { send_at: null, send_failure: failure, send_failed_at: at });
  await Promise.all([
    tx.query({
      name: 'fail_schedule',
      text: `update documents set send_at = null, send_failure = $3, send_failed_at = $4, updated_at = $4
             where account_id = $1 and id = $2`,
      values: [document.account_id, document.id, failure, at],
    }),
    appendAudit(tx, document, [
      { at, actor: 'service', action: 'schedule_failed', detail: { send_at, code: failure } },
    ]),
  ]);
}
