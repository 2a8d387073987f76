import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nonPublicRange } from './address-rules.ts';

/** Range by range: the last address before it and the first after it when those are public, and its own two ends. */
const edges: Array<{ range: string; inside: string[]; outside: string[] }> = [
  { range: '0.0.0.0/8', inside: ['0.0.0.0', '0.255.255.255'], outside: ['1.0.0.0'] },
  { range: '10.0.0.0/8', inside: ['10.0.0.0', '10.255.255.255'], outside: ['9.255.255.255', '11.0.0.0'] },
  { range: '100.64.0.0/10', inside: ['100.64.0.0', '100.127.255.255'], outside: ['100.63.255.255', '100.128.0.0'] },
  { range: '127.0.0.0/8', inside: ['127.0.0.0', '127.255.255.255'], outside: ['126.255.255.255', '128.0.0.0'] },
  { range: '168.63.129.16/32', inside: ['168.63.129.16'], outside: ['168.63.129.15', '168.63.129.17'] },
  { range: '169.254.0.0/16', inside: ['169.254.0.0', '169.254.255.255'], outside: ['169.253.255.255', '169.255.0.0'] },
  { range: '172.16.0.0/12', inside: ['172.16.0.0', '172.31.255.255'], outside: ['172.15.255.255', '172.32.0.0'] },
  { range: '192.0.0.0/24', inside: ['192.0.0.0', '192.0.0.255'], outside: ['191.255.255.255', '192.0.1.0'] },
  { range: '192.0.2.0/24', inside: ['192.0.2.0', '192.0.2.255'], outside: ['192.0.1.255', '192.0.3.0'] },
  { range: '192.88.99.0/24', inside: ['192.88.99.0', '192.88.99.255'], outside: ['192.88.98.255', '192.88.100.0'] },
  { range: '192.168.0.0/16', inside: ['192.168.0.0', '192.168.255.255'], outside: ['192.167.255.255', '192.169.0.0'] },
  { range: '198.18.0.0/15', inside: ['198.18.0.0', '198.19.255.255'], outside: ['198.17.255.255', '198.20.0.0'] },
  { range: '198.51.100.0/24', inside: ['198.51.100.0', '198.51.100.255'], outside: ['198.51.99.255', '198.51.101.0'] },
  { range: '203.0.113.0/24', inside: ['203.0.113.0', '203.0.113.255'], outside: ['203.0.112.255', '203.0.114.0'] },
  {
    range: '224.0.0.0/3',
    inside: ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'],
    outside: ['223.255.255.255'],
  },
  {
    range: '2001::/23',
    inside: ['2001::', '2001:0:ffff::1', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    outside: ['2000:ffff::', '2001:200::'],
  },
  {
    range: '2001:db8::/32',
    inside: ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    outside: ['2001:db7:ffff::', '2001:db9::'],
  },
  {
    range: '2002::/16',
    inside: ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    outside: ['2001:ffff::', '2003::'],
  },
  {
    range: '3fff::/20',
    inside: ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    outside: ['3ffe:ffff::', '3fff:1000::'],
  },
  {
    range: 'all but 2000::/3',
    inside: [
      ...['::', '::1', '::7f00:1', '::127.0.0.1', '::8.8.8.8', '::ffff:8.8.8.8', '::ffff:808:808', '::ffff:0:8.8.8.8'],
      ...['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1', '100:0:0:1::1', '1fff:ffff::', '4000::'],
      ...['5f00::1', 'fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fe80::1', 'fec0::1', 'ff02::1', 'ffff::'],
    ],
    outside: ['2000::', '2606:4700:4700::1111', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  },
];

test.each(edges)(
  '$range is refused from its first address to its last, and nothing outside it',
  ({ inside, outside }) => {
    expect(inside.filter((address) => nonPublicRange(address) === null)).toEqual([]);
    expect(outside.filter((address) => nonPublicRange(address) !== null)).toEqual([]);
  },
);

test('the clouds’ metadata addresses are not public', () => {
  const metadata = ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192'];
  for (const address of [...metadata, 'fd00:ec2::254', 'fd20:ce::254', 'fe80::a9fe:a9fe']) {
    expect([address, nonPublicRange(address)]).not.toContain(null);
  }
});

test('an address with a zone, and what is no address, is not public', () => {
  for (const text of ['fe80::1%eth0', '2606:4700::1%eth0', '::1%lo', '', 'example.com', '1.2.3', '[2606:4700::1]']) {
    expect([text, nonPublicRange(text)]).not.toContain(null);
  }
});

test('names the kind of range', () => {
  expect(nonPublicRange('10.1.2.3')).toBe('private');
  expect(nonPublicRange('::1')).toBe('loopback');
  expect(nonPublicRange('::ffff:127.0.0.1')).toBe('an IPv4 address inside IPv6');
  expect(nonPublicRange('fe80::1')).toBe('link-local');
});

test('all notations of an IPv6 address give the same result', () => {
  const heads = [0, 0x64, 0x100, 0x2001, 0x2002, 0x2606, 0x3fff, 0xfc00, 0xfe80];
  const group = fc.oneof(
    fc.constant(0),
    fc.constantFrom(...heads, 0xdb8, 0xff9b, 0xffff),
    fc.integer({ min: 0, max: 0xffff }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.array(group, { minLength: 7, maxLength: 7 }), (head, rest) => {
      const groups = [head, ...rest];
      const long = groups.map((value) => value.toString(16).padStart(4, '0')).join(':');
      const short = new URL(`http://[${long}]`).hostname.slice(1, -1);
      const [g7 = 0, g8 = 0] = groups.slice(6);
      const tail = [g7 >> 8, g7 & 255, g8 >> 8, g8 & 255].join('.');
      const dotted = `${groups
        .slice(0, 6)
        .map((value) => value.toString(16))
        .join(':')}:${tail}`;
      const verdict = nonPublicRange(long);
      for (const spelling of [short, long.toUpperCase(), dotted]) expect(nonPublicRange(spelling)).toBe(verdict);
    }),
    { numRuns: 1000 },
  );
});
