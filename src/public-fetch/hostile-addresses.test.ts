import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type DnsReply, startDnsServer } from '../../test/support/dns-server.ts';
import { createHostResolver, createPublicFetch, type FailureKind, PublicFetchError } from './public-fetch.ts';

/** Listens on every address of this machine, IPv4 and IPv6, and counts who comes. */
async function startCanary() {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.on('error', () => {}).destroy();
  });
  server.listen(0, '::');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, visits: () => visits };
}

async function startPublicFetch(reply: (type: string, name: string) => DnsReply, allowPrivate = false) {
  const dns = await startDnsServer(reply);
  const client = createPublicFetch({ resolver: createHostResolver({ servers: [dns.address] }), allowPrivate });
  onTestFinished(async () => {
    client.close();
    await dns.close();
  });
  const kindOf = async (url: string, timeoutMs = 10_000): Promise<FailureKind | 'answered'> => {
    try {
      await client.fetch({ method: 'GET', url }, { timeoutMs });
      return 'answered';
    } catch (error) {
      if (!(error instanceof PublicFetchError)) throw error;
      return error.kind;
    }
  };
  return { dns, kindOf };
}

/** A host as it may stand in a URL. */
const hostileHosts = [
  // IPv4 loopback and this host, in every notation that a parser knows
  ...[
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
  ],
  ...[
    '0177.0.0.1',
    '0177.1',
    '017700000001',
    '00000177.0.0.1',
    '127.0x0.0.01',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '0x0',
    '00',
  ],
  ...[
    '0.0.0.1',
    '4294967295',
    '127%2e0%2e0%2e1',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
  ],
  ...[
    '①②⑦.0.0.1',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '127.0.0.1%00',
    '127.0.0.1%20',
    '127.0.0.1\t',
    '127.0.0.1\\@example.com',
    '127.0.0.1#@example.com',
  ],
  ...['example.com@127.0.0.1', 'example.com:80@127.0.0.1', '@127.0.0.1', '127.0.0.1?@example.com', '127.0.0.1:80:80'],
  // IPv6 loopback, and IPv4 inside IPv6
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::]',
    '[::0.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
  ],
  ...[
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
  ],
  ...[
    '[2002:7f00:1::]',
    '[2002:7f00:1::1]',
    '[2001:0:7f00:1::]',
    '[::1%25lo]',
    '[::1%lo]',
    '[fe80::1%25eth0]',
    '[fe80::1]',
    '[fec0::1]',
  ],
  // names of this machine and of what is around it
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'a.localhost',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
    'loc\u00adalhost',
    'local\u200bhost',
  ],
  ...[
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'localhost。',
    'printer.local',
    'db.internal',
    'nas.home.arpa',
    'router.lan',
    'intranet',
    'metadata',
  ],
  ...['metadata.google.internal', 'metadata.google.internal.', 'METADATA.GOOGLE.INTERNAL', 'instance-data'],
  // clouds
  ...[
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
  ],
  ...['[fd20:ce::254]', '100.100.100.200', '168.63.129.16', '192.0.0.192', '169.254.170.2'],
  // private and special
  ...[
    '10.0.0.1',
    '10.1',
    '0x0a000001',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.257',
    '3232235521',
    '100.64.0.1',
  ],
  ...[
    '198.18.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
    '[5f00::1]',
    '[2001::1]',
    '[4000::1]',
  ],
];

/** What DNS may say of a name that looks like any other. */
const hostileAddresses = [
  ...[
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '192.0.0.192',
  ],
  ...[
    '168.63.129.16',
    '100.100.100.200',
    '198.18.0.1',
    '192.0.2.2',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '::1',
    '::',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
  ],
  ...[
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '5f00::1',
    'fc00::1',
    'fd00::2',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ],
];

test(`none of ${hostileHosts.length} hostile hosts in a URL is called`, async () => {
  const canary = await startCanary();
  const { dns, kindOf } = await startPublicFetch(() => ({ addresses: ['127.0.0.1', '::1'] }));
  for (const host of hostileHosts) {
    for (const url of [`https://${host}:${canary.port}/`, `http://${host}:${canary.port}/`, `https://${host}/`]) {
      expect([url, await kindOf(url)]).toEqual([url, 'refused_url']);
    }
  }
  expect(canary.visits()).toBe(0);
  expect(dns.questions).toEqual([]);
});

test(`a name that leads to any of ${hostileAddresses.length} hostile addresses is not called`, async () => {
  const canary = await startCanary();
  const { kindOf } = await startPublicFetch((_, name) => ({
    addresses: [hostileAddresses[Number(/\d+/.exec(name)?.[0])] ?? ''],
    ttl: 0,
  }));
  for (const [index, address] of hostileAddresses.entries()) {
    expect([address, await kindOf(`https://hooks${index}.example.com:${canary.port}/`)]).toEqual([
      address,
      'not_public',
    ]);
  }
  expect(canary.visits()).toBe(0);
});

test('one bad address among good ones refuses them all, whatever kind it is of and wherever it stands', async () => {
  const canary = await startCanary();
  const many = Array.from({ length: 31 }, (_, index) => `8.8.8.${index}`);
  const mixtures = [
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['8.8.8.8', '::1'],
    ['2606:4700::1', '127.0.0.1'],
    ['2606:4700::1', '::ffff:127.0.0.1'],
    [...many, '10.0.0.1'],
  ];
  for (const addresses of mixtures) {
    const { kindOf } = await startPublicFetch(() => ({ addresses }));
    expect([addresses, await kindOf(`https://hooks.example.com:${canary.port}/`)]).toEqual([addresses, 'not_public']);
  }
  expect(canary.visits()).toBe(0);
});

test('a chain of names that ends at a private address is not called', async () => {
  const canary = await startCanary();
  const { kindOf } = await startPublicFetch(() => ({ addresses: ['127.0.0.1'], cname: 'edge.example.net' }));
  expect(await kindOf(`https://hooks.example.com:${canary.port}/`)).toBe('not_public');
  expect(canary.visits()).toBe(0);
});

// Of a block that IANA has given to nobody (2d00::/8): public by the rules, and led to nowhere.
const nowhere = '2d00::1';

test('a name that turns to loopback after the check leads nowhere: it is asked for once', async () => {
  const canary = await startCanary();
  let asked = 0;
  const { dns, kindOf } = await startPublicFetch((type) => {
    if (type !== 'AAAA') return { addresses: [] };
    asked += 1;
    return { addresses: [asked === 1 ? nowhere : '::1'], ttl: 0 };
  });
  const url = `https://hooks.example.com:${canary.port}/`;
  expect(['connection', 'timeout']).toContain(await kindOf(url, 500));
  expect(dns.questions.sort()).toEqual(['A hooks.example.com', 'AAAA hooks.example.com']);
  expect(await kindOf(url)).toBe('not_public');
  expect(canary.visits()).toBe(0);
});

test('a refusal does not reveal the address of an internal name', async () => {
  const { dns } = await startPublicFetch(() => ({ addresses: ['10.1.2.3'] }));
  const client = createPublicFetch({ resolver: createHostResolver({ servers: [dns.address] }) });
  const call = client.fetch({ method: 'GET', url: 'https://inner.example.com/path?token=1' }, { timeoutMs: 10_000 });
  await expect(call).rejects.toMatchObject({
    kind: 'not_public',
    message: 'the name inner.example.com leads to an address that is not public',
    detail: '10.1.2.3: private',
  });
});

test('the canary notices calls', async () => {
  const canary = await startCanary();
  const { kindOf } = await startPublicFetch(() => ({ addresses: ['127.0.0.1'] }), true);
  for (const host of ['127.0.0.1', '[::1]', 'localhost', 'hooks.example.com']) {
    expect(await kindOf(`http://${host}:${canary.port}/`)).toBe('connection');
  }
  expect(canary.visits()).toBe(4);
});
