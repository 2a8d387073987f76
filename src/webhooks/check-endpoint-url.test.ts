import { expect, onTestFinished, test } from 'vitest';
import { type DnsReply, startDnsServer } from '../../test/support/dns-server.ts';
import { Refusal } from '../errors.ts';
import { createHostResolver } from '../public-fetch/public-fetch.ts';
import { checkEndpointUrl } from './check-endpoint-url.ts';

async function check(url: string, reply: DnsReply, allowPrivate = false) {
  const server = await startDnsServer((type) => (type === 'NS' && reply !== 'silence' ? { addresses: [] } : reply));
  onTestFinished(() => server.close());
  const resolver = createHostResolver({ servers: [server.address], timeoutMs: reply === 'silence' ? 400 : 30_000 });
  const outcome = await checkEndpointUrl(url, { allowPrivate, resolver }).catch((error: unknown) => error);
  return { outcome, questions: server.questions };
}

test('a name that leads to public addresses is accepted, in its canonical form', async () => {
  const { outcome } = await check('https://HOOKS.example.com:443/a%20b', {
    addresses: ['93.184.216.34', '2606:2800:220:1::1'],
  });
  expect(outcome).toEqual({ url: 'https://hooks.example.com/a%20b', concern: null });
});

test.each([
  ['loopback', ['127.0.0.1']],
  ['the metadata service', ['169.254.169.254']],
  ['a public and a private address', ['93.184.216.34', '10.0.0.7']],
  ['a private IPv6 address', ['fd00::1']],
  ['a mapped loopback address', ['::ffff:127.0.0.1']],
])('a name that leads to %s is refused, without telling the address', async (_, addresses) => {
  const { outcome } = await check('https://hooks.example.com/', { addresses });
  expect(outcome).toBeInstanceOf(Refusal);
  expect((outcome as Refusal).message).toBe(
    'the URL must have a public host: the name hooks.example.com leads to an address that is not public',
  );
});

test.each<[string, DnsReply, string, RegExp]>([
  [
    'does not exist yet',
    'NXDOMAIN',
    'no_address',
    /^the name hooks\.example\.com does not exist: deliveries fail until/,
  ],
  [
    'has no address',
    { addresses: [] },
    'no_address',
    /^the name hooks\.example\.com has no address: deliveries fail until/,
  ],
  ['has name servers that fail', 'SERVFAIL', 'no_address', /^the name hooks\.example\.com has name servers that fail/],
  [
    'cannot be looked up from here',
    'silence',
    'not_checked',
    /^the name hooks\.example\.com could not be checked now .*each delivery/,
  ],
])('a name that %s is accepted with a remark', async (_, reply, code, text) => {
  const { outcome } = await check('https://hooks.example.com/', reply);
  expect(outcome).toEqual({
    url: 'https://hooks.example.com/',
    concern: { code, host: 'hooks.example.com', text: expect.stringMatching(text) },
  });
});

test('an address needs no name server, nor does anything where private ones are allowed', async () => {
  const address = await check('https://93.184.216.34/', { addresses: [] });
  expect(address).toEqual({ outcome: { url: 'https://93.184.216.34/', concern: null }, questions: [] });
  const allowed = await check('http://localhost:8080/hook', { addresses: [] }, true);
  expect(allowed).toEqual({ outcome: { url: 'http://localhost:8080/hook', concern: null }, questions: [] });
});

test('what its text rules out is refused before anybody is asked', async () => {
  const { outcome, questions } = await check('http://hooks.example.com/', { addresses: ['93.184.216.34'] });
  expect((outcome as Refusal).message).toBe('the URL must start with https://');
  expect(questions).toEqual([]);
});

test.each([
  ['plain http', 'http://93.184.216.34/hook', 'must start with https://'],
  ['another scheme', 'ftp://93.184.216.34/hook', 'must be an absolute https address'],
  ['no scheme', 'hooks.example.com', 'must be an absolute https address'],
  ['nothing', '', 'must be an absolute https address'],
  ['a password', 'https://user:secret@93.184.216.34/', 'must not contain a user name or password'],
  ['loopback', 'https://127.0.0.1/hook', 'must have a public host'],
  ['loopback in another spelling', 'https://0x7f.1/hook', 'must have a public host'],
  ['localhost', 'https://localhost/hook', 'must have a public host'],
  ['a private network', 'https://10.1.2.3/hook', 'must have a public host'],
  ['IPv6 loopback', 'https://[::1]/hook', 'must have a public host'],
  ['a mapped private address', 'https://[::ffff:192.168.0.1]/hook', 'must have a public host'],
  ['the metadata service', 'https://169.254.169.254/latest/meta-data', 'must have a public host'],
  ['a name of the metadata service', 'https://metadata.google.internal/', 'must have a public host'],
  ['white space', 'https://93.184.216.34/a b', 'must not contain white space'],
  ['too much', `https://93.184.216.34/${'a'.repeat(2048)}`, 'must have at most 2048 characters'],
])('%s is no address for an endpoint', async (_, address, reason) => {
  const { outcome } = await check(address, { addresses: ['93.184.216.34'] });
  expect((outcome as Refusal).message).toContain(`the URL ${reason}`);
});
