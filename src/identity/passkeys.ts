import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** A key pair in a person's device or password manager: the public half, and what it is called. */
export interface Passkey {
  id: string;
  person_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

const columns = 'id, person_id, credential_id, public_key, counter, transports, name, created_at, last_used_at';

export const passkeysMax = 20;

export async function listPasskeys(db: Queryable, personId: string): Promise<Passkey[]> {
  return db.query<Passkey>({
    name: 'list_passkeys',
    text: `select ${columns} from passkeys where person_id = $1 order by id`,
    values: [personId],
  });
}

export async function findPasskey(db: Queryable, credentialId: string): Promise<Passkey | null> {
  const rows = await db.query<Passkey>({
    name: 'find_passkey',
    text: `select ${columns} from passkeys where credential_id = $1`,
    values: [credentialId],
  });
  return rows[0] ?? null;
}

/** Registers a passkey. Null when it is registered already, for any person. */
export async function insertPasskey(
  world: World,
  db: Queryable,
  key: Pick<Passkey, 'person_id' | 'credential_id' | 'public_key' | 'counter' | 'transports' | 'name'>,
): Promise<Passkey | null> {
  const rows = await db.query<Passkey>({
    name: 'insert_passkey',
    text: `insert into passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing returning ${columns}`,
    values: [
      world.newId(),
      key.person_id,
      key.credential_id,
      key.public_key,
      key.counter,
      key.transports,
      key.name,
      world.clock.now(),
    ],
  });
  return rows[0] ?? null;
}

export async function markPasskeyUsed(world: World, db: Queryable, id: string, counter: number): Promise<void> {
  await db.query({
    name: 'mark_passkey_used',
    text: 'update passkeys set counter = $2, last_used_at = $3 where id = $1',
    values: [id, counter, world.clock.now()],
  });
}

export async function removePasskey(db: Queryable, personId: string, id: string): Promise<Passkey | null> {
  const rows = await db.query<Passkey>({
    name: 'remove_passkey',
    text: `delete from passkeys where person_id = $1 and id = $2 returning ${columns}`,
    values: [personId, id],
  });
  return rows[0] ?? null;
}
