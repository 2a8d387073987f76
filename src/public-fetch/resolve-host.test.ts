import { expect, onTestFinished, test } from 'vitest';
import { type DnsReply, startDnsServer } from '../../test/support/dns-server.ts';
import { freePort } from '../../test/support/free-port.ts';
import { createHostResolver, type HostResolverOptions } from './resolve-host.ts';

type Reply = (type: string, name: string) => DnsReply | Promise<DnsReply>;

async function resolverAt(reply: Reply, options: HostResolverOptions = {}) {
  const dns = await startDnsServer(reply);
  onTestFinished(() => dns.close());
  return { dns, resolver: createHostResolver({ servers: [dns.address], ...options }) };
}

const addresses = (...list: string[]) => ({ kind: 'addresses', addresses: list });
const name = 'hooks.example.com';

test('asks for both kinds of address at once, and puts IPv4 first', async () => {
  const { dns, resolver } = await resolverAt(() => ({ addresses: ['2606:4700::1', '192.0.2.1', '192.0.2.2'] }));
  expect(await resolver.resolve(name)).toEqual(addresses('192.0.2.1', '192.0.2.2', '2606:4700::1'));
  expect(dns.questions.sort()).toEqual([`A ${name}`, `AAAA ${name}`]);
});

test.each([['192.0.2.1'], ['2606:4700::1']])('a name that has only %s', async (address) => {
  const { resolver } = await resolverAt(() => ({ addresses: [address] }));
  expect(await resolver.resolve(name)).toEqual(addresses(address));
});

test('follows a chain of names to its addresses', async () => {
  const { resolver } = await resolverAt(() => ({ addresses: ['192.0.2.1'], cname: 'edge.example.net' }));
  expect(await resolver.resolve(name)).toEqual(addresses('192.0.2.1'));
});

test('localhost and its subdomains are loopback, whatever DNS would say', async () => {
  const { dns, resolver } = await resolverAt(() => ({ addresses: ['192.0.2.1'] }));
  for (const host of ['localhost', 'LocalHost', 'app.localhost']) {
    expect(await resolver.resolve(host)).toEqual(addresses('127.0.0.1', '::1'));
  }
  expect(dns.questions).toEqual([]);
});

test('takes so many addresses of an answer and no more', async () => {
  const many = Array.from({ length: 100 }, (_, index) => `192.0.2.${index}`);
  const { resolver } = await resolverAt(() => ({ addresses: [...many, '2606:4700::1'] }));
  expect(await resolver.resolve(name)).toEqual(addresses(...many.slice(0, 32), '2606:4700::1'));
});

test('concurrent lookups share one query for each address family', async () => {
  const { dns, resolver } = await resolverAt(() => ({ addresses: ['192.0.2.1'], ttl: 0 }));
  await Promise.all(Array.from({ length: 50 }, () => resolver.resolve(name)));
  expect(dns.questions).toHaveLength(2);
});

test('an answer is used again until its TTL ends, for a second at most', async () => {
  let nowMs = 0;
  let ttl = 0;
  const { dns, resolver } = await resolverAt(() => ({ addresses: ['192.0.2.1'], ttl }), { monotonicMs: () => nowMs });
  const asked = async () => {
    await resolver.resolve(name);
    return dns.questions.splice(0).length > 0;
  };
  expect([await asked(), await asked()], 'TTL 0').toEqual([true, true]);
  ttl = 3600;
  expect([await asked(), await asked()], 'TTL of an hour').toEqual([true, false]);
  nowMs += 999;
  expect(await asked()).toBe(false);
  nowMs += 1;
  expect(await asked()).toBe(true);
});

test('the shortest TTL of all records counts', async () => {
  const reply: Reply = (type) => ({ addresses: ['192.0.2.1', '2606:4700::1'], ttl: type === 'A' ? 60 : 0 });
  const { dns, resolver } = await resolverAt(reply);
  await resolver.resolve(name);
  await resolver.resolve(name);
  expect(dns.questions).toHaveLength(4);
});

test('a name that moves is found at its new address', async () => {
  let address = '192.0.2.1';
  const { resolver } = await resolverAt(() => ({ addresses: [address], ttl: 0 }));
  expect(await resolver.resolve(name)).toEqual(addresses('192.0.2.1'));
  address = '127.0.0.1';
  expect(await resolver.resolve(name)).toEqual(addresses('127.0.0.1'));
});

test('one kind of address is enough when the other is never answered or fails', async () => {
  for (const trouble of ['silence', 'SERVFAIL'] as const) {
    const reply: Reply = (type) => (type === 'A' ? { addresses: ['192.0.2.1'] } : trouble);
    const { resolver } = await resolverAt(reply, { timeoutMs: 30_000 });
    expect(await resolver.resolve(name)).toEqual(addresses('192.0.2.1'));
  }
});

const rootAnswers: Reply = () => 'NXDOMAIN';

/** Answers `reply` for the name, and something for the root. */
const forName =
  (reply: Reply, root: Reply = rootAnswers): Reply =>
  (type, asked) =>
    type === 'NS' ? root(type, asked) : reply(type, asked);

test.each<[string, DnsReply, string]>([
  ['does not exist', 'NXDOMAIN', 'does not exist'],
  ['has no address', { addresses: [] }, 'has no address'],
  ['has servers that fail', 'SERVFAIL', 'has name servers that fail (ESERVFAIL)'],
  ['is refused', 'REFUSED', 'has name servers that fail (EREFUSED)'],
  ['has servers that never answer', 'silence', 'has name servers that fail (ETIMEOUT)'],
])('a name that %s is the name’s fault', async (_, reply, reason) => {
  const { resolver } = await resolverAt(
    forName(() => reply),
    { timeoutMs: reply === 'silence' ? 3000 : 30_000 },
  );
  const serversFail = reason.includes('fail') ? true : undefined;
  expect(await resolver.resolve(name)).toEqual({ kind: 'none', reason, serversFail });
});

test('a text that cannot be looked up does not exist', async () => {
  const { dns, resolver } = await resolverAt(rootAnswers);
  expect(await resolver.resolve(`${'a'.repeat(64)}.com`)).toEqual({ kind: 'none', reason: 'does not exist' });
  expect(dns.questions).toEqual([]);
});

test.each<[string, DnsReply, DnsReply, string]>([
  ['never answers', 'silence', 'silence', 'ETIMEOUT'],
  ['reaches nobody', 'SERVFAIL', 'SERVFAIL', 'ESERVFAIL'],
])('a resolver that %s, for this name and for the root, is our fault', async (_, reply, root, code) => {
  const { resolver } = await resolverAt(
    forName(
      () => reply,
      () => root,
    ),
    { timeoutMs: reply === 'silence' ? 400 : 30_000 },
  );
  expect(await resolver.resolve(name)).toEqual({ kind: 'our_fault', reason: `DNS does not answer (${code})` });
});

test('no resolver at all is our fault, until there is one again', async () => {
  const gone = await startDnsServer(rootAnswers, Number(await freePort()));
  await gone.close();
  const resolver = createHostResolver({ servers: [gone.address] });
  const reason = 'DNS does not answer (ECONNREFUSED)';
  expect(await resolver.resolve(name)).toEqual({ kind: 'our_fault', reason });

  const dns = await startDnsServer(() => ({ addresses: ['192.0.2.1'] }), Number(gone.address.split(':')[1]));
  onTestFinished(() => dns.close());
  expect(await resolver.resolve(name)).toEqual(addresses('192.0.2.1'));
});

test.each<DnsReply>(['NXDOMAIN', 'REFUSED', 'NOTIMP', 'FORMERR', { addresses: [] }])(
  'whatever a living resolver says of the root (%j), it lives',
  async (root) => {
    const { resolver } = await resolverAt(
      forName(
        () => 'SERVFAIL',
        () => root,
      ),
    );
    expect(await resolver.resolve(name)).toMatchObject({ kind: 'none' });
  },
);

test('a resolver that fails for the root but knows a top-level domain lives: the name is at fault', async () => {
  const { resolver } = await resolverAt(
    forName(
      () => 'SERVFAIL',
      (_, asked) => (asked === 'org' ? 'NXDOMAIN' : 'SERVFAIL'),
    ),
  );
  const reason = 'has name servers that fail (ESERVFAIL)';
  expect(await resolver.resolve(name)).toEqual({ kind: 'none', reason, serversFail: true });
});

test('whether DNS lives is asked before a slow name has used up its time', async () => {
  const rootAsked = Promise.withResolvers<void>();
  const { resolver } = await resolverAt(async (type) => {
    if (type === 'NS') rootAsked.resolve();
    else await rootAsked.promise;
    return { addresses: ['192.0.2.1'] };
  });
  expect(await resolver.resolve(name)).toEqual(addresses('192.0.2.1'));
});

test('many names that fail at once ask about the root once', async () => {
  const { dns, resolver } = await resolverAt(forName(() => 'SERVFAIL'));
  await Promise.all(Array.from({ length: 20 }, (_, index) => resolver.resolve(`h${index}.example.com`)));
  expect(dns.questions.filter((question) => question === 'NS .')).toHaveLength(1);
});

test('a name with a slow server delays no other', async () => {
  const released = Promise.withResolvers<void>();
  const { resolver } = await resolverAt(async (_, asked) => {
    if (asked !== name) await released.promise;
    return { addresses: ['192.0.2.1'] };
  });
  const slow = Array.from({ length: 20 }, (_, index) => resolver.resolve(`slow${index}.example.com`));
  expect(await resolver.resolve(name)).toEqual(addresses('192.0.2.1'));
  released.resolve();
  for (const lookup of await Promise.all(slow)) expect(lookup).toEqual(addresses('192.0.2.1'));
});
