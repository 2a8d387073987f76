import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { exchange } from '../api/raw-http.ts';
import { addMember, signedIn, type Visitor } from '../console/visitor.ts';
import { freePort } from '../support/free-port.ts';
import { noteRoutes, type Route } from '../support/note-routes.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { ask } from './ask.ts';

let app: TestService;
let company: Company;
let visitor: Visitor;
let routes: Route[];

beforeAll(async () => {
  ({ started: app, routes } = await noteRoutes(() => startTestService()));
  company = await createCompany(app);
  visitor = await signedIn(app, await addMember(app, company.id, 'owner'));
});
afterAll(() => app.stop());

const hashed = /^\/(assets|console\/app)\//;
/** Revalidated each time: the reference, and the assets of the sign-in and verification pages. */
const revalidated = /^\/(docs(\/.*)?|verify\.css|console\/sign-in\.(css|js)|llms\.txt|robots\.txt|favicon\.ico)$/;

/** Other sites may load the script, and show the pages at the end, on which there is nothing. */
const embedScript = /^(GET|HEAD) \/embed\.js$/;
const framedAnywhere = /^(GET|HEAD) \/sign\/(finished|passed-on)$/;

function expectSafe(where: string, { headers }: { headers: Headers }, caching = 'no-store'): void {
  const found = Object.fromEntries(
    ['cache-control', 'x-content-type-options', 'referrer-policy', 'cross-origin-resource-policy'].map((name) => [
      name,
      headers.get(name),
    ]),
  );
  expect(found, where).toEqual({
    'cache-control': caching,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': embedScript.test(where) ? 'cross-origin' : 'same-origin',
  });
  const isFramed = framedAnywhere.test(where);
  const policy = isFramed
    ? /^default-src 'none'.*frame-ancestors \*;/
    : /^default-src 'none'.*frame-ancestors '(none|self)'/;
  expect(headers.get('content-security-policy'), where).toMatch(policy);
  if (!headers.get('content-type')?.startsWith('text/html')) return;
  expect(headers.get('x-frame-options'), where).toMatch(/^(DENY|SAMEORIGIN)$/);
  expect(headers.get('cross-origin-opener-policy'), where).toBe('same-origin');
  expect(headers.get('permissions-policy'), where).toContain('camera=()');
}

test('every route answers with them, whoever asks', async () => {
  expect(routes.length).toBeGreaterThan(100);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const { method, url } of routes) {
    const path = url.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000').replace('*', 'x');
    const endless = ['/console/api/live', '/events'].includes(path);
    for (const headers of endless ? [{}] : [{}, { cookie, authorization: `Bearer ${company.key}` }]) {
      if (path === '/console/api/sign-out') continue;
      const answer = await ask(app.service.origin + path, { method, headers });
      const isFile = answer.status === 200 || answer.status === 304;
      if (isFile && hashed.test(path)) {
        expectSafe(`${method} ${url}`, answer, 'public, max-age=31536000, immutable');
      } else if (embedScript.test(`${method} ${url}`)) {
        expectSafe(`${method} ${url}`, answer, 'public, max-age=3600');
      } else {
        expectSafe(`${method} ${url}`, answer, isFile && revalidated.test(path) ? 'public, no-cache' : 'no-store');
      }
    }
  }
});

describe('answers that show something', () => {
  test('of the API: lists, documents, recipients, what was created, and refusals', async () => {
    const { key } = company;
    const id = await createDraft(app, key);
    const answers = [
      await call(app, 'GET', '/account', { key }),
      await call(app, 'GET', '/documents', { key }),
      await call(app, 'POST', '/documents', {
        key,
        body: { title: 'x', recipients: [{ name: 'A', email: 'a@b.co' }] },
      }),
      await call(app, 'GET', `/documents/${id}`, { key }),
      await call(app, 'GET', `/documents/${id}/recipients`, { key }),
      await call(app, 'POST', `/documents/${id}/send`, { key }),
      await call(app, 'GET', '/imports', { key }),
      await call(app, 'GET', '/nothing', { key }),
      await call(app, 'GET', '/documents', { key: 'svc_live_x' }),
      await call(app, 'GET', '/documents'),
      await call(app, 'POST', '/documents', { key, raw: '{' }),
      await call(app, 'POST', '/documents', { key, raw: ' '.repeat(1_048_577) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 200, 200, 200, 200, 404, 401, 401, 400, 400]);
    for (const answer of answers) expectSafe('an answer of the API', answer);
  });

  test('of the console and the signing page', async () => {
    const id = await createSent(app, company.key, { recipients: [{ name: 'Ada', email: 'seen@example.com' }] });
    const [message] = await eventually(
      () => listMailbox(`${app.dataDir}/mailbox`, { to: 'seen@example.com' }),
      (found) => found.length > 0,
    );
    const draft = await createDraft(app, company.key);
    const recipients = (await visitor.get(`/documents/${draft}`)).body.recipients as Array<{ id: string }>;
    const answers: Array<[string, { status: number; headers: Headers }]> = [
      ['page', await visitor.page('/')],
      ['documents page', await visitor.page('/documents')],
      ['list', await visitor.get('/documents')],
      ['document', await visitor.get(`/documents/${id}`)],
      ['preview', await visitor.get(`/documents/${draft}/recipients/${recipients[0]?.id}/preview`)],
      ['events', await visitor.get('/live')],
      ['signing page', await ask(message?.links[0] ?? '')],
      ['mailbox', await ask(`${app.service.origin}/mailbox`)],
      ['metrics', await ask(`${app.service.origin}/metrics`)],
    ];
    for (const [name, answer] of answers) {
      expect(answer.status, name).toBe(200);
      expectSafe(name, answer);
    }
  });

  test('of the reference', async () => {
    const answer = await ask(`${app.service.origin}/docs`);
    expectSafe('docs', answer, 'public, no-cache');
    const again = await ask(`${app.service.origin}/docs`, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expectSafe('docs again', again, 'public, no-cache');
  });
});

test('what no route answers has them too: unknown pages, broken HTTP, and what the router refuses', async () => {
  const { origin } = app.service;
  expectSafe('unknown page', await ask(`${origin}/nothing`, { headers: { accept: 'text/html' } }));
  expectSafe('unknown path', await ask(`${origin}/nothing`));
  expectSafe('unknown method', await ask(`${origin}/docs`, { method: 'QUERY' }));
  for (const bytes of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`]) {
    expectSafe('broken HTTP', (await exchange(origin, bytes)) as never);
  }
});

describe('Strict-Transport-Security', () => {
  const elsewhere = async (env: Record<string, string>) => {
    const port = await freePort();
    const named = await startTestService({ env: { ...env, PORT: port }, databaseUrl: app.databaseUrl });
    return { named, at: (path: string, host: string) => ask(`http://127.0.0.1:${port}${path}`, { headers: { host } }) };
  };

  test('goes out on everything while the public address is https', async () => {
    const { named, at } = await elsewhere({ PUBLIC_URL: 'https://sign.example.com' });
    try {
      const statuses: number[] = [];
      for (const path of [
        '/',
        '/docs',
        '/verify',
        '/sign/x',
        '/nothing',
        '/api/v1/account',
        '/console/api/me',
        '/health/live',
      ]) {
        const { status, headers } = await at(path, 'sign.example.com');
        statuses.push(status);
        expect(headers.get('strict-transport-security'), path).toBe('max-age=63072000');
      }
      expect(statuses).toEqual([200, 200, 200, 404, 404, 401, 401, 200]);
      const redirected = await at('/', 'elsewhere.example');
      expect([redirected.status, redirected.headers.get('strict-transport-security')]).toEqual([
        308,
        'max-age=63072000',
      ]);
      expectSafe('a redirect', redirected);
    } finally {
      await named.stop();
    }
  });

  test('goes out on nothing while it is not', async () => {
    expect((await ask(`${app.service.origin}/`)).headers.get('strict-transport-security')).toBeNull();
  });
});
