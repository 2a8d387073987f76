import { withVendorAccess } from '../../esign/with-vendor-access.ts';
import { VendorTokenRefused } from '../../world/esign-token-refused.ts';
import type { EsignAccess, VendorAnswer, VendorRefusal } from '../../world/esign-vendor.ts';
import { untoldLimits } from '../../world/esign-vendor-limits.ts';
import type { ImportMeans } from '../import-means.ts';
import { isGivenUp, type RunningSweep } from './sweep.ts';
import { SweepEnded, SweepPaused } from './sweep-ended.ts';
import type { VendorGate } from './vendor-gate.ts';

/** What asking came to when the vendor's limits were waited for. */
export type Asked<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'refused'; why: VendorRefusal }
  /** Worth another attempt. `isItself`: the vendor answers others meanwhile. */
  | { kind: 'trouble'; isItself: boolean };

export type Call<Value> = (access: EsignAccess, signal: AbortSignal) => Promise<VendorAnswer<Value>>;

/** Asks the vendor in the name of a sweep's connection, as fast as it lets us. */
export interface VendorDesk {
  /** Throws `SweepEnded` and `SweepPaused` for a connection that is gone or refused, and when told to stop. */
  ask<Value>(call: Call<Value>): Promise<Asked<Value>>;
}

/** So long a token is used again without asking whether it is still the connection's. */
const keptMs = 1000;
/** So many calls in a row fail only where the vendor does. */
const failuresOfVendor = 3;

export function openVendorDesk(
  { world, esign, vendor }: Pick<ImportMeans, 'world' | 'esign' | 'vendor'>,
  running: RunningSweep,
  gate: VendorGate,
  signal: AbortSignal,
): VendorDesk {
  const { account_id: accountId, vendor_account_id: vendorAccountId } = running.sweep;
  let recovery: Promise<void> | null = null;
  let kept: { access: EsignAccess; until: number } | null = null;

  async function callOnce<Value>(call: Call<Value>): Promise<VendorAnswer<Value> | null> {
    if (kept !== null && performance.now() < kept.until) {
      const { access } = kept;
      try {
        return await throughGate(gate, signal, () => call(access, signal));
      } catch (error) {
        if (!(error instanceof VendorTokenRefused)) throw error;
        kept = null;
      }
    }
    const used = await withVendorAccess(
      esign,
      accountId,
      async (access) => {
        if (access.vendorAccountId !== vendorAccountId) throw new SweepEnded('interrupted');
        const answer = await throughGate(gate, signal, () => call(access, signal));
        kept = { access, until: performance.now() + keptMs };
        return answer;
      },
      signal,
    );
    switch (used.kind) {
      case 'used':
        return used.result;
      case 'not_connected':
        throw new SweepEnded('interrupted');
      case 'reconnect_needed':
        assertProgress();
        throw new SweepPaused();
      case 'unavailable':
        await gate.pass(signal);
        gate.answered(untoldLimits, false);
        return null;
    }
  }

  /** One call after another, as far apart as the gate says, until one is answered. */
  async function recover(): Promise<void> {
    const probe: Call<unknown> = (access) =>
      vendor.listCompleted(access, { from: new Date(running.sweep.list_from), position: 0, count: 1 }, signal);
    while (gate.failures > 0) {
      assertProgress();
      await callOnce(probe);
    }
  }

  function assertProgress(): void {
    if (isGivenUp(running.sweep, world.clock.now())) throw new SweepEnded('source_unavailable');
  }

  return {
    async ask<Value>(call: Call<Value>): Promise<Asked<Value>> {
      for (;;) {
        const answer = await callOnce(call);
        if (answer?.kind === 'limited') continue;
        if (answer?.kind === 'done' || answer?.kind === 'refused') return answer;
        assertProgress();
        const isItself = answer !== null && gate.failures < failuresOfVendor;
        if (gate.failures >= failuresOfVendor) {
          recovery ??= recover().finally(() => {
            recovery = null;
          });
          await recovery;
        }
        return { kind: 'trouble', isItself };
      }
    },
  };
}

async function throughGate<Value>(
  gate: VendorGate,
  signal: AbortSignal,
  call: () => Promise<VendorAnswer<Value>>,
): Promise<VendorAnswer<Value>> {
  await gate.pass(signal);
  let answer: VendorAnswer<Value> | null = null;
  try {
    answer = await call();
    return answer;
  } finally {
    // A refused token and a call that was stopped say nothing of how the vendor is.
    gate.answered(answer?.limits ?? untoldLimits, answer?.kind !== 'trouble');
  }
}
