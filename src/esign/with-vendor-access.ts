import { setTimeout as sleep } from 'node:timers/promises';
import { VendorTokenRefused } from '../world/esign-token-refused.ts';
import type { EsignMeans } from './esign-means.ts';
import { obtainAccess, type VendorAccess } from './obtain-access.ts';
import { recordRefusal } from './refresh-tokens.ts';

export type { VendorAccess } from './obtain-access.ts';

export type VendorUse<Result> =
  | { kind: 'used'; result: Result }
  | { kind: 'not_connected' }
  /** An owner has to connect again: nothing else helps. */
  | { kind: 'reconnect_needed' }
  /** The token has ended and no other can be had just now: later. */
  | { kind: 'unavailable' };

/** An API may hear of a token later than the OAuth server gives it. */
const lateMs = 1000;

/**
 * Calls the vendor with a token that counts. `use` throws `VendorTokenRefused` where the vendor answers 401, and is then
 * called again with a fresh token. Where even that is refused, it is so once more after a second, and with another token;
 * then the vendor has to be connected again. Whatever else `use` throws is thrown. Costs one read by primary key, and may
 * run many times at once in many processes.
 */
export async function withVendorAccess<Result>(
  means: EsignMeans,
  accountId: string,
  use: (access: VendorAccess) => Promise<Result>,
  signal?: AbortSignal,
): Promise<VendorUse<Result>> {
  let refusedGeneration: number | null = null;
  let wasFreshRefused = false;
  for (;;) {
    const obtained = await obtainAccess(means, accountId, refusedGeneration, signal);
    if (obtained.kind !== 'ready') return obtained;
    try {
      return { kind: 'used', result: await use(obtained.access) };
    } catch (error) {
      if (!(error instanceof VendorTokenRefused)) throw error;
    }
    if (!obtained.isFresh) {
      refusedGeneration = obtained.generation;
    } else if (!wasFreshRefused) {
      wasFreshRefused = true;
      refusedGeneration = null;
      await sleep(lateMs, undefined, signal === undefined ? {} : { signal });
    } else {
      await recordRefusal(means, accountId, obtained.generation);
      return { kind: 'reconnect_needed' };
    }
  }
}
