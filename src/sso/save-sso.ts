import { auditAccount } from '../accounts/account-audit.ts';
import { Refusal } from '../errors.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import {
  clientSecretContext,
  forgetIdentities,
  type GivenRole,
  lockSso,
  type RoleValue,
  type SsoChange,
  type SsoConnection,
  setRequired,
} from './connection.ts';
import { hasWayIn } from './way-in.ts';

export interface SsoInput {
  issuer: string;
  clientId: string;
  /** Null: it stays. A new issuer or client needs a new one, so that nobody can send the stored one elsewhere. */
  clientSecret: string | null;
  roleClaim: string | null;
  roles: readonly RoleValue[];
  defaultRole: GivenRole | null;
  isRequired: boolean;
}

/** Why settings were not saved. */
export type SsoRefusal =
  /** Someone else has changed them, or the company was removed. */
  | 'changed_meanwhile'
  | 'secret_needed'
  /** Nobody has signed in since the settings were changed, so they may not work. */
  | 'sso_untried'
  /** No owner has an authenticator or a passkey: everyone would be out when the provider fails. */
  | 'owner_factor_needed';

/**
 * Saves the settings. Another issuer or client unlinks everyone, ends the sessions that were opened with the old one, and ends
 * "only single sign-on" unless it is asked for again later. Returns why not, or null.
 */
export async function saveSso(
  world: World,
  tx: Tx,
  box: SecretBox,
  change: SsoChange,
  input: SsoInput,
): Promise<SsoRefusal | null> {
  const { accountId, personId } = change;
  const held = await lockSso(tx, accountId);
  if (held === false || (held?.version ?? 0) !== change.version) return 'changed_meanwhile';
  const isOther = held === null || held.issuer !== input.issuer || held.client_id !== input.clientId;
  if (isOther && input.clientSecret === null) return 'secret_needed';
  if (input.isRequired && !held?.is_required) {
    const isNew = isOther || input.clientSecret !== null;
    const refusal = isNew ? 'sso_untried' : await whyNotRequired(tx, accountId);
    if (refusal !== null) return refusal;
  }
  if (isOther && held?.is_required && input.isRequired) return 'sso_untried';
  if (held !== null && isOther) await forgetIdentities(tx, change);
  await store(world, tx, box, held, accountId, input);
  await setRequired(tx, accountId, input.isRequired);
  const { issuer, clientId, roleClaim, roles, defaultRole, isRequired } = input;
  const detail = {
    issuer,
    client_id: clientId,
    is_new_secret: input.clientSecret !== null,
    role_claim: roleClaim,
    roles,
    default_role: defaultRole,
    is_required: isRequired,
  };
  await auditAccount(world, tx, { accountId, personId, action: 'sso_set', detail });
  return null;
}

/** A sign-in from before the last change says nothing about a new secret. */
async function whyNotRequired(tx: Tx, accountId: string): Promise<SsoRefusal | null> {
  const used = await tx.query({
    name: 'sso_was_used',
    text: `select from sso_identities i join sso_connections c using (account_id)
           where account_id = $1 and i.last_used_at >= c.changed_at limit 1`,
    values: [accountId],
  });
  if (used.length === 0) return 'sso_untried';
  return (await hasWayIn(tx, accountId)) ? null : 'owner_factor_needed';
}

async function store(
  world: World,
  tx: Tx,
  box: SecretBox,
  held: SsoConnection | null,
  accountId: string,
  { issuer, clientId, clientSecret, roleClaim, roles, defaultRole }: SsoInput,
): Promise<void> {
  const secret =
    clientSecret === null ? held?.client_secret : box.encrypt(clientSecret, clientSecretContext(accountId));
  await tx.query({
    name: 'save_sso_connection',
    text: `insert into sso_connections
             (account_id, id, version, issuer, client_id, client_secret, role_claim, default_role, created_at, changed_at)
           values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $8)
           on conflict (account_id) do update set version = sso_connections.version + 1, issuer = $3, client_id = $4,
             client_secret = $5, role_claim = $6, default_role = $7, changed_at = $8`,
    values: [accountId, world.newId(), issuer, clientId, secret, roleClaim, defaultRole, world.clock.now()],
  });
  await tx.query({ name: 'clear_sso_roles', text: 'delete from sso_roles where account_id = $1', values: [accountId] });
  await tx.query({
    name: 'save_sso_roles',
    text: `insert into sso_roles (account_id, value, role)
           select $1, value, role from jsonb_to_recordset($2::jsonb) as given (value text, role text)`,
    values: [accountId, JSON.stringify(roles)],
  });
}

/** What the command line prints for each refusal. */
const sentences: Record<SsoRefusal, string> = {
  changed_meanwhile: 'someone else changed the settings, or the company was removed: look at them and try again',
  secret_needed: 'a new issuer or client id needs its client secret: add --client-secret-file',
  sso_untried: 'nobody has signed in with these settings yet: sign in once with them before you require them',
  owner_factor_needed:
    'no owner has an authenticator or a passkey: one owner needs a way in that the provider is no part of',
};

export function refusalOf(reason: SsoRefusal): Refusal {
  return new Refusal(sentences[reason]);
}
