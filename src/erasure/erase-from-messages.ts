import { storedAddress } from '../messages/stored-address.ts';
import type { Queryable, Tx } from '../postgres/database.ts';

/** The tables of the message log. */
const tables = ['messages', 'notices', 'direct_messages'] as const;

/** What else a row tells of the person. The person before a reassignment is named in notices that wait to be sent. */
const details = 'last_error = null, provider_id = null, reported_reason = null';
const columns: Record<(typeof tables)[number], string> = {
  messages: details,
  notices: `${details}, former_name = null, former_address = null`,
  direct_messages: details,
};

/** Removes recipients of a document from the message log. The addresses of people whom they have replaced stay. */
export async function eraseFromOwnMessages(
  tx: Tx,
  accountId: string,
  documentId: string,
  recipientIds: readonly string[],
): Promise<void> {
  for (const table of tables) {
    await tx.query({
      name: `erase_recipients_from_${table}`,
      text: `update ${table} m set ${columns[table]}, address = case when m.holder <> r.holder then m.address end
             from recipients r
             where m.account_id = $1 and m.document_id = $2 and m.recipient_id = any ($3::uuid[]) and r.id = m.recipient_id`,
      values: [accountId, documentId, recipientIds],
    });
  }
}

/** Removes an e-mail address from the message log of one account, or of all: also that of someone who was replaced. */
export async function eraseFromMessages(db: Queryable, email: string, accountId: string | null): Promise<void> {
  for (const table of tables) {
    await db.query({
      name: `erase_address_from_${table}`,
      text: `update ${table} set ${columns[table]}, address = null
             where address = $1 and ($2::uuid is null or account_id = $2)`,
      values: [storedAddress('email', email), accountId],
    });
  }
}

/** Removes someone who signs in from the message log: the e-mails that they got as a member. */
export async function eraseMemberFromMessages(tx: Tx, personId: string): Promise<void> {
  for (const table of ['notices', 'direct_messages'] as const) {
    await tx.query({
      name: `erase_member_from_${table}`,
      text: `update ${table} m set ${columns[table]}, address = null from people p
             where p.id = $1 and m.address = p.canonical_email and m.recipient_id is null`,
      values: [personId],
    });
  }
}
