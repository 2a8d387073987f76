import { readMessageAttempts } from '../jobs/message-attempts.ts';
import type { Message } from '../messages/message.ts';
import type { Language } from '../platform/language.ts';
import type { Queryable } from '../postgres/database.ts';
import { deliveryJson, type MessageDelivery } from './message-json.ts';

/** Returns what became of the last message to each recipient of a document. `messages`: those of the document. */
export async function lastDeliveries(
  db: Queryable,
  recipients: readonly { id: string; holder: number }[],
  messages: readonly Message[],
  language: Language,
): Promise<Map<string, MessageDelivery>> {
  const last = recipients.flatMap(({ id, holder }) => {
    const message = messages.findLast((each) => each.recipient_id === id && each.holder === holder);
    return message === undefined ? [] : [message];
  });
  const waiting = last.filter(({ status }) => status === 'pending').map(({ id }) => id);
  const attempts = await readMessageAttempts(db, waiting);
  return new Map(
    last.map((message) => [message.recipient_id, deliveryJson(message, attempts.get(message.id), language)]),
  );
}
