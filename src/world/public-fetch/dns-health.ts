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
 * an answer to that, if only a refusal. One that answers SERVFAIL, as some forwarders do for the root alone, is asked
 * about top-level domains too.
 */
export function createDnsHealth({ open, timeoutMs, monotonicMs }: DnsHealthOptions): DnsHealth {
  let verdict = Promise.resolve(true);
  let freshUntil = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<boolean> {
    const isAlive = await within(timeoutMs * 0.75, answersAny(open()), false);
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

const witnesses = ['.', 'com', 'org'];

async function answersAny(resolver: Resolver): Promise<boolean> {
  for (const zone of witnesses) {
    const code = await failureOf(resolver.resolveNs(zone));
    if (code === null || !silence.has(code)) return true;
    if (code !== 'ESERVFAIL') return false;
  }
  return false;
}

/** The code that a question failed with. Null: it was answered. */
async function failureOf(question: Promise<unknown>): Promise<string | null> {
  try {
    await question;
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}
