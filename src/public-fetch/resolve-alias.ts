import { Resolver } from 'node:dns/promises';
import { within } from './within.ts';

/** Looks up the names that a name is an alias of (CNAME). None if it has no such record, or nobody answers. Never throws. */
export interface AliasResolver {
  resolve(name: string): Promise<string[]>;
}

/** Aliases of aliases. */
const stepsMax = 8;

/** `servers`: such as `127.0.0.1:5353`. Default: the system's. */
export function createAliasResolver({ servers, timeoutMs = 5000 }: { servers?: string[]; timeoutMs?: number } = {}) {
  const resolver: AliasResolver = {
    async resolve(name) {
      // One for each lookup, because the system's servers may change.
      const dns = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
      if (servers !== undefined) dns.setServers(servers);
      const found: string[] = [];
      await within(timeoutMs, follow(dns, name, found), undefined);
      dns.cancel();
      return found;
    },
  };
  return resolver;
}

async function follow(dns: Resolver, name: string, found: string[]): Promise<void> {
  let next: string | undefined = name;
  while (next !== undefined && found.length < stepsMax) {
    const aliases: string[] = await dns.resolveCname(next).catch(() => []);
    next = aliases[0]?.toLowerCase().replace(/\.$/, '');
    if (next !== undefined) found.push(next);
  }
}
