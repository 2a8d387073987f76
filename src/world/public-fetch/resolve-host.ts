import { Resolver } from 'node:dns/promises';
import { createDnsHealth } from './dns-health.ts';
import { within } from './within.ts';

export type HostLookup =
  /** IPv4 first, then IPv6, at most 64 in all. */
  | { kind: 'addresses'; addresses: string[] }
  /** The name's fault: it does not exist, has no address, or its name servers fail. `reason` ends "the name …". */
  | { kind: 'none'; reason: string }
  /** DNS as such does not work here. */
  | { kind: 'our_fault'; reason: string };

export interface HostResolver {
  /** Never throws. Ends within the resolver's time limit, about. */
  resolve(host: string): Promise<HostLookup>;
}

export interface HostResolverOptions {
  /** `127.0.0.1:5353`. Unset: the system's. */
  servers?: string[];
  /** For all questions about one name. Should leave the caller time to connect. */
  timeoutMs?: number;
  /** What the age of an answer is measured with. */
  monotonicMs?: () => number;
}

const addressesPerFamilyMax = 32;
const ageMsMax = 1000;
const namesKeptMax = 1000;
/** How long the other kind of address is waited for once one is there: some name servers never answer for AAAA. */
const secondFamilyMs = 500;

interface Kept {
  lookup: Promise<HostLookup>;
  freshUntil: number;
}

/**
 * Asks DNS by c-ares, not by the system's `getaddrinfo`: that has four threads, and four names with a slow server would
 * hold up every other name. An answer is used by all who ask for the name meanwhile, then for as long as it lives but at
 * most a second.
 */
export function createHostResolver(options: HostResolverOptions = {}): HostResolver {
  const { servers, timeoutMs = 4000, monotonicMs = () => performance.now() } = options;
  const kept = new Map<string, Kept>();
  let resolver = openResolver(servers, timeoutMs);
  const health = createDnsHealth({ open: () => openResolver(servers, timeoutMs), timeoutMs, monotonicMs });

  async function lookUp(host: string): Promise<{ lookup: HostLookup; ttlMs: number }> {
    // With DNS down the verdict must not take twice the limit.
    const suspicion = setTimeout(() => health.isAlive(), timeoutMs / 4);
    const [four, six] = await askBoth(resolver, host, timeoutMs);
    clearTimeout(suspicion);

    const records = [...four.records, ...six.records];
    if (records.length > 0) {
      const addresses = records.map((record) => record.address);
      return {
        lookup: { kind: 'addresses', addresses },
        ttlMs: Math.min(...records.map((record) => record.ttl)) * 1000,
      };
    }
    const trouble = four.trouble ?? six.trouble;
    if (trouble === null) {
      const reason = four.isUnknown || six.isUnknown ? 'does not exist' : 'has no address';
      return { lookup: { kind: 'none', reason }, ttlMs: 0 };
    }
    if (await health.isAlive()) {
      return { lookup: { kind: 'none', reason: `has name servers that fail (${trouble})` }, ttlMs: 0 };
    }
    resolver = openResolver(servers, timeoutMs); // the system's name servers may have become others
    return { lookup: { kind: 'our_fault', reason: `DNS does not answer (${trouble})` }, ttlMs: 0 };
  }

  function begin(host: string): Kept {
    const answer = lookUp(host);
    const entry: Kept = { lookup: answer.then(({ lookup }) => lookup), freshUntil: Number.POSITIVE_INFINITY };
    answer.then(({ ttlMs }) => {
      entry.freshUntil = monotonicMs() + Math.min(ttlMs, ageMsMax);
    });
    kept.delete(host);
    kept.set(host, entry);
    if (kept.size > namesKeptMax) kept.delete(kept.keys().next().value as string);
    return entry;
  }

  return {
    async resolve(host) {
      // RFC 6761: these are loopback, and never a question to DNS.
      if (/(?:^|\.)localhost$/i.test(host)) return { kind: 'addresses', addresses: ['127.0.0.1', '::1'] };
      const found = kept.get(host);
      return (found !== undefined && monotonicMs() < found.freshUntil ? found : begin(host)).lookup;
    },
  };
}

function openResolver(servers: string[] | undefined, timeoutMs: number): Resolver {
  // The second try of c-ares waits twice as long as the first.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

interface Answer {
  /** `ttl` in seconds. */
  records: Array<{ address: string; ttl: number }>;
  isUnknown: boolean;
  /** Why there is no answer, good or bad. */
  trouble: string | null;
}

const late: Answer = { records: [], isUnknown: false, trouble: 'ETIMEOUT' };

async function askBoth(resolver: Resolver, host: string, timeoutMs: number): Promise<[Answer, Answer]> {
  const four = within(timeoutMs, ask(resolver.resolve4(host, { ttl: true })), late);
  const six = within(timeoutMs, ask(resolver.resolve6(host, { ttl: true })), late);
  const first = await Promise.race([four, six]);
  if (first.records.length === 0) return Promise.all([four, six]);
  return Promise.all([within(secondFamilyMs, four, late), within(secondFamilyMs, six, late)]);
}

async function ask(question: Promise<Answer['records']>): Promise<Answer> {
  try {
    const records = (await question).slice(0, addressesPerFamilyMax);
    return { records, isUnknown: false, trouble: null };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    const isUnknown = code === 'ENOTFOUND' || code === 'EBADNAME';
    return { records: [], isUnknown, trouble: isUnknown || code === 'ENODATA' ? null : code };
  }
}
