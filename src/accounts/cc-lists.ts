import { Refusal } from '../errors.ts';
import { canonicalEmail } from '../platform/canonical-email.ts';
import { isPlausibleEmail } from '../platform/email-address.ts';
import type { World } from '../platform/world.ts';
import { type Queryable, sqlState, type Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { auditAccount } from './account-audit.ts';
import { readFolderName } from './folders.ts';

/**
 * Named lists of people who get a copy of completed documents. The console adds the people of a list to a document as `cc`
 * recipients: a document does not change with the list. Changes run in the caller's transaction, and `personId` is null for
 * an operator.
 */
export interface CcList {
  id: string;
  account_id: string;
  name: string;
  /** Whether the form for new documents in the console begins with its people. */
  is_default: boolean;
  /** One more after each change. */
  version: number;
  created_at: Timestamp;
  people: CcPerson[];
}

export interface CcPerson {
  name: string;
  email: string;
}

/** Input that was checked: see `readCcList`. */
export interface CcListInput {
  name: string;
  key: string;
  isDefault: boolean;
  people: readonly CcPerson[];
}

/** A company has at most this many lists, so that all of them fit in one menu. */
export const ccListsMax = 100;
/** A document has at most 20 recipients, and one of them signs. */
export const ccPeopleMax = 19;
export const ccPersonNameLengthMax = 120;

const uniqueViolation = '23505';

/** Why a list can't be created or changed. */
export const ccListRefusals = {
  cc_list_exists: 'A cc list with this name exists already.',
  too_many_cc_lists: `A company can have at most ${ccListsMax} cc lists. Delete one first.`,
} as const;

export class CcListRefusal extends Refusal {
  readonly code: keyof typeof ccListRefusals;

  constructor(code: keyof typeof ccListRefusals) {
    super(ccListRefusals[code]);
    this.name = 'CcListRefusal';
    this.code = code;
  }
}

/** The path of what is wrong with a list: `name`, `people`, `people[2].name` or `people[2].email`. */
export type CcListFault = { fault: string };

/**
 * Checks a list and returns it as it is stored. Surrounding white space is removed, and an address that is there already is
 * left out. Names follow the rules of folders.
 */
export function readCcList(input: {
  name: string;
  isDefault: boolean;
  people: readonly CcPerson[];
}): CcListInput | CcListFault {
  const named = readFolderName(input.name);
  if (named === null) return { fault: 'name' };
  const people = new Map<string, CcPerson>();
  for (const [index, { name, email }] of input.people.entries()) {
    const person = { name: name.trim(), email: email.trim() };
    if (!isPersonName(person.name)) return { fault: `people[${index}].name` };
    if (!isPlausibleEmail(person.email)) return { fault: `people[${index}].email` };
    const key = canonicalEmail(person.email);
    if (!people.has(key)) people.set(key, person);
  }
  if (people.size === 0 || people.size > ccPeopleMax) return { fault: 'people' };
  return { ...named, isDefault: input.isDefault, people: [...people.values()] };
}

function isPersonName(name: string): boolean {
  return name !== '' && [...name].length <= ccPersonNameLengthMax && name.isWellFormed() && !/\p{Cc}/u.test(name);
}

const people = `coalesce((
  select json_agg(json_build_object('name', p.name, 'email', p.email) order by p.position) from cc_list_people p
  where p.account_id = l.account_id and p.list_id = l.id
), '[]') as people`;
const columns = 'l.id, l.account_id, l.name, l.is_default, l.version, l.created_at';

/** Lists the cc lists of a company by name, with their people. */
export function listCcLists(db: Queryable, accountId: string): Promise<CcList[]> {
  return db.query<CcList>({
    name: 'list_cc_lists',
    text: `select ${columns}, ${people} from cc_lists l where l.account_id = $1 order by l.name_key limit $2`,
    values: [accountId, ccListsMax],
  });
}

/** Finds a list of any account by its id. Only for operators. */
export async function findCcListById(db: Queryable, id: string): Promise<CcList | null> {
  const rows = await db.query<CcList>({
    name: 'find_cc_list_by_id',
    text: `select ${columns}, ${people} from cc_lists l where l.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Finds the list and locks it against other changes. */
export async function lockCcList(tx: Tx, accountId: string, id: string): Promise<CcList | null> {
  const locked = await tx.query({
    name: 'lock_cc_list',
    text: 'select from cc_lists where account_id = $1 and id = $2 for update',
    values: [accountId, id],
  });
  if (locked.length === 0) return null;
  // A statement of its own, so that it sees what the change before has committed.
  const rows = await tx.query<CcList>({
    name: 'read_cc_list',
    text: `select ${columns}, ${people} from cc_lists l where l.account_id = $1 and l.id = $2`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** Returns null if the account does not exist or was removed. Throws `cc_list_exists` and `too_many_cc_lists`. */
export async function createCcList(
  world: World,
  tx: Tx,
  accountId: string,
  input: CcListInput,
  personId: string | null,
): Promise<CcList | null> {
  // The lock makes the count exact.
  const accounts = await tx.query({
    name: 'lock_account_of_cc_lists',
    text: 'select from accounts where id = $1 and removed_at is null for no key update',
    values: [accountId],
  });
  if (accounts.length === 0) return null;
  const [created] = await unlessTaken(() =>
    tx.query<Omit<CcList, 'people'>>({
      name: 'create_cc_list',
      text: `insert into cc_lists as l (account_id, id, name, name_key, is_default, version, created_at)
             select $1, $2, $3, $4, $5, 1, $6
             where (select count(*) from cc_lists where account_id = $1) < $7 returning ${columns}`,
      values: [accountId, world.newId(), input.name, input.key, input.isDefault, world.clock.now(), ccListsMax],
    }),
  );
  if (created === undefined) throw new CcListRefusal('too_many_cc_lists');
  const list = { ...created, people: [...input.people] };
  await insertPeople(tx, list);
  await audit(world, tx, list, personId, 'cc_list_created', {});
  return list;
}

/** Replaces the name, the people and the rest of a locked list. Throws `cc_list_exists`. */
export async function changeCcList(
  world: World,
  tx: Tx,
  list: CcList,
  input: CcListInput,
  personId: string | null,
): Promise<CcList> {
  const changed: CcList = {
    ...list,
    name: input.name,
    is_default: input.isDefault,
    version: list.version + 1,
    people: [...input.people],
  };
  if (isSame(list, changed)) return list;
  await unlessTaken(() =>
    tx.query({
      name: 'change_cc_list',
      text: `update cc_lists set name = $3, name_key = $4, is_default = $5, version = $6 where account_id = $1 and id = $2`,
      values: [list.account_id, list.id, input.name, input.key, input.isDefault, changed.version],
    }),
  );
  await tx.query({
    name: 'remove_cc_list_people',
    text: 'delete from cc_list_people where account_id = $1 and list_id = $2',
    values: [list.account_id, list.id],
  });
  await insertPeople(tx, changed);
  await audit(world, tx, changed, personId, 'cc_list_changed', list.name === changed.name ? {} : { from: list.name });
  return changed;
}

/** Deletes a locked list. Documents keep the recipients that it has added. */
export async function deleteCcList(world: World, tx: Tx, list: CcList, personId: string | null): Promise<void> {
  await tx.query({
    name: 'delete_cc_list',
    text: 'delete from cc_lists where account_id = $1 and id = $2',
    values: [list.account_id, list.id],
  });
  await audit(world, tx, list, personId, 'cc_list_deleted', {});
}

async function insertPeople(tx: Tx, { account_id, id, people }: CcList): Promise<void> {
  await tx.query({
    name: 'insert_cc_list_people',
    text: `insert into cc_list_people (account_id, list_id, position, name, email, canonical_email)
           select $1, $2, p.number - 1, p.name, p.email, p.canonical
           from unnest($3::text[], $4::text[], $5::text[]) with ordinality as p (name, email, canonical, number)`,
    values: [
      account_id,
      id,
      people.map(({ name }) => name),
      people.map(({ email }) => email),
      people.map(({ email }) => canonicalEmail(email)),
    ],
  });
}

function isSame(one: CcList, other: CcList): boolean {
  const content = ({ name, is_default, people }: CcList) =>
    JSON.stringify([name, is_default, people.map(({ name, email }) => [name, email])]);
  return content(one) === content(other);
}

/** The entry has no addresses, so that erasing a person leaves nothing of them in it. */
function audit(
  world: World,
  tx: Tx,
  { account_id: accountId, id, name, is_default, people }: CcList,
  personId: string | null,
  action: 'cc_list_created' | 'cc_list_changed' | 'cc_list_deleted',
  more: Record<string, unknown>,
): Promise<void> {
  const detail = { list_id: id, name, people: people.length, is_default, ...more };
  return auditAccount(world, tx, { accountId, personId, action, detail });
}

async function unlessTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new CcListRefusal('cc_list_exists');
    throw error;
  }
}
