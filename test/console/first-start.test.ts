import { afterAll, beforeAll, expect, test } from 'vitest';
import { welcome } from '../../src/demo.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { refusal, visit } from './visitor.ts';

let app: TestService;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());

test('the first start prints a link that signs in the owner of the demo company, once', async () => {
  const { demo, origin } = app.service;
  if (demo === null) throw new Error('this was not a first start');
  const [link = ''] = /http\S+\/sign-in\/\S+/.exec(welcome(demo, origin, true)) ?? [];
  expect(link.startsWith(origin)).toBe(true);
  const visitor = visit(app);
  const token = new URL(link).pathname.replace('/sign-in/', '');
  expect((await visitor.useLink(token)).body).toEqual({ next: 'signed_in' });
  expect((await visitor.get('/me')).body).toMatchObject({
    role: 'owner',
    account: { display_name: 'Demo Company' },
    has_password: false,
  });
  expect(refusal(await visit(app).useLink(token))).toEqual([410, 'link_spent']);
});

test('the page at / shows the way in, and where all others have to go', async () => {
  const { text } = await visit(app).page('/');
  for (const address of ['/docs', '/docs/openapi.json', '/verify', '/mailbox']) {
    expect(text).toContain(`href="${address}"`);
  }
  expect((await visit(app).page('/', { 'accept-language': 'es-MX' })).text).toContain('Iniciar sesión');
});

test('the link to the local mailbox shows only while there is one, and only to this machine', async () => {
  const env = { SMTP_URL: 'smtp://127.0.0.1:1', TRUST_PROXY: '127.0.0.1' };
  const withMail = await startTestService({ env, databaseUrl: app.databaseUrl, clock: app.clock });
  const proxied = await startTestService({
    env: { TRUST_PROXY: '127.0.0.1' },
    databaseUrl: app.databaseUrl,
    clock: app.clock,
  });
  try {
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    expect((await visit(withMail).page('/')).text).not.toContain('href="/mailbox"');
    expect((await visit(proxied).page('/', elsewhere)).text).not.toContain('href="/mailbox"');
    expect((await visit(proxied).page('/')).text).toContain('href="/mailbox"');
  } finally {
    await withMail.stop();
    await proxied.stop();
  }
});
