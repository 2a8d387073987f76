import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRecipients } from '../../src/documents/queries.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { freePort } from '../support/free-port.ts';
import {
  type Answer,
  aDraft,
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { exchange, exchangeAll } from './raw-http.ts';
import { expectRefusal } from './refusal.ts';

let app: TestService;
let company: Company;
/** A request whose headers never end. The server waits ten seconds for them, so it runs next to the other tests. */
let unfinished: Promise<Answer | null>;
/** What comes on a connection on which nothing is sent. */
let unused: Promise<string>;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  unfinished = exchange(app.baseUrl, 'GET /api/v1/account HTTP/1.1\r\nHost: localhost\r\n');
  const { hostname, port } = new URL(app.baseUrl);
  unused = text(connect(Number(port), hostname));
});
afterAll(() => app.stop());

/** Sends methods and paths that fetch would not. */
function plainRequest(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { hostname, port } = new URL(app.baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const given = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(given),
          text,
          body: text === '' ? null : JSON.parse(text),
        });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

const head = (line: string, ...headers: string[]) => `${[line, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
const authorized = () => `Authorization: Bearer ${company.key}`;

async function expectSocketRefusal(answer: Answer | null, code: Parameters<typeof expectRefusal>[1]): Promise<void> {
  expect(answer, 'the server closed without an answer').not.toBeNull();
  expectRefusal(answer as Answer, code);
}

/** Reads only after everything has been written, as simple clients do. */
async function sendAllThenListen(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    await new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
    const [chunk] = await once(socket, 'data');
    return String(chunk);
  } finally {
    socket.destroy();
  }
}

describe('unknown routes', () => {
  test.for([
    '',
    '/',
    '/nothing',
    '/document',
    '/Documents',
    '/documents/x/y',
    '/documents//send',
    '/account/x',
    '/v1/documents',
    '/imports/x/items/y',
    '/%64',
    '/documents/x/send/',
    '/documents/',
    '/documents/?limit=1',
    '/documents//recipients',
    '/imports/',
  ])('GET %s is route_not_found, for a good key only', async (path) => {
    expectRefusal(await call(app, 'GET', path, { key: company.key }), 'route_not_found');
    expectRefusal(await call(app, 'GET', path), 'missing_authorization');
    expectRefusal(await call(app, 'GET', path, { key: 'svc_live_x' }), 'invalid_api_key');
  });

  test('what another method would answer is route_not_found', async () => {
    const id = await createDraft(app, company.key);
    const wrong: Array<[string, string, string[]]> = [
      ['/account', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']],
      ['/documents', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY']],
      [`/documents/${id}`, 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE', 'LOCK']],
      [`/documents/${id}/send`, 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
      [`/documents/${id}/recipients`, 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
      ['/imports', 'GET, HEAD, POST', ['PUT', 'DELETE', 'OPTIONS']],
    ];
    for (const [path, allowed, methods] of wrong) {
      for (const method of methods) {
        const answer = await plainRequest(method, `/api/v1${path}`, { authorization: `Bearer ${company.key}` });
        expectRefusal(answer, 'route_not_found');
        expect(answer.headers.get('allow'), path).toBe(allowed);
      }
    }
    expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status).toBe('draft');
  });

  test('a wrong method without a key is a missing key first', async () => {
    for (const method of ['OPTIONS', 'DELETE', 'PUT', 'PATCH', 'PROPFIND']) {
      expectRefusal(await plainRequest(method, '/api/v1/documents'), 'missing_authorization');
    }
  });

  test('HEAD answers as GET does, without the body', async () => {
    const id = await createDraft(app, company.key);
    const headers = { authorization: `Bearer ${company.key}` };
    const paths = [
      '/account',
      '/documents',
      `/documents/${id}`,
      `/documents/${id}/recipients`,
      '/imports',
      '/documents/x',
    ];
    for (const path of paths) {
      const got = await plainRequest('GET', `/api/v1${path}`, headers);
      const head = await plainRequest('HEAD', `/api/v1${path}`, headers);
      expect({ status: head.status, text: head.text }, path).toEqual({ status: got.status, text: '' });
      for (const name of ['content-type', 'content-length', 'x-ratelimit-limit-burst']) {
        expect(head.headers.get(name), `${name} of ${path}`).toBe(got.headers.get(name));
      }
      const spent = Number(got.headers.get('x-ratelimit-remaining-daily'));
      expect(Number(head.headers.get('x-ratelimit-remaining-daily'))).toBe(spent - 1);
    }
    expect((await plainRequest('HEAD', '/api/v1/account')).status).toBe(401);
    expect((await plainRequest('HEAD', '/api/v1/nothing', headers)).status).toBe(404);
    expect((await plainRequest('HEAD', `/api/v1/documents/${id}/send`, headers)).status).toBe(404);
  });

  test('HEAD of a page answers as GET does', async () => {
    const sent = await createSent(app, company.key, { recipients: [{ name: 'Ada', email: 'head@example.com' }] });
    const [ada] = await listRecipients(app.db, company.id, sent);
    const link = ada && (await mintSigningLink(app.world, app.db, new URL(app.baseUrl).origin, ada));
    const signing = new URL(link ?? '').pathname;
    for (const path of [
      signing,
      `${signing}/document.pdf`,
      '/sign/finished',
      '/',
      '/docs',
      '/docs/openapi.json',
      '/verify',
      '/sign/unknown',
      '/health/live',
      '/nothing',
    ]) {
      const of = (method: string) => fetch(app.service.origin + path, { method, headers: { accept: 'text/html' } });
      const [got, head] = [await of('GET'), await of('HEAD')];
      expect([head.status, head.headers.get('content-type')], path).toEqual([
        got.status,
        got.headers.get('content-type'),
      ]);
      expect(await head.text()).toBe('');
    }
    expect((await fetch(app.service.origin + signing, { method: 'HEAD' })).status).toBe(200);
    expect((await listRecipients(app.db, company.id, sent))[0]?.status).toBe('sent');
  });

  test('outside of the API, too, Allow names the methods that an address has', async () => {
    const allowed = async (method: string, path: string) => {
      const { status, headers } = await fetch(app.service.origin + path, { method });
      return [status, headers.get('allow')];
    };
    expect(await allowed('POST', '/docs')).toEqual([404, 'GET, HEAD']);
    expect(await allowed('DELETE', '/verify')).toEqual([404, 'GET, HEAD, POST']);
    expect(await allowed('DELETE', '/nothing')).toEqual([404, null]);
    expect(await allowed('GET', '/console/app/no-such-file.js')).toEqual([404, null]);
    for (const hidden of ['/mailbox', '/mailbox.css', '/metrics']) {
      expect(await allowed('POST', hidden), 'tells nobody that it is there').toEqual([404, null]);
    }
  });

  test('an unknown route with a body, of any type, is route_not_found', async () => {
    for (const contentType of ['application/json', 'nonsense', ';']) {
      const headers = { 'content-type': contentType };
      expectRefusal(await call(app, 'POST', '/nothing', { key: company.key, raw: '{', headers }), 'route_not_found');
      expectRefusal(await call(app, 'DELETE', '/account', { key: company.key, raw: '{', headers }), 'route_not_found');
    }
  });

  test('an unknown route is refused before its body is read', async () => {
    const raw = ' '.repeat(1_048_577);
    expectRefusal(await call(app, 'POST', '/nothing', { key: company.key, raw }), 'route_not_found');
    expectRefusal(await call(app, 'PUT', '/account', { key: company.key, raw }), 'route_not_found');
  });

  test('outside of the API an unknown path needs no key to be unknown', async () => {
    for (const path of [
      '/api',
      '/api/v2/account',
      '/api/v1x',
      '/api//v1/account',
      '/nothing',
      '/sign',
      '/humans.txt',
    ]) {
      const response = await fetch(app.service.origin + path);
      expect(response.status, path).toBe(404);
      const answer = { status: 404, headers: response.headers, text: '', body: await response.json() };
      expectRefusal(answer, 'route_not_found');
    }
  });

  test('outside of the API a browser is shown a page that leads on', async () => {
    const seen = (path: string, language: string, method = 'GET') =>
      fetch(new URL(path, app.baseUrl), {
        method,
        headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': language },
      });
    for (const [language, words] of [
      ['en-GB', 'Page not found'],
      ['es', 'Página no encontrada'],
    ] as const) {
      const answer = await seen('/sing/abc', language);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      const page = await answer.text();
      expect(page).toContain(words);
      expect(page).toContain('href="/"');
    }
    for (const answer of [
      await seen('/api', 'en'),
      await seen('/api?x', 'en'),
      await seen('/api/v2/documents', 'en'),
      await seen('/x', 'en', 'POST'),
    ])
      expect(await answer.json()).toMatchObject({ error: { code: 'route_not_found' } });
  });
});

describe('browsers get no leave to call', () => {
  test('no answer carries a CORS header', async () => {
    const headers = { origin: 'https://evil.example', authorization: `Bearer ${company.key}` };
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const answers = [
      await plainRequest('GET', '/api/v1/account', headers),
      await plainRequest('GET', '/api/v1/account', { origin: 'https://evil.example' }),
      await plainRequest('OPTIONS', '/api/v1/documents', { ...headers, ...preflight }),
      await plainRequest('OPTIONS', '/api/v1/documents', { origin: 'https://evil.example', ...preflight }),
      await plainRequest('OPTIONS', '*', { origin: 'https://evil.example', ...preflight }),
    ];
    for (const answer of answers) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 401, 404]);
  });
});

describe('broken percent-encoding', () => {
  test('in the path is an id or a route that does not exist', async () => {
    for (const id of ['%', '%z', '%zz', '%e0%a4', '%ff', '%00', '%c0%af', 'a%2']) {
      expectRefusal(await call(app, 'GET', `/documents/${id}`, { key: company.key }), 'document_not_found');
      expectRefusal(await call(app, 'GET', `/${id}`, { key: company.key }), 'route_not_found');
      expectRefusal(await call(app, 'GET', `/${id}`), 'missing_authorization');
    }
  });

  test('in the query is a bad value of the parameter', async () => {
    for (const value of ['%', '%zz', '%ff', '%e0%a4']) {
      expectRefusal(
        await call(app, 'GET', `/documents?limit=${value}`, { key: company.key }),
        'invalid_limit',
        'limit',
      );
      expectRefusal(
        await call(app, 'GET', `/documents?status=${value}`, { key: company.key }),
        'invalid_status',
        'status',
      );
      expect((await call(app, 'GET', `/documents?other=${value}`, { key: company.key })).status).toBe(200);
    }
  });
});

describe('what is hardly HTTP', () => {
  test.for<[string, string]>([
    ['no request line', 'nonsense\r\n\r\n'],
    ['an unknown method', head('FROBNICATE /api/v1/account HTTP/1.1')],
    ['a space in the path', head('GET /api/v1/a b HTTP/1.1')],
    ['a header without a colon', head('GET /api/v1/account HTTP/1.1', 'nonsense')],
    ['a space before the colon', head('GET /api/v1/account HTTP/1.1', 'X-Bad : x')],
    ['a control character in a header', head('GET /api/v1/account HTTP/1.1', 'X-Bad: a\u0001b')],
    ['an impossible Content-Length', head('POST /api/v1/documents HTTP/1.1', 'Content-Length: many')],
    ['a negative Content-Length', head('POST /api/v1/documents HTTP/1.1', 'Content-Length: -1')],
    ['two lengths', head('POST /api/v1/documents HTTP/1.1', 'Content-Length: 2', 'Content-Length: 3')],
    [
      'a length and chunks',
      `${head('POST /api/v1/documents HTTP/1.1', 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    ['TLS to a plain port', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
  ])('%s is malformed_request', async ([, bytes]) => {
    await expectSocketRefusal(await exchange(app.baseUrl, Buffer.from(bytes, 'latin1')), 'malformed_request');
  });

  test('a request that names no host is malformed_request', async () => {
    const bytes = `GET /api/v1/account HTTP/1.1\r\n${authorized()}\r\nConnection: close\r\n\r\n`;
    await expectSocketRefusal(await exchange(app.baseUrl, bytes), 'malformed_request');
  });

  test.for([
    ['the same twice', 'Host: localhost'],
    ['in other letters', 'hOST: 127.0.0.1'],
    ['another', 'Host: evil.example'],
    ['an empty one', 'Host:'],
  ])('two hosts are malformed_request: %s', async ([, second = '']) => {
    for (const path of ['/api/v1/account', '/', '/mailbox']) {
      const bytes = head(`GET ${path} HTTP/1.1`, second, authorized(), 'Connection: close');
      await expectSocketRefusal(await exchange(app.baseUrl, bytes), 'malformed_request');
    }
  });

  test.for(['gzip', 'br', 'deflate', 'GZIP', 'gzip, identity', 'x-unknown'])(
    'a body in the encoding %s is invalid_json that says why',
    async (encoding) => {
      const headers = { 'content-encoding': encoding };
      const raw = new Uint8Array(gzipSync(JSON.stringify(aDraft)));
      for (const path of ['/documents', '/documents/x/send', '/imports']) {
        const answer = await call(app, 'POST', path, { key: company.key, raw, headers });
        expectRefusal(answer, 'invalid_json');
        expect(answer.body.error.message).toContain('Compressed request bodies are not supported');
      }
    },
  );

  test('a body in the encoding identity is read, and no body needs none', async () => {
    const headers = { 'content-encoding': 'identity' };
    const { key } = company;
    const created = await call(app, 'POST', '/documents', { key, body: aDraft, headers });
    expect(created.status).toBe(201);
    const gzip = { 'content-encoding': 'gzip' };
    expect((await call(app, 'POST', `/documents/${created.body.id}/send`, { key, headers: gzip })).status).toBe(200);
  });

  test('an expectation that is not understood is ignored', async () => {
    const bytes = head('GET /api/v1/account HTTP/1.1', authorized(), 'Expect: miracles', 'Connection: close');
    expect((await exchange(app.baseUrl, bytes))?.body).toMatchObject({ object: 'account' });
  });

  test('a chunk that is no chunk is malformed_request', async () => {
    const bytes = head('POST /api/v1/documents HTTP/1.1', authorized(), 'Transfer-Encoding: chunked');
    await expectSocketRefusal(await exchange(app.baseUrl, `${bytes}zz\r\n{}\r\n0\r\n\r\n`), 'malformed_request');
  });

  test('oversized headers are headers_too_large', async () => {
    const oversized = [
      head('GET /api/v1/account HTTP/1.1', authorized(), `X-Big: ${'x'.repeat(20_000)}`),
      head(`GET /api/v1/documents?status=${'x'.repeat(20_000)} HTTP/1.1`, authorized()),
      head('GET /api/v1/account HTTP/1.1', ...Array.from({ length: 2000 }, (_, i) => `X-${i}: ${'x'.repeat(20)}`)),
    ];
    for (const bytes of oversized) await expectSocketRefusal(await exchange(app.baseUrl, bytes), 'headers_too_large');
  });

  test('headers of just under 16 KiB are read', async () => {
    const bytes = head(
      'GET /api/v1/account HTTP/1.1',
      authorized(),
      `X-Big: ${'x'.repeat(15_000)}`,
      'Connection: close',
    );
    expect((await exchange(app.baseUrl, bytes))?.status).toBe(200);
  });

  test('a body cut short writes nothing', async () => {
    const body = JSON.stringify({ ...aDraft, title: 'Cut short' });
    const headers = [authorized(), `Content-Length: ${body.length}`, 'Idempotency-Key: cut'];
    const bytes = head('POST /api/v1/documents HTTP/1.1', ...headers);
    const answer = await exchange(app.baseUrl, bytes + body.slice(0, -5), 'end');
    if (answer !== null) expectRefusal(answer, 'malformed_request');
    const chunked = head('POST /api/v1/documents HTTP/1.1', authorized(), 'Transfer-Encoding: chunked');
    await exchange(app.baseUrl, `${chunked}${body.length.toString(16)}\r\n${body}\r\n`, 'end');

    const { body: list } = await call(app, 'GET', '/documents?limit=100', { key: company.key });
    expect(list.data.map((document: { title: string }) => document.title)).not.toContain('Cut short');
    const retried = await call(app, 'POST', '/documents', {
      key: company.key,
      body: aDraft,
      headers: { 'idempotency-key': 'cut' },
    });
    expect(retried.status).toBe(201);
  });

  test('an announced length that is too large is refused before the body comes', async () => {
    const bytes = head('POST /api/v1/documents HTTP/1.1', authorized(), 'Content-Length: 99999999999');
    await expectSocketRefusal(await exchange(app.baseUrl, `${bytes}{`), 'request_too_large');
  });

  test('an oversized body is taken in, so that a client that listens only afterwards gets its answer', async () => {
    const bytes = 20_000_000;
    const answer = await sendAllThenListen(
      head('POST /api/v1/documents HTTP/1.1', authorized(), `Content-Length: ${bytes}`) + ' '.repeat(bytes),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"request_too_large"/s);
  });

  test('after an oversized body the connection goes on', async () => {
    const bytes = 2_000_000;
    const answers = await exchangeAll(
      app.baseUrl,
      head('POST /api/v1/documents HTTP/1.1', authorized(), `Content-Length: ${bytes}`) + ' '.repeat(bytes),
      head('GET /api/v1/account HTTP/1.1', authorized(), 'Connection: close'),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
  });

  test('a body where none is read is ignored', async () => {
    const answers = await exchangeAll(
      app.baseUrl,
      `${head('GET /api/v1/account HTTP/1.1', authorized(), 'Content-Length: 5')}{"a":`,
      head('GET /api/v1/account HTTP/1.1', authorized(), 'Connection: close'),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a target that names the whole address is its path', async () => {
    const bytes = head(`GET ${app.baseUrl}/account HTTP/1.1`, authorized(), 'Connection: close');
    expect((await exchange(app.baseUrl, bytes))?.body).toMatchObject({ object: 'account' });
  });

  test('a client that asks to go on is told to, and answered', async () => {
    const body = JSON.stringify(aDraft);
    const headers = [authorized(), `Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close'];
    const answer = await exchange(app.baseUrl, head('POST /api/v1/documents HTTP/1.1', ...headers) + body);
    expect(answer?.status).toBe(100);
  });

  test('HTTP/1.0 is served', async () => {
    const bytes = `GET /api/v1/account HTTP/1.0\r\n${authorized()}\r\n\r\n`;
    expect((await exchange(app.baseUrl, bytes))?.body).toMatchObject({ object: 'account' });
  });

  test('requests in one stretch are answered one by one, in order', async () => {
    const one = (path: string) => head(`GET /api/v1${path} HTTP/1.1`, authorized());
    const last = head('GET /api/v1/nothing HTTP/1.1', authorized(), 'Connection: close');
    const answers = await exchangeAll(app.baseUrl, one('/account') + one('/documents?limit=1') + last);
    expect(answers.map((answer) => answer.body.object ?? answer.body.error.code)).toEqual([
      'account',
      'list',
      'route_not_found',
    ]);
  });

  test('nonsense after a good request harms no other client', async () => {
    const good = head('GET /api/v1/account HTTP/1.1', authorized());
    for (let i = 0; i < 5; i++) await exchange(app.baseUrl, `${good}nonsense\r\n\r\n`);
    expect((await call(app, 'GET', '/account', { key: company.key })).status).toBe(200);
  });

  test('headers that do not come are waited for some seconds, and then request_timeout', async () => {
    await expectSocketRefusal(await unfinished, 'request_timeout');
  });

  test('a connection that is never used is closed without a word, which would answer its next request', async () => {
    expect(await unused).toBe('');
  });
});

describe('with PUBLIC_URL', () => {
  let named: TestService;
  let key: string;
  /** The service uses its public name, so its port is chosen here. */
  let port: string;

  beforeAll(async () => {
    port = await freePort();
    const env = { PORT: port, PUBLIC_URL: 'https://sign.example.com', TRUST_PROXY: '127.0.0.1' };
    named = await startTestService({ env });
    key = (await createCompany(named)).key;
  });
  afterAll(() => named.stop());

  const via = (host: string, path: string, method = 'GET', extra: string[] = []) =>
    exchange(
      `http://127.0.0.1:${port}`,
      `${[`${method} ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${key}`, ...extra, 'Connection: close'].join('\r\n')}\r\n\r\n`,
    );

  test('the public host is served, and its address is in the links', async () => {
    for (const host of ['sign.example.com', 'SIGN.example.com', 'sign.example.com:443']) {
      expect((await via(host, '/api/v1/account'))?.status, host).toBe(200);
    }
    const refused = await via('sign.example.com', '/api/v1/documents/x');
    expect(refused?.body.error.doc_url).toBe('https://sign.example.com/docs#not_found');
  });

  test('every other host is redirected to the same path on it, whatever the method', async () => {
    const cases: Array<[string, string, string]> = [
      ['localhost', '/api/v1/account', 'GET'],
      ['127.0.0.1:3000', '/api/v1/documents?limit=5&status=draft', 'GET'],
      ['deployment-17.internal', '/api/v1/documents', 'POST'],
      ['sign.example.com.evil.example', '/api/v1/nothing?x=%zz', 'DELETE'],
      ['sign.example.com:8443', '/sign/token', 'GET'],
      ['evil.example', '//evil.example/path', 'GET'],
    ];
    for (const [host, path, method] of cases) {
      const answer = await via(host, path, method);
      expect(answer?.status, host).toBe(308);
      expect(answer?.headers.get('location')).toBe(`https://sign.example.com${path}`);
      expect(answer?.headers.get('x-ratelimit-limit-burst')).toBeNull();
    }
  });

  test('a request that names a whole URL is redirected to its path', async () => {
    for (const [url, path] of [
      ['http://other.example/api/v1/documents?limit=5', '/api/v1/documents?limit=5'],
      ['http://other.example', '/'],
    ] as const) {
      const answer = await via('other.example', url);
      expect(answer?.status, url).toBe(308);
      expect(answer?.headers.get('location')).toBe(`https://sign.example.com${path}`);
    }
  });

  test('the host that a trusted proxy was asked for counts', async () => {
    expect(
      (await via('upstream.internal', '/api/v1/account', 'GET', ['X-Forwarded-Host: sign.example.com']))?.status,
    ).toBe(200);
    expect((await via('sign.example.com', '/api/v1/account', 'GET', ['X-Forwarded-Host: other.example']))?.status).toBe(
      308,
    );
  });

  test('probes by address are answered', async () => {
    expect((await via('10.0.0.7:3000', '/health/live'))?.status).toBe(200);
  });
});
