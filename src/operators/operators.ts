import { listMemberships } from '../accounts/members.ts';
import { Refusal } from '../errors.ts';
import { ensurePerson, findPersonByEmail, lockPerson } from '../identity/people.ts';
import type { Session } from '../identity/sessions.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { logOperator } from './operator-log.ts';

/** Someone who runs the service and may open the operator's page. Only the command line adds and removes them. */
export interface Operator {
  person_id: string;
  email: string;
  added_at: Timestamp;
}

/**
 * Makes a member of some company an operator. Adding an operator again accepts the authenticator and passkeys that they have
 * now. Throws a `Refusal` for someone who belongs to no company, or has neither authenticator nor passkey.
 */
export async function addOperator(world: World, tx: Tx, email: string): Promise<Operator> {
  if ((await listMemberships(tx, email)).length === 0) {
    throw new Refusal('nobody with this e-mail address is a member of a company: add them first, with user create');
  }
  const person = await ensurePerson(world, tx, email);
  await lockPerson(tx, person.id);
  if (!(await hasFactor(tx, person.id))) {
    throw new Refusal(
      'this person has neither an authenticator nor a passkey: they set one up in the console, under Your account',
    );
  }
  const [added] = await tx.query<{ added_at: Timestamp }>({
    name: 'add_operator',
    text: `insert into operators (person_id, added_at) values ($1, $2)
           on conflict (person_id) do update set added_at = excluded.added_at returning added_at`,
    values: [person.id, world.clock.now()],
  });
  await logOperator(world, tx, { personId: null, action: 'operator_added', detail: { person_id: person.id } });
  return { person_id: person.id, email: person.email, added_at: added?.added_at as Timestamp };
}

async function hasFactor(tx: Tx, personId: string): Promise<boolean> {
  const found = await tx.query({
    name: 'has_factor',
    text: `select from people p where p.id = $1
             and (p.totp_confirmed_at is not null or exists (select from passkeys k where k.person_id = p.id))`,
    values: [personId],
  });
  return found.length > 0;
}

/** Lists all operators, in the order of being added. */
export function listOperators(db: Queryable): Promise<Operator[]> {
  return db.query<Operator>({
    name: 'list_operators',
    text: `select o.person_id, p.email, o.added_at from operators o join people p on p.id = o.person_id
           order by o.added_at, o.person_id`,
    values: [],
  });
}

/** Removes an operator. Their next request is refused. Null: this person is no operator. */
export async function removeOperator(world: World, tx: Tx, email: string): Promise<Operator | null> {
  const person = await findPersonByEmail(tx, email);
  if (person === null) return null;
  const [removed] = await tx.query<{ added_at: Timestamp }>({
    name: 'remove_operator',
    text: 'delete from operators where person_id = $1 returning added_at',
    values: [person.id],
  });
  if (removed === undefined) return null;
  await logOperator(world, tx, { personId: null, action: 'operator_removed', detail: { person_id: person.id } });
  return { person_id: person.id, email: person.email, added_at: removed.added_at };
}

/** `needs_factor`: an operator whose session has no second factor that counts. */
export type OperatorStanding = 'operator' | 'needs_factor' | 'none';

/**
 * Returns whether a session is that of an operator. Sessions of a company's single sign-on are not. A session counts with a
 * passkey, or with the authenticator of the person. Those set up after `operator add` don't count: the mailbox alone is enough
 * to set one up, and must not be enough to become an operator.
 */
export async function readStanding(
  db: Queryable,
  { person_id, method, only_account_id }: Pick<Session, 'person_id' | 'method' | 'only_account_id'>,
): Promise<OperatorStanding> {
  if (only_account_id !== null) return 'none';
  const [found] = await db.query<{ has_totp: boolean; has_passkeys: boolean }>({
    name: 'read_operator_standing',
    text: `select coalesce(p.totp_confirmed_at <= o.added_at, false) as has_totp,
             exists (select from passkeys k where k.person_id = p.id)
               and not exists (select from passkeys k where k.person_id = p.id and k.created_at > o.added_at) as has_passkeys
           from operators o join people p on p.id = o.person_id where o.person_id = $1`,
    values: [person_id],
  });
  if (found === undefined) return 'none';
  return (method === 'passkey' ? found.has_passkeys : found.has_totp) ? 'operator' : 'needs_factor';
}
