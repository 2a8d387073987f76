import { setTimeout as sleep } from 'node:timers/promises';
import { tokenContext } from './connection.ts';
import type { EsignMeans } from './esign-means.ts';
import { refreshTokens, takeRefreshLease } from './refresh-tokens.ts';

/** What a call to the vendor needs. */
export interface VendorAccess {
  token: string;
  /** An origin, without a trailing slash. */
  baseUri: string;
  vendorAccountId: string;
  connectionId: string;
}

export type ObtainedAccess =
  /** `isFresh`: it came while we waited, so nobody can have seen it end. */
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

const lookAgainMs = 100;
/** Longer than a refresh may take, and than a lease that a dead process left. */
const waitMsMax = 30_000;

/**
 * The token there is, unless it is about to end or was refused (`refusedGeneration`): then one process fetches another,
 * and the others wait for it, or go on with theirs while it lasts.
 */
export async function obtainAccess(
  means: EsignMeans,
  accountId: string,
  refusedGeneration: number | null,
  signal?: AbortSignal,
): Promise<ObtainedAccess> {
  const givesUpAt = performance.now() + waitMsMax;
  let seenGeneration = refusedGeneration;
  for (;;) {
    signal?.throwIfAborted();
    const tokens = await readTokens(means, accountId);
    if (tokens === null) return { kind: 'not_connected' };
    if (tokens.is_refused) return { kind: 'reconnect_needed' };
    seenGeneration ??= tokens.generation;
    const isFresh = tokens.generation !== seenGeneration;
    if (isFresh && tokens.has_ended) return { kind: 'unavailable' };
    const isUsable = !tokens.has_ended && tokens.generation !== refusedGeneration;
    if (isUsable && (isFresh || !tokens.is_due)) return ready(means, tokens, isFresh);

    const lease = await takeRefreshLease(means, accountId, tokens.generation);
    if (lease !== null) {
      const refreshed = await refreshTokens(means, lease);
      if (refreshed === 'unavailable') return isUsable ? ready(means, tokens, isFresh) : { kind: 'unavailable' };
    } else {
      if (isUsable) return ready(means, tokens, isFresh);
      if (performance.now() > givesUpAt) return { kind: 'unavailable' };
      await sleep(lookAgainMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}

async function readTokens({ world, database }: EsignMeans, accountId: string): Promise<Tokens | null> {
  const rows = await database.query<Tokens>({
    name: 'read_esign_tokens',
    text: `select id, vendor_account_id, base_uri, access_token, generation, refused_at is not null as is_refused,
             refresh_due_at <= $2 as is_due, access_token_ends_at <= $2 as has_ended
           from esign_connections where account_id = $1`,
    values: [accountId, world.clock.now()],
  });
  return rows[0] ?? null;
}

/** A token that our key does not open was encrypted with another SECRET_KEY: the operator must hear of that. */
function ready({ world, secretBox }: EsignMeans, tokens: Tokens, isFresh: boolean): ObtainedAccess {
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
