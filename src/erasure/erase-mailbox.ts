import { listMailbox, listMailboxIds, removeMailboxMessage } from '../platform/mailbox.ts';
import type { Queryable } from '../postgres/database.ts';

export interface MailboxErasure {
  /** Only messages of this account. Null: of all. */
  accountId: string | null;
  /** Counts, and removes nothing. */
  isCount: boolean;
}

/** Removes messages to an address from the local mailbox, or only counts them. Returns how many. */
export async function eraseMailbox(
  db: Queryable,
  dir: string,
  address: string,
  { accountId, isCount }: MailboxErasure,
): Promise<number> {
  const ids = (await listMailbox(dir, { to: address })).map(({ id }) => id);
  const erased = accountId === null ? ids : await idsOfAccount(db, accountId, ids);
  if (!isCount) for (const id of erased) await removeMailboxMessage(dir, id);
  return erased.length;
}

/** Removes the messages of an account from the local mailbox. Its rows of the message log say which, so they go later. */
export async function eraseMailboxOfAccount(db: Queryable, dir: string, accountId: string): Promise<void> {
  const ids = await listMailboxIds(dir);
  for (const id of await idsOfAccount(db, accountId, ids)) await removeMailboxMessage(dir, id);
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
