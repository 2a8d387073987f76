import { canonicalEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { AccountErasure } from './delete-rows.ts';
import { erasePerson } from './erase-person.ts';

/** Erases the members of an account, also those who were removed, unless another company needs them. Returns how many. */
export async function eraseMembers({ world, db, accountId, stopping }: AccountErasure): Promise<number> {
  const people = await db.query<{ address: string }>({
    name: 'people_of_account',
    text: `select canonical_email as address from people where canonical_email in (
             select canonical_email from members where account_id = $1
             union
             select canonical_email from removed_members where account_id = $1
           )`,
    values: [accountId],
  });
  let erased = 0;
  for (const { address } of people) {
    stopping.throwIfAborted();
    erased += await db.transaction((tx) => eraseUnlessNeeded(world, tx, accountId, [address]));
  }
  return erased;
}

/** Erases people who sign in as recipients of locked documents, unless another company needs them. Returns how many. */
export async function eraseRecipientsWhoSignIn(
  world: World,
  tx: Tx,
  accountId: string,
  documentIds: readonly string[],
): Promise<number> {
  // Recipients who were replaced are named by the message log only.
  const rows = await tx.query<{ address: string }>({
    name: 'addresses_of_documents',
    text: `select email as address from recipients
           where account_id = $1 and document_id = any ($2::uuid[]) and email is not null
           union
           select address from direct_messages
           where account_id = $1 and document_id = any ($2::uuid[]) and kind = 'sign_in_link' and address is not null`,
    values: [accountId, documentIds],
  });
  return eraseUnlessNeeded(world, tx, accountId, [...new Set(rows.map(({ address }) => canonicalEmail(address)))]);
}

/**
 * Erases the people of these addresses who are not needed elsewhere: other companies where they are members, or, for those who
 * are no members here, were members or got messages. Companies that are erased too don't count, so that two erasures at once don't
 * leave a person to each other. Returns how many.
 */
async function eraseUnlessNeeded(
  world: World,
  tx: Tx,
  accountId: string,
  addresses: readonly string[],
): Promise<number> {
  const locked = await lockPeople(tx, addresses);
  if (locked.length === 0) return 0;
  const elsewhere = (table: string, address: string) =>
    `exists (select from ${table} t join accounts a on a.id = t.account_id
             where t.${address} = p.canonical_email and t.account_id <> $1 and a.erase_requested_at is null)`;
  const people = await tx.query<{ id: string }>({
    name: 'people_not_needed',
    text: `select p.id from people p where p.id = any ($2::uuid[]) and not ${elsewhere('members', 'canonical_email')} and (
             exists (select from members where account_id = $1 and canonical_email = p.canonical_email) or not (
               ${elsewhere('removed_members', 'canonical_email')} or ${elsewhere('messages', 'address')}
               or ${elsewhere('notices', 'address')} or ${elsewhere('direct_messages', 'address')}))`,
    values: [accountId, locked],
  });
  for (const { id } of people) await erasePerson(world, tx, id);
  return people.length;
}

/** Locks the people of canonical addresses, as `lockPerson` does, always in the same order. Returns their ids. */
async function lockPeople(tx: Tx, addresses: readonly string[]): Promise<string[]> {
  const people = await tx.query<{ id: string }>({
    name: 'lock_people_of_addresses',
    text: `select id from people where canonical_email = any ($1::text[]) order by id for no key update`,
    values: [addresses],
  });
  return people.map(({ id }) => id);
}

/** Someone who signs in with an address. */
export interface SignsIn {
  id: string;
  is_member: boolean;
}

/** Finds who signs in with an address, also without a company: as a recipient. */
export async function findWhoSignsIn(db: Queryable, email: string): Promise<SignsIn | null> {
  const [person] = await db.query<SignsIn>({
    name: 'find_who_signs_in',
    text: `select id, exists (select from members m where m.canonical_email = p.canonical_email) as is_member
           from people p where canonical_email = $1`,
    values: [canonicalEmail(email)],
  });
  return person ?? null;
}

/** Erases who signs in with an address, unless they are a member of a company. Returns them as they were. */
export async function eraseWhoSignsIn(world: World, tx: Tx, email: string): Promise<SignsIn | null> {
  await lockPeople(tx, [canonicalEmail(email)]);
  const person = await findWhoSignsIn(tx, email);
  if (person?.is_member === false) await erasePerson(world, tx, person.id);
  return person;
}
