import type { PublicResponse } from './public-fetch.ts';

/** What an answer says of the calls that are left. */
export interface VendorLimits {
  /** Not before so many milliseconds: it said so, or refused for its limits without a word on when. */
  retryMs: number;
  /** In this hour. Null where it says nothing. */
  callsLeft: number | null;
  /** Until the hour's budget begins anew, by the vendor's own clock. */
  renewalMs: number;
  /** In the current half minute. */
  burstCallsLeft: number | null;
}

export const untoldLimits: VendorLimits = { retryMs: 0, callsLeft: null, renewalMs: 0, burstCallsLeft: null };

const hourMs = 3_600_000;
/** Who asks for more is asked again each day. */
const dayMs = 24 * hourMs;

/* biome-ignore format: a table reads as a table */
const defaultRetryMs: Record<string, number> = {
  HOURLY_APIINVOCATION_LIMIT_EXCEEDED: 60_000,
  BURST_APIINVOCATION_LIMIT_EXCEEDED:  30_000,
};
/** Whoever has refused for its limits is not asked again at once, whatever it says. */
const retryMsMin = 250;
const unknownRetryMs = 5000;
const unknownRenewalMs = 60_000;

/** `limitCode`: of the answer that refused for its limits; '' when it named none. */
export function readVendorLimits({ headers }: PublicResponse, limitCode?: string): VendorLimits {
  const vendorNow = Date.parse(headers.date ?? '');
  const renewsAt = (number(headers['x-ratelimit-reset']) ?? Number.NaN) * 1000;
  const renewalMs = msUntil(renewsAt, vendorNow, hourMs) ?? unknownRenewalMs;
  const callsLeft = number(headers['x-ratelimit-remaining']);
  const told = retryAfterMs(headers['retry-after'], vendorNow);
  return {
    retryMs:
      limitCode === undefined
        ? (told ?? 0)
        : Math.max(told ?? untoldRetryMs(limitCode, callsLeft, renewalMs), retryMsMin),
    callsLeft,
    renewalMs,
    burstCallsLeft: number(headers['x-burstlimit-remaining']),
  };
}

function untoldRetryMs(limitCode: string, callsLeft: number | null, renewalMs: number): number {
  if (callsLeft === 0) return renewalMs;
  return defaultRetryMs[limitCode] ?? unknownRetryMs;
}

/** In seconds, or as a date by the vendor's clock. */
function retryAfterMs(value: string | undefined, vendorNow: number): number | null {
  if (value === undefined) return null;
  const seconds = number(value);
  if (seconds !== null) return within(seconds * 1000, dayMs);
  return msUntil(Date.parse(value), vendorNow, dayMs);
}

/** Null where either time is not known: one that a vendor names is measured by its own clock, never by ours. */
function msUntil(at: number, vendorNow: number, msMax: number): number | null {
  return Number.isNaN(at - vendorNow) ? null : within(at - vendorNow, msMax);
}

function number(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : null;
}

function within(ms: number, msMax: number): number {
  return Math.min(Math.max(ms, 0), msMax);
}
