import type { Tx } from '../postgres/database.ts';
import { tokenContext } from './connection.ts';
import type { EsignDeps } from './esign-deps.ts';
import { tokenLifetime } from './token-lifetime.ts';
import type { EsignTokens } from './vendor/oauth.ts';
import type { EsignProfile } from './vendor/profile.ts';

/**
 * Stores a connection and replaces an earlier one, which keeps its id. Returns the id. The old tokens are not revoked,
 * because vendors then revoke the same user's new consent too.
 */
export async function replaceConnection(
  { world, secretBox }: EsignDeps,
  tx: Tx,
  input: { accountId: string; personId: string; profile: EsignProfile; tokens: EsignTokens },
): Promise<string> {
  const { accountId, personId, profile, tokens } = input;
  const now = world.clock.now();
  const id = (await lockConnection(tx, accountId)) ?? world.newId();
  const { endsAt, refreshDueAt } = tokenLifetime(tokens, now);
  await tx.query({
    name: 'replace_esign_connection',
    text: `insert into esign_connections as c (account_id, id, vendor_account_id, vendor_account_name,
             vendor_user_name, vendor_user_email, base_uri, access_token, refresh_token, access_token_ends_at,
             refresh_due_at, connected_by, connected_at, refreshed_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
           on conflict (account_id) do update set
             vendor_account_id = excluded.vendor_account_id, vendor_account_name = excluded.vendor_account_name,
             vendor_user_name = excluded.vendor_user_name, vendor_user_email = excluded.vendor_user_email,
             base_uri = excluded.base_uri, access_token = excluded.access_token,
             refresh_token = excluded.refresh_token, access_token_ends_at = excluded.access_token_ends_at,
             refresh_due_at = excluded.refresh_due_at, generation = c.generation + 1, refresh_lease_id = null,
             refresh_leased_until = null, refused_at = null, owners_asked_at = null, connected_by = excluded.connected_by,
             connected_at = excluded.connected_at, refreshed_at = excluded.refreshed_at`,
    values: [
      accountId,
      id,
      profile.vendorAccountId,
      profile.vendorAccountName,
      profile.userName,
      profile.userEmail,
      profile.baseUri,
      secretBox.encrypt(tokens.accessToken, tokenContext.access(id)),
      secretBox.encrypt(tokens.refreshToken, tokenContext.refresh(id)),
      endsAt,
      refreshDueAt,
      personId,
      now,
    ],
  });
  return id;
}

/** Locks the account first, so that two users who connect at once run one after the other, even without a row to lock. */
async function lockConnection(tx: Tx, accountId: string): Promise<string | null> {
  await tx.query({
    name: 'lock_account_of_connection',
    text: 'select 1 from accounts where id = $1 for no key update',
    values: [accountId],
  });
  const rows = await tx.query<{ id: string }>({
    name: 'find_id_of_connection',
    text: 'select id from esign_connections where account_id = $1 for update',
    values: [accountId],
  });
  return rows[0]?.id ?? null;
}
