import type { ServerResponse } from 'node:http';

/** The vendor's rate limits. By default there are none. */
export interface VendorBudget {
  /** Allows this many calls, then none until `renewalMs` after the first one. */
  set(calls: number, renewalMs: number): void;
  /** Refuses the next calls with 429 and this `Retry-After`. */
  burst(calls: number, retryAfterSeconds: number): void;
  /** Calls that were refused because of the hourly budget, and because of a burst. */
  refused: { budget: number; burst: number };
  /** Returns whether the call is allowed. Otherwise it has been answered. */
  spend(response: ServerResponse): boolean;
}

export function createBudget(): VendorBudget {
  let limit: { calls: number; renewalMs: number } | null = null;
  let used = 0;
  let renewsAt = 0;
  let burst = { calls: 0, retryAfterSeconds: 0 };
  const refused = { budget: 0, burst: 0 };

  function deny(response: ServerResponse, status: number, errorCode: string, headers: Record<string, string>): false {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ errorCode, message: 'The maximum number of API invocations has been exceeded.' }));
    return false;
  }

  return {
    set(calls, renewalMs) {
      limit = { calls, renewalMs };
      used = 0;
      renewsAt = 0;
    },
    burst(calls, retryAfterSeconds) {
      burst = { calls, retryAfterSeconds };
    },
    refused,
    spend(response) {
      if (burst.calls > 0) {
        burst.calls -= 1;
        refused.burst += 1;
        const headers = { 'retry-after': String(burst.retryAfterSeconds) };
        return deny(response, 429, 'BURST_APIINVOCATION_LIMIT_EXCEEDED', headers);
      }
      if (limit === null) return true;
      if (Date.now() >= renewsAt) {
        used = 0;
        // The vendor sends whole seconds.
        renewsAt = Math.ceil((Date.now() + limit.renewalMs) / 1000) * 1000;
      }
      const isSpent = used >= limit.calls;
      if (!isSpent) used += 1;
      const headers = {
        'x-ratelimit-limit': String(limit.calls),
        'x-ratelimit-remaining': String(limit.calls - used),
        'x-ratelimit-reset': String(renewsAt / 1000),
      };
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (!isSpent) return true;
      refused.budget += 1;
      return deny(response, 400, 'HOURLY_APIINVOCATION_LIMIT_EXCEEDED', headers);
    },
  };
}
