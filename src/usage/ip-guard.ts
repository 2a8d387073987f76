import { ApiError } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import { countedAddress } from '../platform/counted-address.ts';
import { minuteEndsAt, rateWindowAt } from './rate-window.ts';

/** Maximum number of addresses counted in one minute. Beyond it the oldest are forgotten, so that memory is bounded. */
const addressesMax = 200_000;

/**
 * The abuse guard before everything else (`ip_throttled`). Counts requests per address and UTC minute in the memory of this
 * process, so that it works when the database is overloaded.
 */
export function createIpGuard(clock: Clock, requestsPerMinute: number): (ip: string) => void {
  let minute = -1;
  let counts = new Map<string, number>();

  return (ip) => {
    const now = clock.now();
    const window = rateWindowAt(now);
    if (window.minute !== minute) {
      minute = window.minute;
      counts = new Map();
    }
    const address = countedAddress(ip);
    const count = (counts.get(address) ?? 0) + 1;
    if (count > requestsPerMinute) {
      throw new ApiError('ip_throttled', {
        retryAfterSeconds: Math.max(1, Math.ceil(minuteEndsAt(window) - now.getTime() / 1000)),
      });
    }
    counts.set(address, count);
    if (counts.size > addressesMax) counts.delete(counts.keys().next().value as string);
  };
}
