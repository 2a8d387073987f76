import type { EsignTokens } from '../world/esign-oauth.ts';
import { findConnection, tokenContext } from './connection.ts';
import type { EsignMeans } from './esign-means.ts';
import { lifeOf } from './token-life.ts';

/** The right to exchange the refresh token, which the vendor takes once. */
export interface RefreshLease {
  accountId: string;
  leaseId: string;
  connectionId: string;
  refreshToken: Buffer;
}

/** More than the vendor may take to answer. */
const leaseMs = 20_000;

/** Null while another process holds it, or where another pair of tokens has come meanwhile. */
export async function takeRefreshLease(
  { world, database }: EsignMeans,
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

/** `settled`: there are new tokens, or the connection is refused or gone: look again. No transaction is open meanwhile. */
export async function refreshTokens(means: EsignMeans, lease: RefreshLease): Promise<'settled' | 'unavailable'> {
  const { world, secretBox, oauth } = means;
  if (oauth === null) return unavailable(means, lease, 'ESIGN_CLIENT_ID is not set');
  let refreshToken: string;
  try {
    refreshToken = secretBox.decrypt(lease.refreshToken, tokenContext.refresh(lease.connectionId));
  } catch {
    return unavailable(means, lease, 'it was encrypted with another SECRET_KEY');
  }
  const outcome = await oauth.refresh(refreshToken);
  if (outcome.kind === 'unavailable') return unavailable(means, lease, outcome.reason);
  if (outcome.kind === 'refused') {
    world.log.warn('the e-signature vendor takes our tokens no more', { reason: outcome.reason });
    await recordRefused(means, lease);
  } else if (!(await recordTokens(means, lease, outcome.tokens)) && !(await isConnected(means, lease))) {
    // Disconnected while the vendor answered: nobody will use these, nor may anybody.
    await oauth.revoke(outcome.tokens.refreshToken);
  }
  return 'settled';
}

async function unavailable(means: EsignMeans, lease: RefreshLease, reason: string): Promise<'unavailable'> {
  means.world.log.warn('the tokens of the e-signature vendor could not be refreshed', { reason });
  await means.database.query({
    name: 'end_esign_refresh_lease',
    text: `update esign_connections set refresh_lease_id = null, refresh_leased_until = null
           where account_id = $1 and refresh_lease_id = $2`,
    values: [lease.accountId, lease.leaseId],
  });
  return 'unavailable';
}

async function recordTokens(
  { world, database, secretBox }: EsignMeans,
  lease: RefreshLease,
  tokens: EsignTokens,
): Promise<boolean> {
  const now = world.clock.now();
  const { endsAt, refreshDueAt } = lifeOf(tokens, now);
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

async function isConnected({ database }: EsignMeans, { accountId }: RefreshLease): Promise<boolean> {
  return (await findConnection(database, accountId)) !== null;
}

async function recordRefused({ world, database }: EsignMeans, lease: RefreshLease): Promise<void> {
  await database.query({
    name: 'record_esign_refresh_refused',
    text: `update esign_connections set refused_at = $3, refresh_lease_id = null, refresh_leased_until = null
           where account_id = $1 and refresh_lease_id = $2`,
    values: [lease.accountId, lease.leaseId, world.clock.now()],
  });
}

/** Of a token that was fresh: unless another consent, or another token, has come meanwhile. */
export async function recordRefusal(
  { world, database }: EsignMeans,
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
