import { setTimeout as sleep } from 'node:timers/promises';
import type { VendorLimits } from '../../world/esign-vendor-limits.ts';

/**
 * The one door through which a sweep's calls go to the vendor. It stays shut for as long as the vendor asks, lets no
 * more through than its budgets have left, and shuts for all of a kind when the vendor fails one such call after another:
 * it may list and hand out no document, or the other way round.
 */
export interface VendorGate {
  /** Waits until a call may be made; whoever passes tells `answered` what came of it. Throws when told to stop. */
  pass(kind: CallKind, signal: AbortSignal): Promise<void>;
  answered(kind: CallKind, limits: VendorLimits, isWell: boolean): void;
  /** Calls of the kind that have failed since the last one that did not. */
  failures(kind: CallKind): number;
}

export type CallKind = 'list' | 'document';

/** A budget that is used up in this half minute: one call shows when there is more. */
const burstPauseMs = 1000;
/** Doubled with each refusal for the vendor's limits in a row, the first one included. */
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
  /** What is under way when an answer is written may or may not be counted in it: it is taken to be not. */
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

  /** Whoever tells us to wait next to nothing again and again is asked less and less often all the same. */
  function toldToWait(ms: number): void {
    if (monotonicMs() >= shutUntil) refusalMs = Math.min(2 * refusalMs, refusalMsMax);
    shutFor(Math.max(ms, refusalMs));
  }

  function failed(kind: Health): void {
    kind.failures += 1;
    // Of calls that fail together the first shuts the gate; the wait grows with those that fail when it was open again.
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
