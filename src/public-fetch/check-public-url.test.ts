import { expect, test } from 'vitest';
import { checkPublicUrl } from './check-public-url.ts';

const publicOnly = { allowPrivate: false };

test.each([
  ['https://hooks.example.com/a?b=c', 'https://hooks.example.com/a?b=c'],
  ['HTTPS://Hooks.Example.COM', 'https://hooks.example.com/'],
  ['https://hooks.example.com./x', 'https://hooks.example.com/x'],
  ['https://hooks.example.com:8443/#part', 'https://hooks.example.com:8443/'],
  ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ['https://my_host.example.com/', 'https://my_host.example.com/'],
  ['https://example.com/@user', 'https://example.com/@user'],
])('%s may be called, as %s', (text, canonical) => {
  const checked = checkPublicUrl(text, publicOnly);
  expect('url' in checked && checked.url.href).toBe(canonical);
});

const refusals: Record<string, string[]> = {
  'must start with https://': ['http://hooks.example.com/', 'HTTP://hooks.example.com'],
  'must be an absolute https address': [
    ...['', 'hooks.example.com', '//hooks.example.com', 'https:hooks.example.com', 'https:///hooks.example.com'],
    ...[
      'https://',
      'ftp://example.com',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:,x',
      'https://?x',
      'https://#x',
    ],
    ...['https://[::1', 'https://[fe80::1%25eth0]/', 'https://example.com:99999/', 'https://exa%00mple.com/'],
  ],
  'must not contain a user name or password': [
    ...[
      'https://user@example.com',
      'https://user:word@example.com/',
      'https://:word@example.com/',
      'https://@example.com/',
    ],
    ...['https://example.com@127.0.0.1/', 'https://8.8.8.8%40@10.0.0.1/'],
  ],
  'must not contain white space, invisible characters or \\': [
    ...[' https://example.com', 'https://example.com\n', 'https://exam\tple.com/', 'https://example.com/\0'],
    ...[
      'https://example.com\\@127.0.0.1/',
      'https:\\\\example.com',
      'https://exam\u00adple.com',
      'https://exam\u200bple.com',
    ],
    ...[
      'https://example.com/\u202egpj',
      'https://example.com/\ud800',
      'https://a b.example/',
      'https://example\u3000.com',
    ],
  ],
  'must not have port 0': ['https://example.com:0/', 'https://example.com:00000/'],
  'must have a valid host name': [
    ...['https://example..com/', 'https://.example.com/', `https://${'a'.repeat(64)}.com/`, 'https://example.com../'],
    ...[`https://${'a.'.repeat(127)}com/`, 'https://exa*mple.com/', 'https://$(id).example.com/', 'https://./'],
  ],
  'must have at most 2048 characters': [
    `https://example.com/${'a'.repeat(2029)}`,
    `https://example.com/${'é'.repeat(400)}`, // six characters each in its canonical form
  ],
};

test.each(Object.entries(refusals))('a URL %s', (reason, texts) => {
  for (const text of texts) expect([text, checkPublicUrl(text, publicOnly)]).toEqual([text, { refused: reason }]);
});

test('2048 characters are allowed', () => {
  const longest = `https://example.com/${'a'.repeat(2028)}`;
  expect(longest).toHaveLength(2048);
  expect(checkPublicUrl(longest, publicOnly)).toHaveProperty('url');
});

test.each([
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
    'metadata',
    'instance-data',
  ],
  ...['metadata.google.internal', 'metadata.google.internal.', 'metadata。google。internal', 'x.local', 'x.home.arpa'],
  ...['intranet', 'wiki.corp', 'router.lan', 'db.localdomain', 'com'],
])('the name %s is of a private network', (host) => {
  const refused = 'must have a public host: this name is of a private network';
  expect(checkPublicUrl(`https://${host}/`, publicOnly)).toEqual({ refused });
});

test.each([
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '127.0x0.0.1',
  ],
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    '127%2e0%2e0%2e1',
    '%31%32%37.0.0.1',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    '0x0',
    '00',
  ],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
  ...['[2002:7f00:1::]', '[::]', '[fe80::1]', '[FD00:EC2::254]', '169.254.169.254', '0xa9fea9fe', '2852039166', '10.1'],
  ...['192.168.257', '3232235521', '100.100.100.200', '255.255.255.255', '0300.0250.0.1', '[::ffff:0:127.0.0.1]'],
])('the address %s is not public', (host) => {
  expect(checkPublicUrl(`https://${host}/`, publicOnly)).toMatchObject({
    refused: expect.stringMatching(/^must have a public host: this address is not \(.+\)$/),
  });
});

test('where private addresses are allowed, http and every host is, but no user name', () => {
  for (const text of ['http://localhost:3000/x', 'http://127.0.0.1/', 'https://[::1]:8443/', 'http://receiver/hook']) {
    expect(checkPublicUrl(text, { allowPrivate: true })).toHaveProperty('url');
  }
  expect(checkPublicUrl('http://user@localhost/', { allowPrivate: true })).toHaveProperty('refused');
  expect(checkPublicUrl('ftp://localhost/', { allowPrivate: true })).toHaveProperty('refused');
});
