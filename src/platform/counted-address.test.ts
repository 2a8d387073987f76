import { expect, test } from 'vitest';
import { countedAddress } from './counted-address.ts';

test('an IPv6 network of /64 counts as one address, and IPv4 addresses count each', () => {
  const one = countedAddress('2001:db8:1:2::1');
  for (const same of ['2001:db8:1:2::ffff', '2001:db8:1:2:3:4:5:6']) expect(countedAddress(same)).toBe(one);
  for (const other of ['2001:db8:1:3::1', '2001:db8::1']) expect(countedAddress(other)).not.toBe(one);
  expect(countedAddress('::1')).toBe(countedAddress('::2'));
  for (const each of ['192.0.2.1', '::ffff:192.0.2.1', 'x']) expect(countedAddress(each)).toBe(each);
});
