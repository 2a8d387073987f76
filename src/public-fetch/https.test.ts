import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { createAuthority } from '../../test/support/https-authority.ts';
import { tlsFaultOf } from './connect.ts';
import { createHostResolver, createPublicFetch, PublicFetchError, readAtMost } from './public-fetch.ts';
import { respond, startReceiver } from './testing/receiver.ts';

const authority = createAuthority();
const name = 'hooks.example.com';
const timeoutMs = 30_000;
const yearMs = 365 * 86_400_000;

beforeAll(() => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, authority.caPem]);
  return () => setDefaultCACertificates(before);
});

/** Its name leads to loopback, so private addresses are allowed here. */
async function publicFetch() {
  const dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }));
  const client = createPublicFetch({ resolver: createHostResolver({ servers: [dns.address] }), allowPrivate: true });
  onTestFinished(async () => {
    client.close();
    await dns.close();
  });
  return client;
}

test('a name is asked for by its name, and the connection is kept', async () => {
  const receiver = await startReceiver((socket) => respond(socket), {
    tls: { ...authority.issue([name]), ALPNProtocols: ['h2', 'http/1.1'] },
  });
  const client = await publicFetch();
  for (let i = 0; i < 3; i++) {
    const { body } = await client.fetch({ method: 'GET', url: `https://${name}.:${receiver.port}/` }, { timeoutMs });
    expect((await readAtMost(body, 10)).bytes.toString()).toBe('ok');
  }
  expect(receiver.requests[0]).toContain(`host: ${name}:${receiver.port}\r\n`);
  expect(receiver.connections).toHaveLength(1);
  const [socket] = receiver.connections as [TLSSocket & { servername: string }];
  expect([socket.servername, socket.alpnProtocol]).toEqual([name, 'http/1.1']);
});

test('an IP address is checked against the addresses in the certificate, and sends no server name', async () => {
  const receiver = await startReceiver((socket) => respond(socket), { tls: authority.issue(['127.0.0.1']) });
  const client = await publicFetch();
  const { status } = await client.fetch({ method: 'GET', url: `https://127.0.0.1:${receiver.port}/` }, { timeoutMs });
  expect(status).toBe(200);
  const [socket] = receiver.connections as [TLSSocket & { servername: string | false }];
  expect(socket.servername).toBe(false);
});

const selfSigned = createAuthority(name).own;
const past = { notBefore: new Date(Date.now() - 2 * yearMs), notAfter: new Date(Date.now() - yearMs) };
const future = { notBefore: new Date(Date.now() + yearMs), notAfter: new Date(Date.now() + 2 * yearMs) };

test.each([
  ['another name', authority.issue(['other.example.com']), 'the certificate is for another name'],
  ['the address but not the name', authority.issue(['127.0.0.1']), 'the certificate is for another name'],
  ['a time past', authority.issue([name], past), 'the certificate has expired'],
  ['a time to come', authority.issue([name], future), 'the certificate is not valid yet'],
  ['this name, by itself', selfSigned, 'the certificate is self-signed'],
  [
    'this name, by anybody',
    createAuthority('Anybody').issue([name]),
    'the certificate is not from an authority trusted here, or its chain is incomplete',
  ],
])('a certificate for %s is refused, and nothing is sent', async (_, tls, message) => {
  // The switch that people find on the web must not work.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  onTestFinished(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  const receiver = await startReceiver((socket) => respond(socket), { tls });
  const client = await publicFetch();
  const call = client.fetch({ method: 'POST', url: `https://${name}:${receiver.port}/`, body: '{}' }, { timeoutMs });
  const error = await call.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(PublicFetchError);
  expect(error).toMatchObject({ kind: 'tls', message });
  expect(receiver.requests).toEqual([]);
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a receiver that wants a client certificate is named: %s',
  async (version) => {
    const tls = { ...authority.issue([name]), requestCert: true, rejectUnauthorized: true, ca: authority.caPem };
    const receiver = await startReceiver((socket) => respond(socket), {
      tls: { ...tls, minVersion: version, maxVersion: version },
    });
    const client = await publicFetch();
    const call = client.fetch({ method: 'POST', url: `https://${name}:${receiver.port}/`, body: '{}' }, { timeoutMs });
    await expect(call).rejects.toMatchObject({ kind: 'tls', message: expect.stringContaining('client certificate') });
  },
);

test.each([
  ['ca md too weak', 'CA_MD_TOO_WEAK', 'SHA-1'],
  ['CA signature digest algorithm too weak', 'UNSPECIFIED', 'SHA-1'],
  ['EE certificate key too weak', 'UNSPECIFIED', 'key that is too weak'],
  ['ssl3_check_cert_and_algorithm:ee key too small', 'ERR_SSL_EE_KEY_TOO_SMALL', 'key that is too weak'],
])('OpenSSL saying "%s" is told in a sentence', (message, code, sentence) => {
  expect(tlsFaultOf(Object.assign(new Error(message), { code }))).toContain(sentence);
});

test.each([
  ['speaks plain HTTP', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['hangs up', (socket: Socket) => socket.end()],
])('a port that %s is a failure of TLS', async (_, greet) => {
  const receiver = await startReceiver(() => {}, { greet });
  const client = await publicFetch();
  const call = client.fetch({ method: 'GET', url: `https://${name}:${receiver.port}/` }, { timeoutMs });
  await expect(call).rejects.toMatchObject({ kind: 'tls', message: expect.stringContaining('TLS handshake') });
});

test('a handshake that does not go on is cut', async () => {
  const receiver = await startReceiver(() => {});
  const client = await publicFetch();
  const call = client.fetch({ method: 'GET', url: `https://${name}:${receiver.port}/` }, { timeoutMs: 3000 });
  const message = 'it took longer than 3000 ms for the TLS handshake';
  await expect(call).rejects.toMatchObject({ kind: 'timeout', message });
  const [socket] = receiver.connections;
  if (!socket?.closed) await new Promise((resolve) => socket?.once('close', resolve));
});
