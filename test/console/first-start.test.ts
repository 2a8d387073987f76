import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAccounts } from '../../src/accounts/manage-accounts.ts';
import { createDemo, type DemoKeys, welcome } from '../../src/demo.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { refusal, visit } from './visitor.ts';

let app: TestService;

/** Returns the output of the first start. */
const shown: Array<{ keys: DemoKeys; origin: string }> = [];

beforeAll(async () => {
  app = await startTestService({ outside: { welcome: (keys, origin) => shown.push({ keys, origin }) } });
});
afterAll(() => app.stop());

test('the first start prints a link that signs in the owner of the demo company, once', async () => {
  const [{ keys, origin } = { keys: null as never, origin: '' }] = shown;
  expect(shown).toHaveLength(1);
  expect(origin).toBe(app.service.origin);
  const [link = ''] = /http\S+\/sign-in\/\S+/.exec(welcome(keys, origin, null)) ?? [];
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

test('a first start that is cut off while it shows the keys has made nothing, and the next one shows others', async () => {
  const { world, db, stop } = await startTestService();
  try {
    const cutOff = createDemo(world, db, () => {
      throw new Error('cut off');
    });
    await expect(cutOff).rejects.toThrow('cut off');
    expect(await listAccounts(db)).toEqual([]);
    const seen: DemoKeys[] = [];
    await createDemo(world, db, (keys) => seen.push(keys));
    await createDemo(world, db, (keys) => seen.push(keys));
    expect(seen).toHaveLength(1);
    expect(await listAccounts(db)).toHaveLength(1);
  } finally {
    await stop();
  }
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
