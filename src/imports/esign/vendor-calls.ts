import { untoldLimits } from '../../esign/vendor/limits.ts';
import { VendorTokenRefused } from '../../esign/vendor/token-refused.ts';
import type { EsignAccess, VendorAnswer } from '../../esign/vendor/vendor.ts';
import { withVendorAccess } from '../../esign/with-vendor-access.ts';
import type { ImportDeps } from '../import-deps.ts';
import type { CallKind, VendorGate } from './vendor-gate.ts';
import { assertProgress, type RunningVendorImport } from './vendor-import.ts';
import { VendorImportEnded, VendorImportPaused } from './vendor-import-ended.ts';

export type Call<Value> = (access: EsignAccess, signal: AbortSignal) => Promise<VendorAnswer<Value>>;

/** Calls the vendor with the token of the import's connection, through the import's gate. */
export interface VendorCalls {
  /**
   * Makes one call. Returns null if no token is available now. Throws `VendorImportEnded` for a connection that is gone,
   * `VendorImportPaused` for one that the vendor refuses, and when `signal` is aborted.
   */
  once<Value>(kind: CallKind, call: Call<Value>): Promise<VendorAnswer<Value> | null>;
}

/** How long a token is reused without checking that it is still the connection's. */
const keptMs = 1000;

export function createVendorCalls(
  { world, esign }: Pick<ImportDeps, 'world' | 'esign'>,
  running: RunningVendorImport,
  gate: VendorGate,
  signal: AbortSignal,
): VendorCalls {
  const { account_id: accountId, vendor_account_id: vendorAccountId } = running.vendorImport;
  let kept: { access: EsignAccess; until: number } | null = null;

  return {
    async once<Value>(kind: CallKind, call: Call<Value>): Promise<VendorAnswer<Value> | null> {
      if (kept !== null && performance.now() < kept.until) {
        const { access } = kept;
        try {
          return await throughGate(gate, kind, signal, () => call(access, signal));
        } catch (error) {
          if (!(error instanceof VendorTokenRefused)) throw error;
          kept = null;
        }
      }
      const used = await withVendorAccess(
        esign,
        accountId,
        async (access) => {
          if (access.vendorAccountId !== vendorAccountId) throw new VendorImportEnded('interrupted');
          const answer = await throughGate(gate, kind, signal, () => call(access, signal));
          kept = { access, until: performance.now() + keptMs };
          return answer;
        },
        signal,
      );
      switch (used.kind) {
        case 'used':
          return used.result;
        case 'not_connected':
          throw new VendorImportEnded('interrupted');
        case 'reconnect_needed':
          assertProgress(running.vendorImport, world.clock.now());
          throw new VendorImportPaused();
        case 'unavailable':
          await gate.pass(kind, signal);
          gate.answered(kind, untoldLimits, false);
          return null;
      }
    },
  };
}

async function throughGate<Value>(
  gate: VendorGate,
  kind: CallKind,
  signal: AbortSignal,
  call: () => Promise<VendorAnswer<Value>>,
): Promise<VendorAnswer<Value>> {
  await gate.pass(kind, signal);
  let answer: VendorAnswer<Value> | null = null;
  try {
    answer = await call();
    return answer;
  } finally {
    // A refused token or an aborted call says nothing about the vendor's health.
    gate.answered(kind, answer?.limits ?? untoldLimits, answer?.kind !== 'trouble');
  }
}
