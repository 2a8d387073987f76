import { setTimeout as sleep } from 'node:timers/promises';
import type { EsignDeps } from './esign-deps.ts';
import { obtainAccess, type VendorAccess } from './obtain-access.ts';
import { recordRefusal } from './refresh-tokens.ts';
import { VendorTokenRefused } from './vendor/token-refused.ts';

export type { VendorAccess } from './obtain-access.ts';

export type VendorUse<Result> =
  | { kind: 'used'; result: Result }
  | { kind: 'not_connected' }
  /** An owner has to connect again. A retry does not help. */
  | { kind: 'reconnect_needed' }
  /** The token has expired and could not be refreshed. Try again later. */
  | { kind: 'unavailable' };

/** The vendor's API may accept a new token a moment after the OAuth server has issued it. */
const propagationMs = 1000;

/**
 * Calls the vendor with a valid token. `use` throws `VendorTokenRefused` if the vendor answers 401, and is then called again
 * with a fresh token. A fresh token that is refused is tried again after a second, and then replaced once more. After that,
 * the result is `reconnect_needed`. Other errors of `use` are passed on. Costs one read by primary key. Safe to
 * run many times at once, in many processes.
 */
export async function withVendorAccess<Result>(
  deps: EsignDeps,
  accountId: string,
  use: (access: VendorAccess) => Promise<Result>,
  signal?: AbortSignal,
): Promise<VendorUse<Result>> {
  let refusedGeneration: number | null = null;
  let wasFreshRefused = false;
  for (;;) {
    const obtained = await obtainAccess(deps, accountId, refusedGeneration, signal);
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
      await sleep(propagationMs, undefined, signal === undefined ? {} : { signal });
    } else {
      await recordRefusal(deps, accountId, obtained.generation);
      return { kind: 'reconnect_needed' };
    }
  }
}
