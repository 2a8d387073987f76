import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { MessageKind } from './enqueue-messages.ts';

/** One row of `messages`: an e-mail or SMS to a recipient, and the state of its delivery. */
export interface Message {
  id: string;
  account_id: string;
  document_id: string;
  recipient_id: string;
  /** The `holder` of the recipient when the message was enqueued. A reassignment changes the recipient's. */
  holder: number;
  kind: MessageKind;
  channel: 'email' | 'sms';
  /** The number of a scheduled reminder, from 1. 0: not a reminder. Null: sent by hand. 1000: before the expiry. */
  step: number | null;
  status: 'pending' | 'accepted' | 'failed' | 'cancelled';
  attempts: number;
  last_error: string | null;
  provider_id: string | null;
  created_at: Timestamp;
  settled_at: Timestamp | null;
  /** When a mail server reported that it still tries to deliver the message, or that it could not. */
  delayed_at: Timestamp | null;
  bounced_at: Timestamp | null;
  reported_reason: string | null;
}

const columns = `id, account_id, document_id, recipient_id, holder, kind, channel, step, status, attempts, last_error,
  provider_id, created_at, settled_at, delayed_at, bounced_at, reported_reason`;

export async function findMessage(db: Queryable, id: string): Promise<Message | null> {
  const rows = await db.query<Message>({
    name: 'find_message',
    text: `select ${columns} from messages where id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

export async function listMessages(db: Queryable, accountId: string, documentId: string): Promise<Message[]> {
  return db.query<Message>({
    name: 'list_messages',
    text: `select ${columns} from messages where account_id = $1 and document_id = $2 order by id`,
    values: [accountId, documentId],
  });
}

export async function recordFailedAttempt(db: Queryable, id: string, reason: string): Promise<void> {
  await db.query({
    name: 'record_failed_attempt',
    text: `update messages set attempts = attempts + 1, last_error = $2 where id = $1 and status = 'pending'`,
    values: [id, reason],
  });
}

/** Cancels a pending message whose content is no longer true. */
export async function cancelMessage(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query({
    name: 'cancel_message',
    text: `update messages set status = 'cancelled', settled_at = $2 where id = $1 and status = 'pending'`,
    values: [id, now],
  });
}

/**
 * Records the outcome of a pending message, and when its next reminder is due if the document has a schedule of its own.
 * Returns false if the message was settled before, and then changes nothing. `before`: `cancelled` for one that was cancelled
 * while it was being sent.
 */
export async function settleMessage(
  db: Queryable,
  id: string,
  outcome: { status: 'accepted' | 'failed'; providerId: string | null; error: string | null },
  now: Date,
  before: 'pending' | 'cancelled' = 'pending',
): Promise<boolean> {
  const rows = await db.query({
    name: 'settle_message',
    text: `update messages m set status = $2, attempts = m.attempts + 1, provider_id = $3, last_error = $4,
             settled_at = $5::timestamptz,
             remind_at = case when m.kind <> 'completed_copy'
               then $5::timestamptz + d.reminder_days[m.step + 1] * interval '24 hours' end,
             followed = m.followed or (m.kind <> 'completed_copy' and m.step >= cardinality(d.reminder_days)) is true
           from documents d
           where m.id = $1 and m.status = $6 and d.account_id = m.account_id and d.id = m.document_id returning 1`,
    values: [id, outcome.status, outcome.providerId, outcome.error, now, before],
  });
  return rows.length === 1;
}
