import { auditAccount } from '../accounts/account-audit.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { generateKey, hashKey, type KeyMode, keyHint } from './api-key.ts';
import { legacyScopes, type Scope, scopes } from './scopes.ts';

/** A key without its secret, which is shown only at creation. */
export interface ApiKey {
  id: string;
  account_id: string;
  name: string | null;
  mode: KeyMode;
  scopes: Scope[];
  legacy: boolean;
  hint: string;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  last_used_at: Timestamp | null;
}

export interface NewKey {
  accountId: string;
  mode: KeyMode;
  scopes: readonly Scope[];
  name: string | null;
  expiresAt: Timestamp | null;
  /** Whether it was issued before scopes existed. It is then read-only, whatever `scopes` says. */
  legacy: boolean;
}

const columns = 'id, account_id, name, mode, scopes, legacy, hint, created_at, expires_at, revoked_at, last_used_at';

/**
 * Issues a key. Returns its record with the key itself, which is shown only now. Null when the account does not exist or was
 * removed. `personId` is null for the operator.
 */
export async function issueKey(
  world: World,
  tx: Tx,
  input: NewKey,
  personId: string | null,
): Promise<(ApiKey & { key: string }) | null> {
  const key = generateKey(input.mode, world.random);
  const granted = input.legacy ? legacyScopes : scopes.filter((scope) => input.scopes.includes(scope));
  const [issued] = await tx.query<ApiKey>({
    name: 'issue_key',
    text: `insert into api_keys (id, account_id, name, mode, scopes, legacy, hash, hint, created_at, expires_at)
           select $1, a.id, $3, $4, $5, $6, $7, $8, $9, $10 from accounts a where a.id = $2 and a.removed_at is null
           returning ${columns}`,
    values: [
      world.newId(),
      input.accountId,
      input.name,
      input.mode,
      granted,
      input.legacy,
      hashKey(key),
      keyHint(key),
      world.clock.now(),
      input.expiresAt,
    ],
  });
  if (issued === undefined) return null;
  const { id, account_id: accountId, hint, mode } = issued;
  const detail = { key_id: id, hint, mode, scopes: issued.scopes };
  await auditAccount(world, tx, { accountId, personId, action: 'key_created', detail });
  return { ...issued, key };
}

export async function listKeys(db: Queryable, accountId: string): Promise<ApiKey[]> {
  return db.query<ApiKey>({
    name: 'list_keys',
    text: `select ${columns} from api_keys where account_id = $1 order by id`,
    values: [accountId],
  });
}

/** Lists keys, newest first, after one of them. */
export async function pageKeys(
  db: Queryable,
  accountId: string,
  afterId: string | null,
  limit: number,
): Promise<ApiKey[]> {
  return db.query<ApiKey>({
    name: 'page_keys',
    text: `select ${columns} from api_keys where account_id = $1 and ($2::uuid is null or id < $2)
           order by id desc limit $3`,
    values: [accountId, afterId, limit],
  });
}

export async function findKey(db: Queryable, accountId: string, id: string): Promise<ApiKey | null> {
  const rows = await db.query<ApiKey>({
    name: 'find_key',
    text: `select ${columns} from api_keys where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/**
 * Revokes a key. All processes refuse it from the next request on. Revoking it again changes nothing. `personId` is null for
 * the operator.
 */
export async function revokeKey(world: World, tx: Tx, id: string, personId: string | null): Promise<ApiKey | null> {
  const [revoked] = await tx.query<ApiKey>({
    name: 'revoke_key',
    text: `update api_keys set revoked_at = $2 where id = $1 and revoked_at is null returning ${columns}`,
    values: [id, world.clock.now()],
  });
  if (revoked === undefined) return findAnyKey(tx, id);
  const detail = { key_id: id, hint: revoked.hint };
  await auditAccount(world, tx, { accountId: revoked.account_id, personId, action: 'key_revoked', detail });
  return revoked;
}

async function findAnyKey(db: Queryable, id: string): Promise<ApiKey | null> {
  const rows = await db.query<ApiKey>({
    name: 'find_any_key',
    text: `select ${columns} from api_keys where id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Records the last use of a key. Called at most once a minute for each key, because a write per request is expensive. */
export async function markKeyUsed(db: Queryable, id: string, at: Timestamp): Promise<void> {
  await db.query({
    name: 'mark_key_used',
    text: 'update api_keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)',
    values: [id, at],
  });
}
