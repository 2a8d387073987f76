import { listMailbox, listMailboxIds, removeMailboxMessage } from '../platform/mailbox.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Holder } from './redact-trail.ts';

export interface MailboxErasure {
  /** Only messages of this account. Null: of all. */
  accountId: string | null;
  /** Counts, and removes nothing. */
  isCount: boolean;
  /** Recipients whose messages belong to them too, whatever their address. */
  recipients?: readonly DocumentHolder[];
}

/** One of the people that a recipient of a document was given to. */
export interface DocumentHolder extends Holder {
  accountId: string;
  documentId: string;
}

/** Removes messages to an address, and to recipients, from the local mailbox, or only counts them. Returns how many. */
export async function eraseMailbox(
  db: Queryable,
  dir: string,
  address: string,
  { accountId, isCount, recipients = [] }: MailboxErasure,
): Promise<number> {
  const ids = (await listMailbox(dir, { to: address })).map(({ id }) => id);
  const theirs = accountId === null ? ids : await idsOfAccount(db, accountId, ids);
  const there = new Set(recipients.length === 0 ? [] : await listMailboxIds(dir));
  const others = (await idsOfHolders(db, recipients)).filter((id) => there.has(id));
  const erased = new Set([...theirs, ...others]);
  if (!isCount) for (const id of erased) await removeMailboxMessage(dir, id);
  return erased.size;
}

/** Removes the messages to recipients from the local mailbox: codes go to a number, and links to an address. Returns how many. */
export async function eraseMailboxOfHolders(
  db: Queryable,
  dir: string,
  holders: readonly DocumentHolder[],
): Promise<number> {
  let removed = 0;
  for (const id of await idsOfHolders(db, holders)) removed += Number(await removeMailboxMessage(dir, id));
  return removed;
}

/** Removes the messages of an account from the local mailbox. Its rows of the message log say which, so they go later. */
export async function eraseMailboxOfAccount(db: Queryable, dir: string, accountId: string): Promise<void> {
  const ids = await listMailboxIds(dir);
  for (const id of await idsOfAccount(db, accountId, ids)) await removeMailboxMessage(dir, id);
}

/** Returns the messages to recipients that the log has. */
async function idsOfHolders(db: Queryable, holders: readonly DocumentHolder[]): Promise<string[]> {
  if (holders.length === 0) return [];
  const idsIn = (table: string) =>
    `select m.id from h join ${table} m on m.account_id = h.account_id and m.document_id = h.document_id
       and m.recipient_id = h.recipient_id and m.holder = h.holder`;
  const rows = await db.query<{ id: string }>({
    name: 'messages_of_holders',
    text: `with h as (
             select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[])
               as h (account_id, document_id, recipient_id, holder)
           )
           ${idsIn('messages')} union all ${idsIn('notices')} union all ${idsIn('direct_messages')}`,
    values: [
      holders.map(({ accountId }) => accountId),
      holders.map(({ documentId }) => documentId),
      holders.map(({ recipientId }) => recipientId),
      holders.map(({ holder }) => holder),
    ],
  });
  return rows.map(({ id }) => id);
}

/** Messages of one statement. */
const idsAtOnce = 1000;

/** Returns the messages that are in the log of an account. Their files have the id of their row. */
async function idsOfAccount(db: Queryable, accountId: string, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const rows = await db.query<{ id: string }>({
      name: 'mailbox_messages_of_account',
      text: `select id from messages where account_id = $1 and id = any ($2::uuid[])
             union all
             select id from notices where account_id = $1 and id = any ($2::uuid[])
             union all
             select id from direct_messages where account_id = $1 and id = any ($2::uuid[])`,
      values: [accountId, ids.slice(start, start + idsAtOnce)],
    });
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}
