import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';

export const authorizationMinutes = 10;

/** A sign-in that was started, and not yet completed. Its state is random and stored as a hash. */
export interface SsoAuthorization {
  accountId: string;
  connectionVersion: number;
  /** A path of this service. */
  returnTo: string;
  codeVerifier: string;
  nonce: string;
  /** Whether the provider was told to ask again who it is. */
  asksAgain: boolean;
}

/** Which sign-in, in which browser. */
interface Held {
  stateHash: Buffer;
  browserHash: Buffer;
}

/** Stores a started sign-in, valid for ten minutes. */
export async function storeAuthorization(
  world: World,
  db: Queryable,
  box: SecretBox,
  { stateHash, browserHash }: Held,
  { accountId, connectionVersion, returnTo, codeVerifier, nonce, asksAgain }: SsoAuthorization,
): Promise<void> {
  const secrets = box.encrypt(JSON.stringify([codeVerifier, nonce, asksAgain]), secretsContext(stateHash));
  await db.query({
    name: 'store_sso_authorization',
    text: `insert into sso_authorizations
             (state_hash, account_id, connection_version, browser_hash, secrets, return_to, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      stateHash,
      accountId,
      connectionVersion,
      browserHash,
      secrets,
      returnTo,
      new Date(world.clock.now().getTime() + authorizationMinutes * 60_000),
    ],
  });
}

/**
 * Takes a started sign-in. It can be taken once, in the browser that started it. Another browser gets null and does not use it up.
 * Returns null for an expired one too.
 */
export async function takeAuthorization(
  world: World,
  db: Queryable,
  box: SecretBox,
  { stateHash, browserHash }: Held,
): Promise<SsoAuthorization | null> {
  const [used] = await db.query<{
    account_id: string;
    connection_version: number;
    return_to: string;
    secrets: Buffer;
    is_valid: boolean;
  }>({
    name: 'take_sso_authorization',
    text: `delete from sso_authorizations where state_hash = $1 and browser_hash = $2
           returning account_id, connection_version, return_to, secrets, expires_at > $3 as is_valid`,
    values: [stateHash, browserHash, world.clock.now()],
  });
  if (used === undefined || !used.is_valid) return null;
  try {
    const secrets = JSON.parse(box.decrypt(used.secrets, secretsContext(stateHash)));
    const [codeVerifier, nonce, asksAgain] = secrets as [string, string, boolean];
    return {
      accountId: used.account_id,
      connectionVersion: used.connection_version,
      returnTo: used.return_to,
      codeVerifier,
      nonce,
      asksAgain,
    };
  } catch {
    return null; // encrypted with an earlier SECRET_KEY
  }
}

function secretsContext(stateHash: Buffer): string {
  return `sso authorization ${stateHash.toString('hex')}`;
}
