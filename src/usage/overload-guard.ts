import { ApiError } from '../errors.ts';

export interface OverloadGuardOptions {
  /** Milliseconds that only grow, such as `performance.now`. */
  nowMs?: () => number;
  /** Requests in flight that an overloaded process works on. */
  inFlightMax?: number;
  /** How long the requests must have been many before any is refused, in milliseconds. */
  patienceMs?: number;
}

/** Counts a request of a presented key in. Returns how to count it out. Throws `server_busy`. */
export type OverloadGuard = (key: string) => () => void;

const inFlightMaxDefault = 128;
const patienceMsDefault = 1000;
const retryAfterSeconds = 1;

/**
 * Refuses requests that a process could only answer late (`server_busy`), before any work is done for them. A burst is never
 * refused: only a queue that stays for longer than `patienceMs` is, as in CoDel (RFC 8289). While it stays, each presented
 * key gets an equal share of the requests in flight, so that one company's load does not refuse another's.
 * Counting a request out twice has no effect.
 */
export function createOverloadGuard(options: OverloadGuardOptions = {}): OverloadGuard {
  const { nowMs = () => performance.now(), inFlightMax = inFlightMaxDefault } = options;
  const { patienceMs = patienceMsDefault } = options;
  const inFlight = new Map<string, number>();
  let total = 0;
  /** When the requests in flight last were few. */
  let calmAt = nowMs();

  return (key) => {
    if (total < inFlightMax / 2) calmAt = nowMs();
    const own = inFlight.get(key) ?? 0;
    const isOverloaded = total >= inFlightMax && nowMs() - calmAt > patienceMs;
    const keys = inFlight.size + (own === 0 ? 1 : 0);
    // The share of one among very many keys is nothing: inventing keys brings no more work in.
    if (isOverloaded && own >= Math.floor(inFlightMax / keys)) {
      throw new ApiError('server_busy', { retryAfterSeconds });
    }
    inFlight.set(key, own + 1);
    total += 1;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      leave(key);
    };
  };

  function leave(key: string): void {
    const left = (inFlight.get(key) ?? 1) - 1;
    if (left === 0) inFlight.delete(key);
    else inFlight.set(key, left);
    total -= 1;
    if (total < inFlightMax / 2) calmAt = nowMs();
  }
}
