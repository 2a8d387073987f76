import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { ask } from '../exposure/ask.ts';
import { freePort } from '../support/free-port.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, type Member, refusal, signedIn, type Visitor, visit } from './visitor.ts';

/** A page of another site changes nothing through a visitor's browser, whatever its cookies are. */
let app: TestService;
let owner: Member;
let visitor: Visitor;

beforeAll(async () => {
  app = await startTestService();
  owner = await addMember(app, (await createCompany(app)).id, 'owner');
  visitor = await signedIn(app, owner);
});
afterAll(() => app.stop());

const foreign: [string, Record<string, string>][] = [
  ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another port', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['no origin that it would name', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['an address typed in', { 'sec-fetch-site': 'none' }],
];
const changes = consoleEndpoints.filter(({ method }) => method !== 'GET');

describe.each(foreign)('from %s', (_where, headers) => {
  test.each(changes.map(({ method, path }) => [method, path] as const))('%s %s is not done', async (method, path) => {
    expect(refusal(await visitor.call(method, path.replaceAll(/:\w+/g, owner.id), {}, headers))).toEqual([
      403,
      'foreign_origin',
    ]);
  });
});

describe('that names neither origin nor site', () => {
  test.each(changes.map(({ method, path }) => [method, path] as const))('%s %s is not done', async (method, path) => {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = `${new URL(app.baseUrl).origin}/console/api${path.replaceAll(/:\w+/g, owner.id)}`;
    const { status, text } = await ask(url, {
      method,
      headers: { cookie },
      ...(method === 'POST' && { body: '{}' }),
    });
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'foreign_origin']);
  });
});

test('pages run no inline script, show in no frame and are kept by nobody', async () => {
  for (const path of ['/', '/sign-in/sent', `/sign-in/${'A'.repeat(43)}`]) {
    const { headers, text } = await visitor.page(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! type="(module" src=|application\/json"))/);
    expect(headers.get('cache-control')).toBe('no-store');
  }
  const { headers } = await visitor.get('/me');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('an address to go on to leads to a document, never elsewhere', async () => {
  const token = await mintSignInLink(app.world, app.db, owner.personId, 'operator');
  const nextOf = async (to: string) =>
    /data-next="([^"]*)"/.exec((await visit(app).page(`/sign-in/${token}?to=${encodeURIComponent(to)}`)).text)?.[1];
  const good = `/sign/${'a'.repeat(43)}`;
  expect(await nextOf(good)).toBe(good);
  for (const filters of [
    '/documents?q=Lease*',
    '/settings/audit-log?from=2026-03-01T09:30:00.000Z&person=ada@example.com',
  ]) {
    expect((await nextOf(filters))?.replaceAll('&amp;', '&')).toBe(filters);
  }
  for (const bad of [
    '//evil.example',
    'https://evil.example',
    `${good}/../..`,
    '/sign/..',
    'javascript:alert(1)',
    '\\\\evil.example',
  ]) {
    expect(await nextOf(bad), bad).toBe('/');
  }
});

test('behind TLS the cookies are __Host- ones, and others are not taken', async () => {
  const port = await freePort();
  const env = { PUBLIC_URL: 'https://sign.example.com', PORT: port, TRUST_PROXY: '127.0.0.1' };
  const named = await startTestService({ env, databaseUrl: app.databaseUrl, clock: app.clock });
  try {
    const ours = { 'x-forwarded-host': 'sign.example.com', origin: 'https://sign.example.com' };
    const local = visit({ baseUrl: `http://127.0.0.1:${port}/api/v1` });
    const token = await mintSignInLink(app.world, app.db, owner.personId, 'operator');
    const answer = await local.post('/sign-in/use-link', { token }, ours);
    expect(answer.headers.getSetCookie().at(-1)).toMatch(
      /^__Host-countersign_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    for (const cookie of answer.headers.getSetCookie())
      expect(cookie).toMatch(/^__Host-[^;]+; (?=.*Path=\/;).*; Secure$/);
    expect((await local.call('GET', '/me', undefined, ours)).status).toBe(200);
    const value = local.cookies.get('__Host-countersign_session') as string;
    const tossed = visit({ baseUrl: `http://127.0.0.1:${port}/api/v1` });
    tossed.cookies.set('countersign_session', value);
    expect((await tossed.call('GET', '/me', undefined, ours)).status).toBe(401);
    for (const origin of ['http://sign.example.com', 'https://sign.example.com.evil.example']) {
      expect(refusal(await local.post('/sign-out', {}, { ...ours, origin }))).toEqual([403, 'foreign_origin']);
    }
  } finally {
    await named.stop();
  }
});
