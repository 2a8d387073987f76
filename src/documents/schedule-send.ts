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
 * and has checked the time. Throws the codes of `assertSendable`. `language`: of the e-mail if it can't be sent.
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
  const sendAt = at.toISOString();
  const columns = { ...unscheduled, send_at: sendAt, send_by: actor, send_language: language, updated_at: now };
  Object.assign(document, columns);
  const entry = { at: now, actor, action: 'send_scheduled', detail: { send_at: sendAt } } as const;
  await appendAudit(tx, document, [entry], { name: 'schedule_send', columns });
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
  const columns = { ...unscheduled, updated_at: at };
  Object.assign(document, columns);
  const entries = wasScheduled ? [{ at, actor, action: 'schedule_cancelled', detail: {} } as const] : [];
  await appendAudit(tx, document, entries, { name: 'cancel_schedule', columns });
}

/** Ends the schedule of a document that can't be sent. The caller holds its lock. */
export async function failSchedule(world: World, tx: Tx, document: Document, failure: SendFailure): Promise<void> {
  const at = world.clock.now().toISOString();
  const { send_at } = document;
  const columns = { send_at: null, send_failure: failure, send_failed_at: at, updated_at: at };
  Object.assign(document, columns);
  const entry = { at, actor: 'service', action: 'schedule_failed', detail: { send_at, code: failure } } as const;
  await appendAudit(tx, document, [entry], { name: 'fail_schedule', columns });
}

/** Ends a schedule as `failSchedule` does, without an entry in a trail that takes none. */
export async function dropSchedule(world: World, tx: Tx, document: Document, failure: SendFailure): Promise<void> {
  const at = world.clock.now().toISOString();
  Object.assign(document, { send_at: null, send_failure: failure, send_failed_at: at, updated_at: at });
  await tx.query({
    name: 'drop_schedule',
    text: `update documents set send_at = null, send_failure = $3, send_failed_at = $4, updated_at = $4
           where account_id = $1 and id = $2`,
    values: [document.account_id, document.id, failure, at],
  });
}
