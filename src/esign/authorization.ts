import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';

const minutesValid = 10;

/**
 * A pending request for the vendor's consent. Its state is random, so that nobody can forge the callback, and stored as
 * a hash.
 */
export interface Authorization {
  stateHash: Buffer;
  sessionId: string;
  accountId: string;
  codeVerifier: string;
}

/** Stores a request for consent, valid for ten minutes. Deletes the expired ones. */
export async function storeAuthorization(
  world: World,
  db: Queryable,
  box: SecretBox,
  { stateHash, sessionId, accountId, codeVerifier }: Authorization,
): Promise<void> {
  const now = world.clock.now();
  await db.query({
    name: 'forget_ended_esign_authorizations',
    text: 'delete from esign_authorizations where expires_at <= $1',
    values: [now],
  });
  await db.query({
    name: 'keep_esign_authorization',
    text: `insert into esign_authorizations (state_hash, session_id, account_id, code_verifier, expires_at)
           values ($1, $2, $3, $4, $5)`,
    values: [
      stateHash,
      sessionId,
      accountId,
      box.encrypt(codeVerifier, verifierContext(stateHash)),
      new Date(now.getTime() + minutesValid * 60_000),
    ],
  });
}

/**
 * Takes a pending request for consent. It can be taken once, by the session that started it. Another session gets null and
 * does not use it up. Returns null for an expired request too.
 */
export async function takeAuthorization(
  world: World,
  db: Queryable,
  box: SecretBox,
  stateHash: Buffer,
  sessionId: string,
): Promise<{ accountId: string; codeVerifier: string } | null> {
  const [used] = await db.query<{ account_id: string; code_verifier: Buffer; is_valid: boolean }>({
    name: 'take_esign_authorization',
    text: `delete from esign_authorizations where state_hash = $1 and session_id = $2
           returning account_id, code_verifier, expires_at > $3 as is_valid`,
    values: [stateHash, sessionId, world.clock.now()],
  });
  if (used === undefined || !used.is_valid) return null;
  try {
    return { accountId: used.account_id, codeVerifier: box.decrypt(used.code_verifier, verifierContext(stateHash)) };
  } catch {
    return null; // encrypted with an earlier SECRET_KEY
  }
}

function verifierContext(stateHash: Buffer): string {
  return `esign code verifier ${stateHash.toString('hex')}`;
}
