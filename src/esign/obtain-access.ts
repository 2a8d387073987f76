import { setTimeout as sleep } from 'node:timers/promises';
import { tokenContext } from './connection.ts';
import type { EsignDeps } from './esign-deps.ts';
import { refreshTokens, takeRefreshLease } from './refresh-tokens.ts';

/** The token and the address for a call to the vendor. */
export interface VendorAccess {
  token: string;
  /** An origin, without a trailing slash. */
  baseUri: string;
  vendorAccountId: string;
  connectionId: string;
}

export type ObtainedAccess =
  /** `isFresh`: the token was issued during this call, so it can't have expired. */
  | { kind: 'ready'; access: VendorAccess; generation: number; isFresh: boolean }
  | { kind: 'not_connected' }
  | { kind: 'reconnect_needed' }
  | { kind: 'unavailable' };

interface Tokens {
  id: string;
  vendor_account_id: string;
  base_uri: string;
  access_token: Buffer;
  generation: number;
  is_refused: boolean;
  is_due: boolean;
  has_ended: boolean;
}

const pollMs = 100;
/** Longer than a refresh takes, and longer than the lease of a process that died. */
const waitMsMax = 30_000;

/**
 * Gets an access token for the vendor. It refreshes a token that is about to expire, or that the vendor refused
 * (`refusedGeneration`). Only one process refreshes. The others keep using their token while it is valid, or wait at most 30
 * seconds for the new one.
 */
export async function obtainAccess(
  deps: EsignDeps,
  accountId: string,
  refusedGeneration: number | null,
  signal?: AbortSignal,
): Promise<ObtainedAccess> {
  const givesUpAt = performance.now() + waitMsMax;
  let seenGeneration = refusedGeneration;
  for (;;) {
    signal?.throwIfAborted();
    const tokens = await readTokens(deps, accountId);
    if (tokens === null) return { kind: 'not_connected' };
    if (tokens.is_refused) return { kind: 'reconnect_needed' };
    seenGeneration ??= tokens.generation;
    const isFresh = tokens.generation !== seenGeneration;
    if (isFresh && tokens.has_ended) return { kind: 'unavailable' };
    const isUsable = !tokens.has_ended && tokens.generation !== refusedGeneration;
    if (isUsable && (isFresh || !tokens.is_due)) return ready(deps, tokens, isFresh);

    const lease = await takeRefreshLease(deps, accountId, tokens.generation);
    if (lease !== null) {
      const refreshed = await refreshTokens(deps, lease);
      if (refreshed === 'unavailable') return isUsable ? ready(deps, tokens, isFresh) : { kind: 'unavailable' };
    } else {
      if (isUsable) return ready(deps, tokens, isFresh);
      if (performance.now() > givesUpAt) return { kind: 'unavailable' };
      await sleep(pollMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}

async function readTokens({ world, database }: EsignDeps, accountId: string): Promise<Tokens | null> {
  const rows = await database.query<Tokens>({
    name: 'read_esign_tokens',
    text: `select id, vendor_account_id, base_uri, access_token, generation, refused_at is not null as is_refused,
             refresh_due_at <= $2 as is_due, access_token_ends_at <= $2 as has_ended
           from esign_connections where account_id = $1`,
    values: [accountId, world.clock.now()],
  });
  return rows[0] ?? null;
}

/** Decrypts the token. Logs an error for the operator if it was encrypted with another SECRET_KEY. */
function ready({ world, secretBox }: EsignDeps, tokens: Tokens, isFresh: boolean): ObtainedAccess {
  let token: string;
  try {
    token = secretBox.decrypt(tokens.access_token, tokenContext.access(tokens.id));
  } catch {
    world.log.error('a token of the e-signature vendor was encrypted with another SECRET_KEY', { id: tokens.id });
    return { kind: 'unavailable' };
  }
  const { vendor_account_id, base_uri, generation } = tokens;
  const access = { token, baseUri: base_uri, vendorAccountId: vendor_account_id, connectionId: tokens.id };
  return { kind: 'ready', access, generation, isFresh };
}
