import { canonicalEmail } from '../platform/canonical-email.ts';
import { dialable } from '../platform/dialable.ts';
import type { Queryable } from '../postgres/database.ts';

/** What a person is found by, in the form in which messages store it (`storedAddress`). */
export interface Contact {
  channel: 'email' | 'sms';
  address: string;
}

/** Someone who is or was a recipient, and the document. */
export interface FoundRecipient {
  id: string;
  account_id: string;
  document_id: string;
  /** Which of the people that the recipient was given to, counted from 1. */
  holder: number;
  /** Whether another person has taken their place. */
  is_former: boolean;
  /** Why they can't be erased now. Null: they can be. */
  obstacle: 'open' | 'unsealed' | null;
  /** What they were found by. */
  contact: Contact;
}

type Row = Omit<FoundRecipient, 'contact'>;

const lookedAtMax = 20_000;
const firstId = '00000000-0000-0000-0000-000000000000';

const obstacle = `case when d.status in ('sent', 'partially_signed') then 'open'
                 when d.status = 'completed' and d.sealed_at is null and not d.is_migrated then 'unsealed' end`;

/** Finds all who have an address as recipients now, and those who had it until another person took their place. */
export async function findRecipients(
  db: Queryable,
  contact: Contact,
  accountId: string | null,
): Promise<FoundRecipient[]> {
  const [present, former] = [
    await findPresent(db, contact, accountId),
    await findFormer(db, contact.address, accountId),
  ];
  return [...present, ...former].map((one) => ({ ...one, contact }));
}

/** There is no index on the addresses of recipients, so it walks through all of them, in steps that each end soon. */
async function findPresent(db: Queryable, contact: Contact, accountId: string | null): Promise<Row[]> {
  const found: Row[] = [];
  for (let after = firstId; ; ) {
    const rows = await db.query<Row & { email: string | null; phone: string | null; last_id: string }>({
      name: 'recipients_to_erase',
      text: `with looked as materialized (
               select id, account_id, document_id, email, phone, holder from recipients where id > $1::uuid
               order by id limit ${lookedAtMax}
             )
             select r.id, r.account_id, r.document_id, r.holder, r.email, r.phone, false as is_former,
               (select id from looked order by id desc limit 1) as last_id, ${obstacle} as obstacle
             from looked r join documents d on d.account_id = r.account_id and d.id = r.document_id
             where ($2::uuid is null or r.account_id = $2)
               and case $3 when 'email' then r.email is not null else r.phone is not null end
             union all
             select null, null, null, null, null, null, null, (select id from looked order by id desc limit 1), null`,
      values: [after, accountId, contact.channel],
    });
    const lastId = rows.at(-1)?.last_id ?? null;
    for (const { email, phone, last_id: _, ...recipient } of rows) {
      if (recipient.id !== null && hasContact({ email, phone }, contact)) found.push(recipient);
    }
    if (lastId === null) return found;
    after = lastId;
  }
}

/** Whether somebody has this address or number now. */
export function hasContact(of: { email: string | null; phone: string | null }, { channel, address }: Contact): boolean {
  if (channel === 'email') return of.email !== null && canonicalEmail(of.email) === address;
  return of.phone !== null && dialable(of.phone) === address;
}

/** Recipients keep only the present person's address. The message log has those of the people before. */
function findFormer(db: Queryable, address: string, accountId: string | null): Promise<Row[]> {
  return db.query<Row>({
    name: 'former_recipients_to_erase',
    text: `select distinct r.id, r.account_id, r.document_id, sent.holder, true as is_former, ${obstacle} as obstacle
           from (
             select account_id, document_id, recipient_id, holder from messages where address = $1
             union all
             select account_id, document_id, recipient_id, holder from notices where address = $1
             union all
             select account_id, document_id, recipient_id, holder from direct_messages where address = $1
           ) as sent
           join recipients r
             on r.account_id = sent.account_id and r.document_id = sent.document_id and r.id = sent.recipient_id
           join documents d on d.account_id = r.account_id and d.id = r.document_id
           where sent.holder < r.holder and ($2::uuid is null or r.account_id = $2)`,
    values: [address, accountId],
  });
}
