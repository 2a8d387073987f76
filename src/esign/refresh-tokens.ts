import { findConnection, tokenContext } from './connection.ts';
import type { EsignDeps } from './esign-deps.ts';
import { tokenLifetime } from './token-lifetime.ts';
import type { EsignTokens } from './vendor/oauth.ts';

/** The right to use the refresh token. The vendor accepts each refresh token once. */
export interface RefreshLease {
  accountId: string;
  leaseId: string;
  connectionId: string;
  refreshToken: Buffer;
}

/** Longer than the time limit for the vendor's answer. */
const leaseMs = 20_000;

/** Takes the lease. Returns null if another process holds it, or if the tokens are no longer of this generation. */
export async function takeRefreshLease(
  { world, database }: EsignDeps,
  accountId: string,
  generation: number,
): Promise<RefreshLease | null> {
  const now = world.clock.now();
  const leaseId = world.newId();
  const [row] = await database.query<{ id: string; refresh_token: Buffer }>({
    name: 'take_esign_refresh_lease',
    text: `update esign_connections set refresh_lease_id = $3, refresh_leased_until = $4
           where account_id = $1 and generation = $2 and refused_at is null
             and (refresh_leased_until is null or refresh_leased_until <= $5)
           returning id, refresh_token`,
    values: [accountId, generation, leaseId, new Date(now.getTime() + leaseMs), now],
  });
  return row === undefined ? null : { accountId, leaseId, connectionId: row.id, refreshToken: row.refresh_token };
}

/**
 * Refreshes the tokens. `settled` means that the stored state has changed: there are new tokens, or the connection is refused
 * or deleted. The caller reads it again. No transaction is open during the call to the vendor.
 */
export async function refreshTokens(deps: EsignDeps, lease: RefreshLease): Promise<'settled' | 'unavailable'> {
  const { world, secretBox, oauth } = deps;
  if (oauth === null) return unavailable(deps, lease, 'ESIGN_CLIENT_ID is not set');
  let refreshToken: string;
  try {
    refreshToken = secretBox.decrypt(lease.refreshToken, tokenContext.refresh(lease.connectionId));
  } catch {
    return unavailable(deps, lease, 'it was encrypted with another SECRET_KEY');
  }
  const outcome = await oauth.refresh(refreshToken);
  if (outcome.kind === 'unavailable') return unavailable(deps, lease, outcome.reason);
  if (outcome.kind === 'refused') {
    world.log.warn('the e-signature vendor refused our tokens', { reason: outcome.reason });
    await recordRefused(deps, lease);
  } else if (!(await recordTokens(deps, lease, outcome.tokens)) && !(await isConnected(deps, lease))) {
    // The account was disconnected during the call, so the new tokens must not stay valid.
    await oauth.revoke(outcome.tokens.refreshToken);
  }
  return 'settled';
}

async function unavailable(deps: EsignDeps, lease: RefreshLease, reason: string): Promise<'unavailable'> {
  deps.world.log.warn('the tokens of the e-signature vendor could not be refreshed', { reason });
  await deps.database.query({
    name: 'end_esign_refresh_lease',
    text: `update esign_connections set refresh_lease_id = null, refresh_leased_until = null
           where account_id = $1 and refresh_lease_id = $2`,
    values: [lease.accountId, lease.leaseId],
  });
  return 'unavailable';
}

async function recordTokens(
  { world, database, secretBox }: EsignDeps,
  lease: RefreshLease,
  tokens: EsignTokens,
): Promise<boolean> {
  const now = world.clock.now();
  const { endsAt, refreshDueAt } = tokenLifetime(tokens, now);
  const recorded = await database.query({
    name: 'record_esign_tokens',
    text: `update esign_connections set access_token = $3, refresh_token = $4, access_token_ends_at = $5,
             refresh_due_at = $6, refreshed_at = $7, generation = generation + 1, refresh_lease_id = null,
             refresh_leased_until = null
           where account_id = $1 and refresh_lease_id = $2 returning 1`,
    values: [
      lease.accountId,
      lease.leaseId,
      secretBox.encrypt(tokens.accessToken, tokenContext.access(lease.connectionId)),
      secretBox.encrypt(tokens.refreshToken, tokenContext.refresh(lease.connectionId)),
      endsAt,
      refreshDueAt,
      now,
    ],
  });
  return recorded.length === 1;
}

async function isConnected({ database }: EsignDeps, { accountId }: RefreshLease): Promise<boolean> {
  return (await findConnection(database, accountId)) !== null;
}

async function recordRefused({ world, database }: EsignDeps, lease: RefreshLease): Promise<void> {
  await database.query({
    name: 'record_esign_refresh_refused',
    text: `update esign_connections set refused_at = $3, refresh_lease_id = null, refresh_leased_until = null
           where account_id = $1 and refresh_lease_id = $2`,
    values: [lease.accountId, lease.leaseId, world.clock.now()],
  });
}

/** Records that the vendor refused a fresh token. Does nothing if the tokens are no longer of this generation. */
export async function recordRefusal(
  { world, database }: EsignDeps,
  accountId: string,
  generation: number,
): Promise<void> {
  await database.query({
    name: 'record_esign_refusal',
    text: `update esign_connections set refused_at = $3
           where account_id = $1 and generation = $2 and refused_at is null`,
    values: [accountId, generation, world.clock.now()],
  });
}
