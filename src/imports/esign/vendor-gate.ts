import { setTimeout as sleep } from 'node:timers/promises';
import type { VendorLimits } from '../../esign/vendor/limits.ts';

/**
 * Paces all calls of one vendor import. It waits as long as the vendor's rate limits require and never spends more calls
 * than the vendor has left. Calls of one kind are held back while the vendor fails them in a row, because a vendor may
 * list envelopes but hand out no documents, or the reverse.
 */
export interface VendorGate {
  /** Waits until a call may be made. The caller reports the result with `answered`. Throws when `signal` is aborted. */
  pass(kind: CallKind, signal: AbortSignal): Promise<void>;
  answered(kind: CallKind, limits: VendorLimits, isWell: boolean): void;
  /** The number of failed calls of the kind since the last successful one. */
  failures(kind: CallKind): number;
}

export type CallKind = 'list' | 'document';

/** The pause when the burst limit is used up. It renews within half a minute, and one call shows when. */
const burstPauseMs = 1000;
/** Doubles with each refusal in a row for the vendor's limits, including the first. */
const refusalMsMin = 125;
const refusalMsMax = 10_000;
const failuresMax = 3;
const backOffMsMin = 500;
const backOffMsMax = 60_000;

export function createVendorGate(monotonicMs = () => performance.now()): VendorGate {
  let shutUntil = 0;
  let refusalMs = refusalMsMin;
  let callsLeft = Number.POSITIVE_INFINITY;
  let callsRenewAt = 0;
  let underWay = 0;
  const health = { list: well(), document: well() };

  const shutFor = (ms: number) => {
    shutUntil = Math.max(shutUntil, monotonicMs() + ms);
  };
  /** The vendor's count may or may not include calls under way. This assumes that it doesn't. */
  const openAt = (kind: CallKind) => {
    const wellAt = Math.max(shutUntil, health[kind].shutUntil);
    return callsLeft - underWay > 0 || monotonicMs() >= callsRenewAt ? wellAt : Math.max(wellAt, callsRenewAt);
  };

  return {
    async pass(kind, signal) {
      for (;;) {
        signal.throwIfAborted();
        const waitMs = openAt(kind) - monotonicMs();
        if (waitMs <= 0) break;
        await sleep(waitMs, undefined, { signal });
      }
      underWay += 1;
    },
    answered(kind, { retryMs, callsLeft: left, renewalMs, burstCallsLeft }, isWell) {
      underWay -= 1;
      if (left !== null) {
        callsLeft = left;
        callsRenewAt = monotonicMs() + renewalMs;
      }
      if (retryMs > 0) toldToWait(retryMs);
      else refusalMs = refusalMsMin;
      if (burstCallsLeft !== null && burstCallsLeft <= underWay) shutFor(burstPauseMs);
      if (isWell) health[kind] = well();
      else failed(health[kind]);
    },
    failures: (kind) => health[kind].failures,
  };

  /** A vendor that repeatedly names a very short wait is still called less and less often. */
  function toldToWait(ms: number): void {
    if (monotonicMs() >= shutUntil) refusalMs = Math.min(2 * refusalMs, refusalMsMax);
    shutFor(Math.max(ms, refusalMs));
  }

  function failed(kind: Health): void {
    kind.failures += 1;
    // Of calls that fail together only the first closes the gate. The wait grows when a call fails after it reopened.
    if (kind.failures < failuresMax || monotonicMs() < Math.max(shutUntil, kind.shutUntil)) return;
    kind.shutUntil = monotonicMs() + kind.backOffMs;
    kind.backOffMs = Math.min(2 * kind.backOffMs, backOffMsMax);
  }
}

interface Health {
  failures: number;
  backOffMs: number;
  shutUntil: number;
}

function well(): Health {
  return { failures: 0, backOffMs: backOffMsMin, shutUntil: 0 };
}
