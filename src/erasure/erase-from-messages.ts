import type { Queryable, Tx } from '../postgres/database.ts';
import type { Holder } from './redact-trail.ts';

/** The tables of the message log. */
const tables = ['messages', 'notices', 'direct_messages'] as const;

/** What else a row tells of the person. The person before a reassignment is named in notices that wait to be sent. */
const details = 'last_error = null, provider_id = null, reported_reason = null';
const columns: Record<(typeof tables)[number], string> = {
  messages: details,
  notices: `${details}, former_name = null, former_address = null`,
  direct_messages: details,
};

/**
 * Removes people from the message log of a document, and cancels what still waits to be sent to them. The other people whom their
 * recipients were given to keep their addresses, and lose the replies of mail servers, which may name anyone.
 */
export async function eraseHoldersFromMessages(
  tx: Tx,
  accountId: string,
  documentId: string,
  holders: readonly Holder[],
  now: Date,
): Promise<void> {
  for (const table of tables) {
    await tx.query({
      name: `erase_holders_from_${table}`,
      text: `update ${table} m set ${columns[table]}, address = case when m.holder <> all (h.holders) then m.address end,
               status = case when m.status = 'pending' and m.holder = any (h.holders) then 'cancelled' else m.status end,
               settled_at = case when m.status = 'pending' and m.holder = any (h.holders) then $5 else m.settled_at end
             from (
               select id, array_agg(holder) as holders from unnest($3::uuid[], $4::smallint[]) as h (id, holder) group by id
             ) as h
             where m.account_id = $1 and m.document_id = $2 and m.recipient_id = h.id`,
      values: [
        accountId,
        documentId,
        holders.map(({ recipientId }) => recipientId),
        holders.map(({ holder }) => holder),
        now,
      ],
    });
  }
}

/** Removes an address, as messages store it, from the message log of one account, or of all. Returns those that had it. */
export async function eraseFromMessages(db: Queryable, address: string, accountId: string | null): Promise<string[]> {
  const accounts: string[] = [];
  for (const table of tables) {
    const erased = await db.query<{ account_id: string }>({
      name: `erase_address_from_${table}`,
      text: `with erased as (
               update ${table} set ${columns[table]}, address = null
               where address = $1 and ($2::uuid is null or account_id = $2) returning account_id
             )
             select distinct account_id from erased`,
      values: [address, accountId],
    });
    accounts.push(...erased.map(({ account_id }) => account_id));
  }
  return accounts;
}

/**
 * Removes someone who signs in from the message log: the e-mails that they got as a member. Returns the accounts that have
 * such e-mails.
 */
export async function eraseMemberFromMessages(tx: Tx, personId: string): Promise<string[]> {
  const accounts: string[] = [];
  for (const table of ['notices', 'direct_messages'] as const) {
    const erased = await tx.query<{ account_id: string }>({
      name: `erase_member_from_${table}`,
      text: `with erased as (
               update ${table} m set ${columns[table]}, address = null from people p
               where p.id = $1 and m.address = p.canonical_email and m.recipient_id is null returning m.account_id
             )
             select distinct account_id from erased`,
      values: [personId],
    });
    accounts.push(...erased.map(({ account_id }) => account_id));
  }
  return accounts;
}
