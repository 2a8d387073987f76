import { type AuditEntry, appendAudit } from '../documents/audit.ts';
import { notifySender } from '../documents/notify-sender.ts';
import { listRecipients, lockDocument } from '../documents/queries.ts';
import { Refusal } from '../errors.ts';
import { type FoundMessage, findLoggedMessage } from '../message-log/find-message.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import { printableReply } from '../platform/mail-failure.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';

/** What a mail server reported about a message that it had accepted. */
export interface MailReport {
  /** `delayed`: it still tries. */
  outcome: 'bounced' | 'delayed';
  reason: string | null;
}

export interface RecordedReport {
  message_id: string;
  outcome: MailReport['outcome'];
  document_id: string;
  /** False if the message had bounced before. Nothing was changed then. */
  recorded: boolean;
}

/** The report came before it was recorded that a mail server accepted the message. */
export class NotAcceptedYet extends Refusal {}

/**
 * Records that an e-mail bounced or is delayed. A bounce to a recipient is an entry of the document's audit trail, and the
 * sender gets a notice, once for each message. Throws a `Refusal` for an unknown message, an SMS, and a message that no mail
 * server has accepted, and a `NotAcceptedYet` for one that is still being delivered.
 */
export async function recordReport(
  world: World,
  db: Database,
  queue: JobQueue,
  messageId: string,
  { outcome, reason }: MailReport,
): Promise<RecordedReport> {
  return db.transaction(async (tx) => {
    const found = await findLoggedMessage(tx, messageId);
    if (found === null) throw new Refusal(`there is no message ${messageId}`);
    const document = await lockDocument(tx, found.account_id, found.document_id, 'all');
    const message = await findLoggedMessage(tx, messageId);
    if (document === null || message === null) throw new Refusal(`there is no message ${messageId}`);
    if (message.channel !== 'email') throw new Refusal(`message ${messageId} is not an e-mail`);
    if (message.status === 'pending') {
      throw new NotAcceptedYet(`message ${messageId} is still being delivered. Report it again later`);
    }
    if (message.status !== 'accepted') {
      throw new Refusal(
        `message ${messageId} was not accepted by a mail server, so it cannot have ${outcome === 'bounced' ? 'bounced' : 'a delay'}`,
      );
    }
    const words = reason === null ? null : printableReply(reason);
    const recorded = await saveReport(tx, message, outcome, words, world.clock.now());
    if (recorded && outcome === 'bounced' && message.recipient_id !== null) {
      const recipients = await listRecipients(tx, message.account_id, message.document_id);
      const isCurrent = recipients.some(({ id, holder }) => id === message.recipient_id && holder === message.holder);
      // The trail would name the person of today for a message to an earlier one. The message log has it.
      if (isCurrent) {
        await appendAudit(tx, document, [bounceEntry(world, message, words)]);
        await notifySender(world, tx, queue, document, 'sender_bounced', { message: message.id });
      }
    }
    return { message_id: message.id, outcome, document_id: message.document_id, recorded };
  });
}

/** Returns whether it was saved. A message that bounced keeps its first report. */
async function saveReport(
  tx: Tx,
  { table, id, account_id }: FoundMessage,
  outcome: MailReport['outcome'],
  reason: string | null,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query({
    name: `report_${outcome}_${table}`,
    text: `update ${table} set ${outcome}_at = $3, reported_reason = $4
           where account_id = $1 and id = $2 and bounced_at is null returning 1`,
    values: [account_id, id, now, reason],
  });
  return rows.length === 1;
}

function bounceEntry(
  { clock }: World,
  { recipient_id, channel, kind }: FoundMessage,
  reason: string | null,
): Omit<AuditEntry, 'seq'> {
  return {
    at: clock.now().toISOString(),
    actor: 'service',
    action: 'delivery_failed',
    detail: { recipient_id, channel, kind, bounced: true, ...(reason !== null && { reason }) },
  };
}
