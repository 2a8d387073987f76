import type { PublicResponse } from '../../public-fetch/public-fetch.ts';

/** The remaining call limits in an answer. */
export interface VendorLimits {
  /** Delay before the next call in milliseconds, as stated by the vendor or a default after a refusal. */
  retryMs: number;
  /** Calls left in this hour. Null if not stated. */
  callsLeft: number | null;
  /** Time until the hourly limit resets, by the vendor's clock. */
  renewalMs: number;
  /** Calls left in the current half minute. */
  burstCallsLeft: number | null;
}

export const untoldLimits: VendorLimits = { retryMs: 0, callsLeft: null, renewalMs: 0, burstCallsLeft: null };

const hourMs = 3_600_000;
/** The longest delay: longer ones are shortened to a day. */
const dayMs = 24 * hourMs;

/* biome-ignore format: a table reads as a table */
const defaultRetryMs: Record<string, number> = {
  HOURLY_APIINVOCATION_LIMIT_EXCEEDED: 60_000,
  BURST_APIINVOCATION_LIMIT_EXCEEDED:  30_000,
};
/** The shortest delay after a refusal for limits, whatever the vendor states. */
const retryMsMin = 250;
const unknownRetryMs = 5000;
const unknownRenewalMs = 60_000;

/** Reads the limits of an answer. `limitCode` is the error code of a refusal for limits, or '' without a code. */
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

/** Reads Retry-After: seconds, or a date by the vendor's clock. */
function retryAfterMs(value: string | undefined, vendorNow: number): number | null {
  if (value === undefined) return null;
  const seconds = number(value);
  if (seconds !== null) return within(seconds * 1000, dayMs);
  return msUntil(Date.parse(value), vendorNow, dayMs);
}

/** Null if either time is unknown. The vendor's times are compared with its own clock, never with ours. */
function msUntil(at: number, vendorNow: number, msMax: number): number | null {
  return Number.isNaN(at - vendorNow) ? null : within(at - vendorNow, msMax);
}

function number(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : null;
}

function within(ms: number, msMax: number): number {
  return Math.min(Math.max(ms, 0), msMax);
}
