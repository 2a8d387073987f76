import { canonicalEmail, isSameEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** Someone who signs in: an e-mail address, found by its canonical form, and the proofs that they own it. */
export interface Person {
  id: string;
  email: string;
  password_hash: string | null;
  /** Encrypted; it counts once it was confirmed. */
  totp_secret: Buffer | null;
  totp_confirmed_at: Timestamp | null;
}

const columns = 'id, email, password_hash, totp_secret, totp_confirmed_at';

/** The person of an address, made when it is new. */
export async function ensurePerson(world: World, db: Queryable, email: string): Promise<Person> {
  await db.query({
    name: 'ensure_person',
    text: `insert into people (id, email, canonical_email, created_at) values ($1, $2, $3, $4)
           on conflict (canonical_email) do nothing`,
    values: [world.newId(), email, canonicalEmail(email), world.clock.now()],
  });
  const person = await findPersonByEmail(db, email);
  if (person === null) throw new Error('a person that was made is gone');
  return person;
}

export async function findPersonByEmail(db: Queryable, email: string): Promise<Person | null> {
  const rows = await db.query<Person>({
    name: 'find_person_by_email',
    text: `select ${columns} from people where canonical_email = $1`,
    values: [canonicalEmail(email)],
  });
  return rows[0] ?? null;
}

export async function findPerson(db: Queryable, id: string): Promise<Person | null> {
  const rows = await db.query<Person>({
    name: 'find_person',
    text: `select ${columns} from people where id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Locks the person and reads them as they are now. Signing in and changing a password come one after the other. */
export async function lockPerson(tx: Tx, id: string): Promise<Person | null> {
  const rows = await tx.query<Person>({
    name: 'lock_person',
    text: `select ${columns} from people where id = $1 for no key update`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Makes the person of an address when it is new, and locks them: an erasure of them ends first, or waits. */
export async function ensureLockedPerson(world: World, tx: Tx, email: string): Promise<Person> {
  const { id } = await ensurePerson(world, tx, email);
  const person = await lockPerson(tx, id);
  // They may have been erased in between. The address is someone new then.
  return person !== null && isSameEmail(person.email, email) ? person : ensureLockedPerson(world, tx, email);
}

/** `hash` null: the person has no password any more. */
export async function setPasswordHash(db: Queryable, id: string, hash: string | null): Promise<void> {
  await db.query({
    name: 'set_password_hash',
    text: 'update people set password_hash = $2 where id = $1',
    values: [id, hash],
  });
}
