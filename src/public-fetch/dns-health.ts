import type { Resolver } from 'node:dns/promises';
import { within } from './within.ts';

export interface DnsHealth {
  /** Returns whether DNS works. Calls at the same time, or within a second, share one query. */
  isAlive(): Promise<boolean>;
}

export interface DnsHealthOptions {
  open: () => Resolver;
  timeoutMs: number;
  monotonicMs: () => number;
}

const ageMsMax = 1000;

/** Codes of a missing answer: no server, or a forwarder without a server. */
const silence = new Set(['ETIMEOUT', 'ESERVFAIL', 'ECONNREFUSED', 'ECANCELLED']);

/**
 * Distinguishes a failing name from a machine without DNS. It queries the root name servers, which every working
 * resolver answers, if only with a refusal. If the answer is SERVFAIL, as from some forwarders for the root, it also
 * queries top-level domains.
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

/** Returns the error code of a query, or null if it was answered. */
async function failureOf(question: Promise<unknown>): Promise<string | null> {
  try {
    await question;
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}
