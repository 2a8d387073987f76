import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pageOrigin } from '../../src/console/core/console-api.ts';
import { isForeign } from '../../src/http/is-foreign.ts';
import { isLocalClient, isReadElsewhere } from '../../src/http/local-client.ts';
import { createServer } from '../../src/http/server.ts';
import { browserName } from '../../src/identity/browser-name.ts';
import { readCookie, writeCookie } from '../../src/identity/cookie.ts';
import { passkeyHost } from '../../src/identity/passkey-ceremony.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { preferredLanguage } from '../../src/platform/language.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { createIpGuard } from '../../src/usage/ip-guard.ts';
import { assertSo, type Target } from './target.ts';

const publicUrl = 'https://sign.example.com';
const headers = [
  ...['Host: sign.example.com', 'X-Forwarded-For: 203.0.113.9, 10.0.0.1', 'X-Forwarded-Host: a.example, b.example'],
  ...['X-Forwarded-Proto: https', 'Forwarded: for=203.0.113.9;host=sign.example.com', 'X-Real-Ip: 203.0.113.9'],
  ...['Accept-Language: es-MX,es;q=0.9,en;q=0.8', 'Origin: https://sign.example.com', 'Sec-Fetch-Site: same-origin'],
  ...['Cookie: __Host-countersign_session=abc; a=b', 'User-Agent: Mozilla/5.0 (Windows) Firefox/130.0'],
];
const requests = [
  `GET /page?a=%41 HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`,
  `POST /page HTTP/1.1\r\n${headers.slice(0, 5).join('\r\n')}\r\nContent-Length: 2\r\n\r\n{}`,
  'GET /page HTTP/1.1\r\nHost: localhost:3000\r\nAccept: text/html\r\n\r\n',
  'POST /page HTTP/1.1\r\nHost: [::1]:3000\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
];
const words = [
  ...['\r\n', 'Host: ', 'Host: a b', ':99999', '[::1', '@', '%00', '\0', '\xff', '//', '/../', 'http://other.example/'],
  ...[
    'X-Forwarded-For: ',
    ', ,',
    '::ffff:127.0.0.1',
    '1.2.3.4.5',
    '[2001:db8::1]:80',
    'unknown',
    'X-Forwarded-Proto: ',
  ],
  ...['Transfer-Encoding: chunked', 'Content-Length: 5', 'HTTP/1.0', 'HTTP/2.0', ';q=', 'Expect: 100-continue'],
];

export interface HttpTargets {
  targets: Target[];
  close(): Promise<void>;
}

/** Whole requests as bytes on a connection: to a server behind a proxy that it trusts, and to one with a public address. */
export async function openHttpTargets(): Promise<HttpTargets> {
  const behindProxy = await listen(null, ['127.0.0.1', '10.0.0.0/8']);
  const withAddress = await listen(publicUrl, []);
  const seeds = requests.map((request) => Buffer.from(request, 'latin1'));
  const target = (name: string, { app, faults }: Listening): Target => ({
    ...{ name, seeds, dictionary: words, msMax: 15_000 },
    run: async (bytes) => {
      const answer = await exchange((app.server.address() as AddressInfo).port, bytes);
      assertSo(faults.length === 0, String(faults.splice(0)[0]));
      assertSo(
        answer === '' || /^HTTP\/1\.1 [1-4]\d\d /.test(answer),
        `an answer is no failure: ${answer.slice(0, 80)}`,
      );
      const elsewhere = /^location: (.*)$/im.exec(answer)?.[1];
      assertSo(elsewhere === undefined || elsewhere.startsWith(`${publicUrl}/`), 'redirects lead to our own origin');
    },
  });
  return {
    targets: [target('http-behind-proxy', behindProxy), target('http-with-address', withAddress)],
    async close() {
      await Promise.all([behindProxy.app.close(), withAddress.app.close()]);
    },
  };
}

interface Listening {
  app: FastifyInstance;
  /** Faults found in handlers, for which the server would only answer 500. */
  faults: unknown[];
}

async function listen(address: string | null, trustProxy: string[]): Promise<Listening> {
  const newId = createNewId(systemClock, systemRandom);
  const world = { clock: systemClock, random: systemRandom, newId, log: createLog('silent') };
  const docsUrl = () => 'http://127.0.0.1/docs';
  const options = { publicUrl: address, docsUrl, trustProxy, bodyBytesMax: 4096, unknownAddressPage: () => 'none' };
  const app = createServer(world, options);
  const guardIp = createIpGuard(systemClock, Number.POSITIVE_INFINITY);
  const faults: unknown[] = [];
  app.all('/page', async (request) => {
    try {
      guardIp(request.ip);
      readHeaders(request, address);
    } catch (error) {
      faults.push(error);
    }
    return 'read';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, faults };
}

/** Reads what pages read of a request's headers. */
function readHeaders(request: FastifyRequest, address: string | null): void {
  const origin = pageOrigin({ publicUrl: address }, request);
  assertSo(new URL(origin).origin === origin, `the origin ${origin} is one`);
  passkeyHost(origin);
  const cookie = writeCookie('countersign_session', 'abc', { origin, sameSite: 'Lax', maxAgeSeconds: 1 });
  assertSo(/^[\x20-\x7e]+$/.test(cookie), 'a cookie is a header');
  assertSo(!readCookie(request.headers.cookie, 'countersign_session', origin)?.includes(';'), 'a cookie has one value');
  assertSo(['en', 'es'].includes(preferredLanguage(request.headers['accept-language'])), 'a language is one of ours');
  isForeign(request, address);
  isReadElsewhere(request.raw);
  const isPassedOn = Object.keys(request.headers).some((name) => name.startsWith('x-forwarded-'));
  assertSo(!(isPassedOn && isLocalClient(request.raw)), 'a request that was passed on is not local');
  browserName(request.headers['user-agent'] ?? null);
}

/** Sends `bytes`, ends the connection's half, and returns the whole answer. */
async function exchange(port: number, bytes: Buffer): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  // The server may close while the rest is being sent.
  socket.on('error', () => {});
  socket.end(bytes);
  await once(socket, 'close');
  return Buffer.concat(parts).toString('latin1');
}
