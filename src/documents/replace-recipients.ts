import { markKinds } from '../mark-kinds.ts';
import type { Tx } from '../postgres/database.ts';
import type { Document } from './document.ts';
import {
  insertRecipients,
  recipientArrays,
  recipientColumns,
  recipientParameters,
  updatedRecipientColumns,
} from './insert-recipients.ts';
import type { NewRecipient } from './new-recipient.ts';
import { recipientKind } from './recipient.ts';

/** The new state of a recipient. One that stays keeps its id, and so its fields. */
export interface EditedRecipient extends NewRecipient {
  id: string;
}

/**
 * Deletes the fields of removed recipients and of those who only get a copy, and the fields for marks of approvers. Returns how many.
 */
export async function removeFields(
  tx: Tx,
  document: Document,
  recipients: readonly EditedRecipient[],
): Promise<number> {
  const ofKind = (kind: string) =>
    recipients.filter((recipient) => recipientKind(recipient) === kind).map(({ id }) => id);
  const removed = await tx.query({
    name: 'remove_fields_of_recipients',
    text: `delete from document_fields
           where account_id = $1 and document_id = $2 and not recipient_id = any ($3::uuid[])
             and not (recipient_id = any ($4::uuid[]) and type <> all ($5::text[]))
           returning 1`,
    values: [document.account_id, document.id, ofKind('signer'), ofKind('approver'), markKinds],
  });
  return removed.length;
}

/** Added to all positions while they change, so that no two recipients have the same one. Above any real position. */
const positionOffset = 1000;

/**
 * Replaces the recipients of an unsent document. Returns statements that run in one pipeline. There are no links, codes or
 * messages to revoke, because nobody has got a request yet.
 */
export function replaceRecipients(
  tx: Tx,
  document: Document,
  recipients: readonly EditedRecipient[],
): Promise<unknown>[] {
  return [
    tx.query({
      name: 'remove_recipients',
      text: 'delete from recipients where account_id = $1 and document_id = $2 and not id = any ($3::uuid[])',
      values: [document.account_id, document.id, recipients.map(({ id }) => id)],
    }),
    tx.query({
      name: 'make_room_for_recipients',
      text: `update recipients set position = position + ${positionOffset} where account_id = $1 and document_id = $2`,
      values: [document.account_id, document.id],
    }),
    tx.query({
      name: 'edit_recipients',
      text: `${insertRecipients(`(
               select n.*, $1::uuid as account_id, $2::uuid as document_id, n.place - 1 as position
               from unnest($3::uuid[], ${recipientParameters(4)}) with ordinality as n (id, ${recipientColumns}, place)
             ) r`)}
             on conflict (id) do update set ${updatedRecipientColumns}`,
      values: [document.account_id, document.id, recipients.map(({ id }) => id), ...recipientArrays(recipients)],
    }),
  ];
}
