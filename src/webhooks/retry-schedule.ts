/** How one attempt ended. */
export type Verdict =
  /** Any 2xx. */
  | 'acknowledged'
  /** 4xx, 5xx, no answer in time, or no connection. It is tried again on schedule. */
  | 'failed'
  /** A redirect or an address that is not public. Another attempt would end the same way. */
  | 'hopeless'
  /** This machine has no network or no name server. It does not use up an attempt. */
  | 'not_tried'
  /** The secret cannot be decrypted because SECRET_KEY has changed. It does not use up an attempt. */
  | 'not_prepared';

export type NextStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: Date }
  | { kind: 'dead' }
  | { kind: 'postponed'; at: Date };

const postponedSeconds = 15;

/**
 * Returns what follows an attempt that ended at `now`. `failures` counts the failed attempts before it. `delaysSeconds`
 * holds the delay after failure 1, 2, …. After one more failure than it has entries the delivery is dead.
 */
export function nextStep(verdict: Verdict, failures: number, delaysSeconds: readonly number[], now: Date): NextStep {
  switch (verdict) {
    case 'acknowledged':
      return { kind: 'delivered' };
    case 'hopeless':
      return { kind: 'dead' };
    case 'not_tried':
    case 'not_prepared':
      return { kind: 'postponed', at: secondsAfter(now, postponedSeconds) };
    case 'failed': {
      const delay = delaysSeconds[failures];
      return delay === undefined ? { kind: 'dead' } : { kind: 'retry', at: secondsAfter(now, delay) };
    }
  }
}

function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
