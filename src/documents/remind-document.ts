import { Refusal } from '../errors.ts';
import type { Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import type { Document } from './document.ts';
import type { JobQueue } from './messages.ts';
import { awaitedRecipients, enqueueReminders, isAwaiting } from './reminders.ts';

const restMs = 24 * 3_600_000;

/**
 * Reminds everybody whose turn it is, now, whatever the schedule says; the schedule goes on as if nothing had been sent.
 * Whoever was reminded by hand within 24 hours is left out. Throws a `Refusal` when nobody is left. The caller holds
 * the document's lock.
 */
export async function remindDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  actor: string,
): Promise<void> {
  const now = world.clock.now();
  if (!isAwaiting(document, now)) {
    const state = document.status === 'sent' || document.status === 'partially_signed' ? 'expired' : document.status;
    throw new Refusal(`the document awaits no signature: it is ${state}`);
  }
  if (document.sent_mode !== 'live')
    throw new Refusal('the document was sent with a test key: no message leaves for it');
  const awaited = await awaitedRecipients(world, tx, document);
  if (awaited.length === 0) throw new Refusal('everybody whose turn it is signs in person: no message leaves');
  const resting = await remindedByHandSince(tx, document, new Date(now.getTime() - restMs));
  const reminders = awaited
    .filter((recipient) => !resting.has(recipient.id))
    .map((recipient) => ({ recipient, step: null }));
  if (reminders.length === 0) throw new Refusal('everybody whose turn it is was reminded by hand within 24 hours');
  await enqueueReminders(world, tx, queue, document, reminders, actor);
}

async function remindedByHandSince(tx: Tx, document: Document, since: Date): Promise<Set<string>> {
  const rows = await tx.query<{ recipient_id: string }>({
    name: 'reminded_by_hand_since',
    text: `select recipient_id from messages
           where account_id = $1 and document_id = $2 and kind = 'reminder' and step is null and created_at > $3`,
    values: [document.account_id, document.id, since],
  });
  return new Set(rows.map(({ recipient_id }) => recipient_id));
}
