import { isIPv6 } from 'node:net';

/** Returns the address that is counted. One IPv6 customer has a /64, so the whole /64 counts as one address. */
export function countedAddress(ip: string): string {
  if (!isIPv6(ip) || ip.toLowerCase().startsWith('::ffff:')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (ip.includes('::')) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
  }
  return groups.slice(0, 4).join(':');
}
