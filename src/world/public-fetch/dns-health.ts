import type { Resolver } from 'node:dns/promises';
import { within } from './within.ts';

export interface DnsHealth {
  /** Whether DNS answers at all. Those who ask at the same time, or within a second, share one question. */
  isAlive(): Promise<boolean>;
}

export interface DnsHealthOptions {
  open: () => Resolver;
  timeoutMs: number;
  monotonicMs: () => number;
}

const ageMsMax = 1000;

/** Answers that are none: nobody there, or a forwarder that reaches nobody. */
const silence = new Set(['ETIMEOUT', 'ESERVFAIL', 'ECONNREFUSED', 'ECANCELLED']);

/**
 * Tells a name whose servers fail from a machine without DNS, by asking who serves the root: every living resolver has
 * an answer to that, if only a refusal.
 */
export function createDnsHealth({ open, timeoutMs, monotonicMs }: DnsHealthOptions): DnsHealth {
  let verdict = Promise.resolve(true);
  let freshUntil = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<boolean> {
    const isAlive = await within(timeoutMs * 0.75, askForRoot(open()), false);
    freshUntil = monotonicMs() + ageMsMax;
    return isAlive;
  }

  return {
    isAlive() {
      if (monotonicMs() >= freshUntil) {
        freshUntil = Number.POSITIVE_INFINITY;
        verdict = ask();
      }
      return verdict;
    },
  };
}

async function askForRoot(resolver: Resolver): Promise<boolean> {
  try {
    await resolver.resolveNs('.');
    return true;
  } catch (error) {
    return !silence.has((error as NodeJS.ErrnoException).code ?? '');
  }
}
