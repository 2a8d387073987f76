import { isIPv6 } from 'node:net';
import { ApiError } from '../errors.ts';
import type { Clock } from '../world/clock.ts';
import { minuteEndsAt, rateWindowAt } from './rate-window.ts';

/** More addresses than this in one minute and the oldest are forgotten: the guard's memory is bounded, not its judgement. */
const addressesMax = 200_000;

/**
 * The abuse guard in front of everything else (spec.md, `ip_throttled`): requests per address and UTC minute, counted
 * in this process's memory, because it must hold when the database is what the abuse is hitting.
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
    const address = bucketOf(ip);
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

/** One IPv6 customer holds a /64, so that is what counts as an address. */
function bucketOf(ip: string): string {
  if (!isIPv6(ip) || ip.toLowerCase().startsWith('::ffff:')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (ip.includes('::')) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
  }
  return groups.slice(0, 4).join(':');
}
