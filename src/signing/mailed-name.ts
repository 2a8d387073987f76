import { readActor } from '../actor.ts';
import { readReassignments } from '../documents/audit.ts';
import type { Recipient } from '../documents/recipient.ts';
import type { Queryable } from '../postgres/database.ts';

/**
 * Returns the name by which an e-mail calls a recipient. Empty for someone whom another recipient named: nobody can make us send
 * words of their own to a stranger.
 */
export async function mailedName(
  db: Queryable,
  {
    account_id,
    document_id,
    id,
    holder,
    display_name,
  }: Pick<Recipient, 'account_id' | 'document_id' | 'id' | 'holder' | 'display_name'>,
): Promise<string> {
  if (holder === 1) return display_name;
  const reassignments = await readReassignments(db, account_id, document_id);
  // The first person is number 1, so the second one came with the first reassignment.
  const entry = reassignments.filter(({ detail }) => detail.recipient_id === id)[holder - 2];
  return entry !== undefined && readActor(entry.actor).kind === 'recipient' ? '' : display_name;
}
