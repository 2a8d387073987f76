import { Resolver } from 'node:dns/promises';
import { createDnsHealth } from './dns-health.ts';
import { within } from './within.ts';

export type HostLookup =
  /** IPv4 first, then IPv6, at most 64 in all. */
  | { kind: 'addresses'; addresses: string[] }
  /** The name does not exist, has no address, or its name servers fail. `reason` completes "the name …". */
  | { kind: 'none'; reason: string; serversFail?: true }
  /** DNS does not work on this machine. */
  | { kind: 'our_fault'; reason: string };

/** A warning about the host of an entered address. */
export interface HostConcern {
  code: 'no_address' | 'not_checked';
  host: string;
  /** One line for the command line. */
  text: string;
}

export interface HostResolver {
  /** Resolves a host in about the resolver's time limit. Never throws. */
  resolve(host: string): Promise<HostLookup>;
}

export interface HostResolverOptions {
  /** Such as `127.0.0.1:5353`. Default: the system's. */
  servers?: string[];
  /** Time limit of all queries about one name. Should leave the caller time to connect. */
  timeoutMs?: number;
  /** Clock for the age of answers. */
  monotonicMs?: () => number;
}

const addressesPerFamilyMax = 32;
const ageMsMax = 1000;
const namesKeptMax = 1000;
/** How long to wait for the other address family once one has answered. Some name servers never answer AAAA queries. */
const secondFamilyMs = 500;

interface Kept {
  lookup: Promise<HostLookup>;
  freshUntil: number;
}

/**
 * Resolves hosts with c-ares. The system's `getaddrinfo` has four threads, so four names with slow servers would block
 * all others. Concurrent calls for a name share an answer, which is cached for its TTL but at most a second.
 */
export function createHostResolver(options: HostResolverOptions = {}): HostResolver {
  const { servers, timeoutMs = 4000, monotonicMs = () => performance.now() } = options;
  const kept = new Map<string, Kept>();
  let resolver = openResolver(servers, timeoutMs);
  const health = createDnsHealth({ open: () => openResolver(servers, timeoutMs), timeoutMs, monotonicMs });

  async function lookUp(host: string): Promise<{ lookup: HostLookup; ttlMs: number }> {
    // If DNS is down, the result must not take twice the limit.
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
      const reason = `has name servers that fail (${trouble})`;
      return { lookup: { kind: 'none', reason, serversFail: true }, ttlMs: 0 };
    }
    resolver = openResolver(servers, timeoutMs); // the system's name servers may have changed
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
      // RFC 6761: these names are loopback and are never looked up in DNS.
      if (/(?:^|\.)localhost$/i.test(host)) return { kind: 'addresses', addresses: ['127.0.0.1', '::1'] };
      const found = kept.get(host);
      return (found !== undefined && monotonicMs() < found.freshUntil ? found : begin(host)).lookup;
    },
  };
}

function openResolver(servers: string[] | undefined, timeoutMs: number): Resolver {
  // c-ares waits twice as long in its second try.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

interface Answer {
  /** `ttl` in seconds. */
  records: Array<{ address: string; ttl: number }>;
  isUnknown: boolean;
  /** Why there is no answer. */
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
