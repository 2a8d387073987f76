import { isIP } from 'node:net';

interface Range {
  /** Leading bytes of the range's addresses, four or sixteen bytes long. */
  prefix: readonly number[];
  bits: number;
  name: string;
}

/**
 * Addresses that users may not make the service call: IANA's special-purpose registries of IPv4 and IPv6, and cloud
 * metadata addresses. They are parsed here, because `net.BlockList` misses several IPv6 forms of IPv4 addresses.
 */
const ranges4 = table({
  '0.0.0.0/8': 'this network',
  '10.0.0.0/8': 'private',
  '100.64.0.0/10': 'shared by a carrier',
  '127.0.0.0/8': 'loopback',
  '168.63.129.16/32': 'cloud metadata',
  '169.254.0.0/16': 'link-local',
  '172.16.0.0/12': 'private',
  '192.0.0.0/24': 'reserved for protocols',
  '192.0.2.0/24': 'documentation',
  '192.88.99.0/24': '6to4 relay',
  '192.168.0.0/16': 'private',
  '198.18.0.0/15': 'benchmarking',
  '198.51.100.0/24': 'documentation',
  '203.0.113.0/24': 'documentation',
  '224.0.0.0/4': 'multicast',
  '240.0.0.0/4': 'reserved',
});

/** The first matching range names an address. Everything outside 2000::/3 is not public. */
const ranges6 = table({
  '::1/128': 'loopback',
  '::/96': 'an IPv4 address inside IPv6',
  '::ffff:0:0/96': 'an IPv4 address inside IPv6',
  '::ffff:0:0:0/96': 'an IPv4 address inside IPv6',
  '64:ff9b::/96': 'an IPv4 address inside IPv6',
  '64:ff9b:1::/48': 'an IPv4 address inside IPv6',
  '100::/64': 'discarded',
  '100:0:0:1::/64': 'discarded',
  '2001::/32': 'a Teredo tunnel',
  '2001::/23': 'reserved for protocols',
  '2001:db8::/32': 'documentation',
  '2002::/16': 'an IPv4 address inside IPv6',
  '3fff::/20': 'documentation',
  '5f00::/16': 'segment routing',
  'fc00::/7': 'private',
  'fe80::/10': 'link-local',
  'fec0::/10': 'site-local',
  'ff00::/8': 'multicast',
  '::/3': 'reserved',
  '4000::/2': 'reserved',
  '8000::/1': 'reserved',
});

/**
 * Returns the kind of range of a non-public address for a message, such as `private`. Null for a public address. An
 * address with a zone (`fe80::1%eth0`) is bound to a local interface and not public.
 */
export function nonPublicRange(address: string): string | null {
  const version = isIP(address);
  if (version === 0) return 'not an address';
  if (address.includes('%')) return 'tied to an interface';
  const bytes = version === 4 ? bytes4(address) : bytes6(address);
  const ranges = version === 4 ? ranges4 : ranges6;
  return ranges.find((range) => startsWith(bytes, range))?.name ?? null;
}

function table(facts: Record<string, string>): Range[] {
  return Object.entries(facts).map(([cidr, name]) => {
    const [address = '', bits] = cidr.split('/');
    return { prefix: isIP(address) === 4 ? bytes4(address) : bytes6(address), bits: Number(bits), name };
  });
}

function startsWith(bytes: readonly number[], { prefix, bits }: Range): boolean {
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (bytes[i] !== prefix[i]) return false;
  const spare = 8 - (bits & 7);
  return spare === 8 || (bytes[whole] ?? 0) >> spare === (prefix[whole] ?? 0) >> spare;
}

function bytes4(address: string): number[] {
  return address.split('.').map(Number);
}

function bytes6(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = bytesOfGroups(head);
  const after = bytesOfGroups(tail ?? '');
  return [...before, ...new Array<number>(16 - before.length - after.length).fill(0), ...after];
}

/** Parses `64:ff9b` or, at the end of an address, `ffff:127.0.0.1`. */
function bytesOfGroups(groups: string): number[] {
  if (groups === '') return [];
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return bytes4(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
