import { isIPv6 } from 'node:net';
import { expect, test } from 'vitest';
import { nonPublicRange } from './address-rules.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { createHostResolver, createPublicFetch, PublicFetchError } from './public-fetch.ts';

// What the rules must say of single addresses, in many spellings. The ends of each range are in address-rules.test.ts.

const nonPublic4 = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.254'],
  ...['127.0.0.1', '127.255.255.254', '168.63.129.16', '169.254.0.1', '169.254.169.254', '169.254.170.2'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.8', '192.0.0.170', '192.0.0.192', '192.0.2.1'],
  ...['192.88.99.1', '192.88.99.2', '192.168.0.1', '192.168.255.255', '198.18.0.1', '198.19.255.254'],
  ...['198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.250', '240.0.0.1', '254.1.1.1', '255.255.255.255'],
];

const nonPublic6 = [
  ...['::', '0:0:0:0:0:0:0:0', '::1', '0000:0000:0000:0000:0000:0000:0000:0001', '0:0::1', '::0.0.0.1'],
  ...['::7f00:1', '::127.0.0.1', '::0:7f00:0001', '::a00:1', '::8.8.8.8', '::808:808', '::ffff', '::1:0:0'],
  ...['::ffff:127.0.0.1', '::FFFF:7F00:1', '0:0:0:0:0:ffff:7f00:1', '::ffff:169.254.169.254', '::ffff:8.8.8.8'],
  ...['::ffff:0:127.0.0.1', '::ffff:0:808:808', '64:ff9b::7f00:1', '64:FF9B::127.0.0.1', '0064:ff9b:0:0::a9fe:a9fe'],
  ...['64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::10.0.0.1', '100::1', '100:0:0:1::1', '200::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:1::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1'],
  ...['2001:db8::1', '2001:DB8:ffff::', '2002:7f00:1::', '2002:7f00:0001::1', '2002:a00:1::', '2002:808:808::1'],
  ...['3fff::1', '3fff:fff:ffff::1', '4000::1', '5f00::1', '6000::1', '8000::1', 'a000::1', 'c000::1', 'e000::1'],
  ...['fc00::1', 'fd00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fe00::1', 'fe80::1'],
  ...['fe80::a9fe:a9fe', 'febf::1', 'fec0::1', 'feff::1', 'ff00::1', 'ff02::1', 'ff0e::1', '1fff:ffff::1'],
  ...['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

const public4 = [
  ...['1.1.1.1', '8.8.8.8', '9.9.9.9', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.255.255.255', '128.0.0.1'],
  ...['168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.1', '172.15.255.255', '172.32.0.1'],
  ...['192.0.1.1', '192.0.3.1', '192.88.98.1', '192.88.100.1', '192.167.255.255', '192.169.0.1', '198.17.255.255'],
  ...['198.20.0.1', '198.51.99.1', '198.51.101.1', '203.0.112.1', '203.0.114.1', '223.255.255.255'],
];

const public6 = [
  ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2001:4860:4860:0:0:0:0:8844', '2001:db7::1', '2001:db9::1'],
  ...['2003::1', '2400:cb00::1', '2606:4700:4700::1111', '2606:4700:4700::1.1.1.1', '2620:FE::FE', '2a00:1450::1'],
  ...['2a01:4f8::7f00:1', '3ffe::1', '3fff:1000::1', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

const urlOf = (address: string) => `https://${isIPv6(address) ? `[${address}]` : address}/`;

test('the table is large enough', () => {
  expect(new Set([...nonPublic4, ...nonPublic6]).size).toBeGreaterThanOrEqual(54);
});

test.each([...nonPublic4, ...nonPublic6])('%s is not public, and no URL with it is called', async (address) => {
  expect(nonPublicRange(address)).not.toBeNull();
  const client = createPublicFetch({ resolver: createHostResolver() });
  const call = client.fetch({ method: 'GET', url: urlOf(address) }, { timeoutMs: 1000 });
  const failure = await call.catch((error: unknown) => error);
  client.close();
  expect(failure).toBeInstanceOf(PublicFetchError);
  expect(['refused_url', 'not_public']).toContain((failure as PublicFetchError).kind);
});

test.each([...public4, ...public6])('%s is public', (address) => {
  expect(nonPublicRange(address)).toBeNull();
  expect(checkPublicUrl(urlOf(address), { allowPrivate: false })).toHaveProperty('url');
});
