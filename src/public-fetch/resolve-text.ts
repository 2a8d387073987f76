import { Resolver } from 'node:dns/promises';
import { within } from './within.ts';

export type TextLookup =
  /** At most 100 records. */
  | { kind: 'records'; records: string[] }
  /** The name does not exist, or has no TXT record. */
  | { kind: 'none' }
  /** Its name servers fail, or DNS does not work on this machine. */
  | { kind: 'failed'; reason: string };

/** Looks up the TXT records of a name. Never throws. */
export interface TextResolver {
  resolve(name: string): Promise<TextLookup>;
}

const recordsMax = 100;

/** `servers`: such as `127.0.0.1:5353`. Default: the system's. */
export function createTextResolver({ servers, timeoutMs = 5000 }: { servers?: string[]; timeoutMs?: number } = {}) {
  const resolver: TextResolver = {
    async resolve(name) {
      // c-ares waits twice as long in its second try. One for each lookup, because the system's servers may change.
      const dns = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
      if (servers !== undefined) dns.setServers(servers);
      const failed: TextLookup = { kind: 'failed', reason: 'ETIMEOUT' };
      const answer = await within(timeoutMs, ask(dns, name), failed);
      dns.cancel();
      return answer;
    },
  };
  return resolver;
}

async function ask(dns: Resolver, name: string): Promise<TextLookup> {
  try {
    const records = (await dns.resolveTxt(name)).slice(0, recordsMax);
    // A record is made of strings of at most 255 bytes.
    return { kind: 'records', records: records.map((parts) => parts.join('')) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(code) ? { kind: 'none' } : { kind: 'failed', reason: code };
  }
}
