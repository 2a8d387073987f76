import { setTimeout as sleep } from 'node:timers/promises';
import type { VendorLimits } from '../../world/esign-vendor-limits.ts';

/**
 * The one door through which a sweep's calls go to the vendor. It stays shut for as long as the vendor asks, lets no
 * more through than its budgets have left, and shuts for all when the vendor fails one call after another.
 */
export interface VendorGate {
  /** Waits until a call may be made; whoever passes tells `answered` what came of it. Throws when told to stop. */
  pass(signal: AbortSignal): Promise<void>;
  answered(limits: VendorLimits, isWell: boolean): void;
  /** Calls that have failed since the last one that did not. */
  readonly failures: number;
}

/** A budget that is used up in this half minute: one call shows when there is more. */
const burstPauseMs = 1000;
const failuresMax = 3;
const backOffMsMin = 500;
const backOffMsMax = 60_000;

export function createVendorGate(monotonicMs = () => performance.now()): VendorGate {
  let shutUntil = 0;
  let callsLeft = Number.POSITIVE_INFINITY;
  let callsRenewAt = 0;
  let underWay = 0;
  let failures = 0;
  let backOffMs = backOffMsMin;

  const shutFor = (ms: number) => {
    shutUntil = Math.max(shutUntil, monotonicMs() + ms);
  };
  /** What is under way when an answer is written may or may not be counted in it: it is taken to be not. */
  const openAt = () => {
    if (callsLeft - underWay > 0 || monotonicMs() >= callsRenewAt) return shutUntil;
    return Math.max(shutUntil, callsRenewAt);
  };

  return {
    async pass(signal) {
      for (;;) {
        signal.throwIfAborted();
        const waitMs = openAt() - monotonicMs();
        if (waitMs <= 0) break;
        await sleep(waitMs, undefined, { signal });
      }
      underWay += 1;
    },
    answered({ retryMs, callsLeft: left, renewalMs, burstCallsLeft }, isWell) {
      underWay -= 1;
      failures = isWell ? 0 : failures + 1;
      if (isWell) backOffMs = backOffMsMin;
      if (left !== null) {
        callsLeft = left;
        callsRenewAt = monotonicMs() + renewalMs;
      }
      if (retryMs > 0) shutFor(retryMs);
      if (burstCallsLeft !== null && burstCallsLeft <= underWay) shutFor(burstPauseMs);
      // Of calls that fail together the first shuts the gate; the wait grows with those that fail when it was open again.
      if (failures >= failuresMax && monotonicMs() >= shutUntil) {
        shutFor(backOffMs);
        backOffMs = Math.min(2 * backOffMs, backOffMsMax);
      }
    },
    get failures() {
      return failures;
    },
  };
}
