import { auditAccount } from '../accounts/account-audit.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** The roles that single sign-on gives. Nobody becomes an owner without an owner or the operator. */
export const givenRoles = ['admin', 'member'] as const;

export type GivenRole = (typeof givenRoles)[number];

/** A value of the group claim, and the role that it gives. */
export interface RoleValue {
  value: string;
  role: GivenRole;
}

/** A company's OpenID Connect provider. Only `openSecret` reads its client secret. */
export interface SsoConnection {
  account_id: string;
  /** In the company's sign-in link. Not secret. */
  id: string;
  version: number;
  issuer: string;
  client_id: string;
  /** Encrypted. */
  client_secret: Buffer;
  role_claim: string | null;
  /** Null: only invited people sign in. */
  default_role: GivenRole | null;
  /** Whether members open the company with single sign-on only. */
  is_required: boolean;
  created_at: Timestamp;
  changed_at: Timestamp;
  roles: RoleValue[];
}

const select = `select c.account_id, c.id, c.version, c.issuer, c.client_id, c.client_secret, c.role_claim, c.default_role,
    a.requires_sso as is_required, c.created_at, c.changed_at,
    coalesce((
      select jsonb_agg(jsonb_build_object('value', r.value, 'role', r.role) order by r.value)
      from sso_roles r where r.account_id = c.account_id
    ), '[]') as roles
  from sso_connections c join accounts a on a.id = c.account_id and a.removed_at is null`;

/** Null: the company has no single sign-on, or was removed. */
export async function findSso(db: Queryable, accountId: string): Promise<SsoConnection | null> {
  const rows = await db.query<SsoConnection>({
    name: 'find_sso_connection',
    text: `${select} where c.account_id = $1`,
    values: [accountId],
  });
  return rows[0] ?? null;
}

/** Finds the settings of a sign-in link. */
export async function findSsoById(db: Queryable, id: string): Promise<SsoConnection | null> {
  const rows = await db.query<SsoConnection>({
    name: 'find_sso_connection_by_id',
    text: `${select} where c.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

export function openSecret(box: SecretBox, { account_id, client_secret }: SsoConnection): string {
  return box.decrypt(client_secret, clientSecretContext(account_id));
}

/** The encryption context of a client secret. */
export function clientSecretContext(accountId: string): string {
  return `sso client secret ${accountId}`;
}

/** Who changes the settings of a company, and the version that they have seen: 0 for none. */
export interface SsoChange {
  accountId: string;
  /** Null: the operator. */
  personId: string | null;
  version: number;
  /** The session of the person. It stays open. */
  sessionId: string | null;
}

/**
 * Locks the company, so that its settings, members and sign-ins change one after the other. Returns the settings. False if the
 * company does not exist or was removed.
 */
export async function lockSso(tx: Tx, accountId: string): Promise<SsoConnection | null | false> {
  const rows = await tx.query({
    name: 'lock_account_for_sso',
    text: 'select 1 from accounts where id = $1 and removed_at is null for no key update',
    values: [accountId],
  });
  return rows.length === 1 && findSso(tx, accountId);
}

/**
 * Removes the settings with the links of the members to the provider, and ends the sessions that were opened with it. Everyone
 * signs in in the other ways again. The domains stay proven. False if someone else has changed the settings.
 */
export async function removeSso(world: World, tx: Tx, change: SsoChange): Promise<boolean> {
  const held = await lockSso(tx, change.accountId);
  if (held === false || held === null || held.version !== change.version) return false;
  await setRequired(tx, change.accountId, false);
  await forgetIdentities(tx, change);
  await tx.query({
    name: 'remove_sso_connection',
    text: `with ended as (delete from sso_authorizations where account_id = $1)
           delete from sso_connections where account_id = $1`,
    values: [change.accountId],
  });
  const { accountId, personId } = change;
  await auditAccount(world, tx, { accountId, personId, action: 'sso_removed', detail: { issuer: held.issuer } });
  return true;
}

export async function setRequired(tx: Tx, accountId: string, isRequired: boolean): Promise<void> {
  await tx.query({
    name: 'set_requires_sso',
    text: 'update accounts set requires_sso = $2 where id = $1',
    values: [accountId, isRequired],
  });
}

/** Unlinks everyone from the provider and ends their sessions. Another provider may mean others with the same subjects. */
export async function forgetIdentities(tx: Tx, { accountId, sessionId }: SsoChange): Promise<void> {
  await tx.query({
    name: 'forget_sso_identities',
    text: `with ended as (
             delete from sessions where only_account_id = $1 and ($2::uuid is null or id <> $2)
           )
           delete from sso_identities where account_id = $1`,
    values: [accountId, sessionId],
  });
}
