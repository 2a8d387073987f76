/** How one attempt ended, before it is decided what comes next. */
export type Verdict =
  /** Any 2xx. */
  | 'acknowledged'
  /** 4xx, 5xx, no answer in time, no connection: tried again on schedule. */
  | 'failed'
  /** A redirect or an address that is not public: no further attempt would end otherwise. */
  | 'hopeless'
  /** Our own side could not try: no network, no name server. It does not use up an attempt. */
  | 'not_tried'
  /** Nor does this: the secret cannot be opened, because SECRET_KEY is another than it was. */
  | 'not_prepared';

export type NextStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: Date }
  | { kind: 'dead' }
  | { kind: 'postponed'; at: Date };

const postponedSeconds = 15;

/**
 * What follows an attempt that ended at `now`. `failures` counts the failed attempts before it, `delaysSeconds` holds the
 * wait after failure 1, 2, …: after one failure more than it has entries the delivery is dead (spec.md, Events).
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
