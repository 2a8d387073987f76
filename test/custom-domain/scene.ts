import type { IncomingHttpHeaders } from 'node:http';
import { createAliasResolver, createHostResolver, createTextResolver } from '../../src/public-fetch/public-fetch.ts';
import { type Asked, ask } from '../exposure/ask.ts';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { freePort } from '../support/free-port.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** A service with a PUBLIC_URL, whose companies have hosts in a DNS server of the test. */
export interface Scene {
  app: TestService;
  port: string;
  dns: DnsServer;
  /** What name servers answer: `A documents.acme.example`, `TXT _countersign.documents.acme.example`. */
  records: Map<string, DnsReply>;
  resolvers: ReturnType<typeof resolversAt>;
  /** Asks the service for a path on another host. */
  on(
    host: string,
    path: string,
    options?: { method?: string; headers?: IncomingHttpHeaders; body?: string },
  ): Promise<Asked>;
  /** Makes the records that the console shows. */
  makeRecords(domain: { host: string; records: { type: string; name: string; value: string }[] }): void;
  stop(): Promise<void>;
}

export function resolversAt(address: string) {
  const at = { servers: [address], timeoutMs: 60_000 };
  return { txt: createTextResolver(at), hosts: createHostResolver(at), aliases: createAliasResolver(at) };
}

export async function startScene(env: Record<string, string> = {}): Promise<Scene> {
  const records = new Map<string, DnsReply>();
  const dns = await startDnsServer((type, name) => records.get(`${type} ${name}`) ?? 'NXDOMAIN');
  const resolvers = resolversAt(dns.address);
  const port = await freePort();
  const app = await startTestService({
    env: { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...env },
    outside: { textResolver: resolvers.txt, hostResolver: resolvers.hosts, aliasResolver: resolvers.aliases },
  });
  return {
    ...{ app, port, dns, records, resolvers },
    on: (host, path, { headers, ...options } = {}) =>
      ask(`http://127.0.0.1:${port}${path}`, { ...options, headers: { host, ...(headers as object) } }),
    makeRecords({ records: toMake }) {
      for (const { type, name, value } of toMake) {
        records.set(`${type} ${name}`, type === 'TXT' ? { texts: ['v=spf1 -all', value] } : { addresses: [value] });
      }
    },
    async stop() {
      await app.stop();
      await dns.close();
    },
  };
}
