import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startConnectProxy } from '../../test/support/connect-proxy.ts';
import { createAuthority } from '../../test/support/https-authority.ts';
import { createPublicFetch, PublicFetchError, readAtMost } from './public-fetch.ts';
import { closedPort, frozenPort, respond, startReceiver } from './testing/receiver.ts';

const authority = createAuthority();
const name = 'hooks.example.com';
const timeoutMs = 20_000;

beforeAll(() => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, authority.caPem]);
  return () => setDefaultCACertificates(before);
});

async function startProxy(tls?: { key: string; cert: string }) {
  const proxy = await startConnectProxy(tls);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Every name leads to `addresses`. */
function through(proxyUrl: string, { addresses = ['127.0.0.1'], allowPrivate = true } = {}) {
  const causes: string[] = [];
  const client = createPublicFetch({
    resolver: { resolve: async () => ({ kind: 'addresses', addresses }) },
    allowPrivate,
    proxy: { url: proxyUrl, onFailure: (cause) => causes.push(cause) },
  });
  onTestFinished(() => client.close());
  const get = async (url: string, ms = timeoutMs) => {
    const { status, body } = await client.fetch({ method: 'GET', url }, { timeoutMs: ms });
    return [status, (await readAtMost(body, 100)).bytes.toString()];
  };
  const failure = async (url: string, ms?: number) => {
    const error = await get(url, ms).catch((error: unknown) => error);
    if (error instanceof PublicFetchError) return error;
    throw new Error(`no failure of ours: ${error}`);
  };
  return { get, failure, causes };
}

test('an https receiver is called through the proxy by its address, and checked by its name', async () => {
  const receiver = await startReceiver((socket) => respond(socket), { tls: authority.issue([name]) });
  const proxy = await startProxy();
  const { get } = through(`http://us%40er:pass%3Aword@${proxy.host}`);
  for (let i = 0; i < 2; i++) expect(await get(`https://${name}:${receiver.port}/`)).toEqual([200, 'ok']);
  // The second request uses the connection that was kept.
  expect(proxy.asked).toHaveLength(1);
  expect(proxy.asked[0]?.target).toBe(`127.0.0.1:${receiver.port}`);
  const credentials = Buffer.from('us@er:pass:word').toString('base64');
  expect(proxy.asked[0]?.headers['proxy-authorization']).toBe(`Basic ${credentials}`);
  expect(JSON.stringify(proxy.asked)).not.toContain(name);
  const [socket] = receiver.connections as [TLSSocket & { servername: string }];
  expect(socket.servername).toBe(name);
  expect(receiver.requests.join()).not.toMatch(/proxy-authorization/i);
});

test('a certificate for another name is refused through the proxy too', async () => {
  const receiver = await startReceiver((socket) => respond(socket), { tls: authority.issue(['other.example.com']) });
  const proxy = await startProxy();
  const { failure, causes } = through(`http://${proxy.host}`);
  expect(await failure(`https://${name}:${receiver.port}/`)).toMatchObject({ kind: 'tls' });
  expect([receiver.requests, causes]).toEqual([[], []]);
});

test('an http receiver is called through the proxy by CONNECT too', async () => {
  const receiver = await startReceiver((socket) => respond(socket));
  const proxy = await startProxy();
  expect(await through(`http://${proxy.host}`).get(`http://${name}:${receiver.port}/a?b`)).toEqual([200, 'ok']);
  expect(proxy.asked).toMatchObject([{ target: `127.0.0.1:${receiver.port}` }]);
  expect(proxy.asked[0]?.headers['proxy-authorization']).toBeUndefined();
  expect(receiver.requests[0]).toMatch(/^GET \/a\?b HTTP\/1\.1\r\n/);
});

test('the proxy may be reached over https, and its certificate is checked', async () => {
  const receiver = await startReceiver((socket) => respond(socket), { tls: authority.issue([name]) });
  const url = `https://${name}:${receiver.port}/`;
  const trusted = await startProxy(authority.issue(['127.0.0.1']));
  expect(await through(`https://${trusted.host}`).get(url)).toEqual([200, 'ok']);
  const unknown = await startProxy(createAuthority('Anybody').issue(['127.0.0.1']));
  expect(await through(`https://${unknown.host}`).failure(url)).toMatchObject({ kind: 'our_fault' });
  expect(unknown.asked).toEqual([]);
});

test('an IPv6 address is written in brackets', async () => {
  const receiver = await startReceiver((socket) => respond(socket), { host: '::1' });
  const proxy = await startProxy();
  expect(await through(`http://${proxy.host}`, { addresses: ['::1'] }).get(`http://${name}:${receiver.port}/`)).toEqual(
    [200, 'ok'],
  );
  expect(proxy.asked).toMatchObject([{ target: `[::1]:${receiver.port}` }]);
});

test.each([401, 405, 407, 429, 501])('a proxy that answers %i is our own fault', async (status) => {
  const proxy = await startProxy();
  proxy.refusal = status;
  const { failure, causes } = through(`http://user:secret@${proxy.host}`);
  const error = await failure(`https://${name}/`);
  expect(error.kind).toBe('our_fault');
  expect(error.message).toMatch(new RegExp(`^the outbound proxy refused the connection \\(${status}\\)`));
  expect(`${error.message} ${error.detail}`).not.toContain('secret');
  expect(causes).toEqual([error.message]);
});

test.each([400, 500, 502, 503, 504])(
  'a proxy that answers %i for one host: the fault is the receiver’s',
  async (status) => {
    const proxy = await startProxy();
    proxy.refusal = status;
    const { failure, causes } = through(`http://${proxy.host}`);
    for (let i = 0; i < 10; i++) expect(await failure(`https://${name}/`)).toMatchObject({ kind: 'connection' });
    expect(causes).toEqual([]);
  },
);

test('a target that the policy of the proxy forbids is refused for good, and the operator hears of it', async () => {
  const proxy = await startProxy();
  const { failure, causes } = through(`http://${proxy.host}`);
  const denied = (status: number) => ({
    kind: 'connection',
    message: `the outbound proxy does not allow this address (${status})`,
  });
  proxy.refusal = 403;
  expect(await failure(`https://${name}/`)).toMatchObject(denied(403));
  // Smokescreen answers 407 for what its policy forbids. A 407 that asks for credentials says so in a header.
  proxy.refusal = 407;
  proxy.refusalHeaders = ['x-smokescreen-error: destination address was denied by rule'];
  expect(await failure(`https://${name}/`)).toMatchObject(denied(407));
  proxy.refusalHeaders.push('proxy-authenticate: Basic realm="proxy"');
  expect((await failure(`https://${name}/`)).kind).toBe('our_fault');
  expect(causes).toHaveLength(3);
});

test('a proxy that reaches no host is at fault, until it reaches one', async () => {
  const receiver = await startReceiver((socket) => respond(socket));
  const proxy = await startProxy();
  const { get, failure } = through(`http://${proxy.host}`);
  const kinds = async () => {
    const all: string[] = [];
    for (let i = 0; i < 7; i++) all.push((await failure(`http://host${i}.example.com:${receiver.port}/`)).kind);
    return all;
  };
  const untilBlamed = [...Array(4).fill('connection'), ...Array(3).fill('our_fault')];
  proxy.refusal = 502;
  expect(await kinds()).toEqual(untilBlamed);
  proxy.refusal = null;
  expect(await get(`http://${name}:${receiver.port}/`)).toEqual([200, 'ok']);
  proxy.refusal = 502;
  expect(await kinds()).toEqual(untilBlamed);
  // A connection that was kept shows that the proxy works, too.
  expect(await get(`http://${name}:${receiver.port}/`)).toEqual([200, 'ok']);
  expect(await kinds()).toEqual(untilBlamed);
});

test('a proxy that is down, or takes no connection, is our own fault', async () => {
  const down = through(`http://127.0.0.1:${await closedPort()}`);
  expect(await down.failure(`https://${name}/`)).toMatchObject({
    kind: 'our_fault',
    message: 'the outbound proxy cannot be reached (ECONNREFUSED)',
  });
  const frozen = through(`http://127.0.0.1:${await frozenPort()}`);
  expect(await frozen.failure(`https://${name}/`, 500)).toMatchObject({
    kind: 'our_fault',
    message: 'the outbound proxy does not answer',
  });
});

test('a receiver that the proxy waits for in vain is a timeout', async () => {
  const proxy = await startProxy();
  proxy.refusal = 'silence';
  expect(await through(`http://${proxy.host}`).failure(`https://${name}/`, 500)).toMatchObject({ kind: 'timeout' });
});

test('addresses are vetted before the proxy is asked', async () => {
  const proxy = await startProxy();
  for (const addresses of [['10.0.0.1'], ['8.8.8.8', '169.254.169.254'], ['fd00:ec2::254']]) {
    const { failure } = through(`http://${proxy.host}`, { addresses, allowPrivate: false });
    expect(await failure(`https://${name}/`)).toMatchObject({ kind: 'not_public' });
  }
  const { failure } = through(`http://${proxy.host}`, { allowPrivate: false });
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '169.254.169.254']) {
    expect(['refused_url', 'not_public']).toContain((await failure(`https://${host}/`)).kind);
  }
  expect(proxy.asked).toEqual([]);
});
