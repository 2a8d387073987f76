import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setEmbedOrigins } from '../../src/accounts/embed-origins.ts';
import { readSigningSettings, setSigningSettings } from '../../src/accounts/signing-settings.ts';
import { newestCode, openLinkOf, withCode } from '../signing/signer.ts';
import { launchBrowser } from '../support/browser.ts';
import { createPublicLink, newestCodeTo } from '../support/public-link.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';

/**
 * Signing pages inside another site. The site is on `localhost` and the service on `127.0.0.1`, which browsers take for two
 * sites, so that cookies are those of strangers.
 */
let app: TestService;
let company: Company;
let browser: Browser;
let site: { server: Server; origin: string; pages: Map<string, string> };

beforeAll(async () => {
  [app, browser, site] = await Promise.all([startTestService(), launchBrowser(), startSite()]);
  company = await createCompany(app);
});
afterAll(async () => {
  await browser.close();
  site.server.close();
  await app.stop();
});
beforeEach(() => allow([site.origin]));

const allow = (origins: string[]) =>
  app.db.transaction((tx) => setEmbedOrigins(app.world, tx, company.id, origins, null));
const serviceOrigin = () => new URL(app.baseUrl).origin;

test('somebody signs in the site of a company, which is told so', async () => {
  const { id, link } = await sent();
  const { page, frame, events } = await embed(link);
  await frame.getByRole('heading', { level: 1, name: 'Lease of the mill' }).waitFor();
  await expect.poll(events).toEqual(['ready open']);
  await frame.getByRole('button', { name: 'Sign', exact: true }).click();
  await frame.getByRole('heading', { name: /completed/i }).waitFor();
  await expect.poll(events).toEqual(['ready open', 'signed completed', 'ready completed']);
  expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status).toBe('completed');
  await frame.getByRole('button', { name: 'Finish' }).click();
  await frame.getByText('It no longer shows anything of the document.').waitFor();
  await page.context().close();
});

test('somebody declines there, and the site is told so', async () => {
  const { link } = await sent();
  const { page, frame, events } = await embed(link);
  await frame.getByRole('button', { name: 'Decline', exact: true }).click();
  await frame.getByRole('textbox', { name: 'Reason' }).fill('The price is wrong.');
  await frame.getByRole('button', { name: 'Decline to sign' }).click();
  await frame.getByRole('heading', { name: 'You declined to sign' }).waitFor();
  await expect.poll(events).toEqual(['ready open', 'declined declined', 'ready declined']);
  await page.context().close();
});

test('what lies outside the signing page opens in a tab of its own', async () => {
  const recipient = { name: 'Ada Lovelace', email: 'ada@example.com', auth_level: 'l0_account_session' };
  const id = await createSent(app, company.key, { recipients: [recipient] });
  const { page, frame, events } = await embed((await openLinkOf(app, company, id, recipient.name)).link);
  const opened = page.context().waitForEvent('page');
  await frame.getByRole('link', { name: 'Sign in with a password or a passkey' }).click();
  await (await opened).getByRole('heading', { name: /sign in/i }).waitFor();
  await expect.poll(events).toEqual(['ready needs_account']);
  await page.context().close();
});

test('a frame with the sandbox values of the guide opens the sign-in page in a tab', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/guides/embed.md'), 'utf8');
  const [, values = ''] = /`sandbox` attribute needs `([^`]+)`/.exec(guide) ?? [];
  const recipient = { name: 'Ada Lovelace', email: 'ada@example.com', auth_level: 'l0_account_session' };
  const id = await createSent(app, company.key, { recipients: [recipient] });
  const { link } = await openLinkOf(app, company, id, recipient.name);
  site.pages.set('/sandboxed', `<!doctype html><title>Site</title><iframe sandbox="${values}" src="${link}"></iframe>`);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${site.origin}/sandboxed`);
  const opened = page.context().waitForEvent('page');
  await page.frameLocator('iframe').getByRole('link', { name: 'Sign in with a password or a passkey' }).click();
  await (await opened).getByRole('heading', { name: /sign in/i }).waitFor();
  await page.context().close();
});

test('a code opens the document in the frame, although the cookie is that of another site', async () => {
  const id = await createSent(app, company.key, { title: 'Lease of the mill', recipients: [withCode] });
  const { link } = await openLinkOf(app, company, id, withCode.name);
  const { page, frame, events } = await embed(link);
  await frame.getByRole('button', { name: 'Send code' }).click();
  await frame.getByText('The code is on its way.').waitFor();
  await frame.getByRole('textbox', { name: 'Verification code' }).fill(await newestCode(app));
  await frame.getByRole('button', { name: 'Verify' }).click();
  await frame.getByRole('button', { name: 'Sign', exact: true }).click();
  await frame.getByRole('heading', { name: /completed/i }).waitFor();
  await expect.poll(events).toContain('signed completed');
  const [cookie] = await page.context().cookies(serviceOrigin());
  expect(cookie).toMatchObject({ sameSite: 'None', secure: true, httpOnly: true });
  await page.context().close();
});

test('a frame whose cookie the browser doesn’t keep offers a tab after the first code', async () => {
  const id = await createSent(app, company.key, { title: 'Lease of the mill', recipients: [withCode] });
  const { link } = await openLinkOf(app, company, id, withCode.name);
  const { page, frame, events } = await embed(link);
  await page.route('**/verify', async (route) => {
    const answer = await route.fetch();
    const { 'set-cookie': _, ...headers } = answer.headers();
    await page.context().clearCookies(); // where Playwright has kept it
    await route.fulfill({ status: answer.status(), headers, body: await answer.body() });
  });
  await frame.getByRole('button', { name: 'Send code' }).click();
  await frame.getByText('The code is on its way.').waitFor();
  await frame.getByRole('textbox', { name: 'Verification code' }).fill(await newestCode(app));
  await frame.getByRole('button', { name: 'Verify' }).click();
  const own = frame.getByRole('link', { name: 'open this page in a tab of its own' });
  await own.waitFor();
  await expect.poll(events).toEqual(['ready needs_code']);
  const opened = page.context().waitForEvent('page');
  await own.click();
  await (await opened).getByRole('button', { name: 'Send code' }).waitFor();
  await page.context().close();
});

test('forms and delegation work in the frame, and no other site can show a page', async () => {
  const delegation = await readSigningSettings(app.db, company.id);
  await app.db.transaction((tx) =>
    setSigningSettings(app.world, tx, company.id, { ...delegation, allows_delegation: true }, null),
  );
  const { link } = await sent();
  const { page, frame } = await embed(link);
  await frame.getByRole('link', { name: 'Someone else should sign' }).click();
  // The signing page has a field for a name too.
  await frame.getByRole('heading', { name: 'Who should sign instead of you?' }).waitFor();
  await frame.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper');
  await frame.getByRole('textbox', { name: 'E-mail' }).fill('grace@example.com');
  await frame.getByRole('button', { name: 'Pass on' }).click();
  await frame.getByRole('heading', { name: /passed on/i }).waitFor();

  for (const origins of [[], ['https://app.example.com']]) {
    await allow(origins);
    const other = await embed((await sent()).link);
    await expect.poll(() => other.page.frames()[1]?.url() ?? '').toMatch(/^chrome-error:/);
    expect(await other.events()).toEqual([]);
    await other.page.context().close();
  }
  await page.context().close();
});

test('a visitor of a public link gets a document in the frame and signs it there, and no other site can show it', async () => {
  const { token } = await createPublicLink(app, company);
  const link = `${serviceOrigin()}/link/${token}`;
  const { page, frame, events } = await embed(link);
  await frame.getByRole('textbox', { name: 'Full name' }).fill('Grace Hopper');
  await frame.getByRole('textbox', { name: 'E-mail' }).fill('grace@example.com');
  await frame.getByRole('button', { name: 'Send code' }).click();
  const code = frame.getByRole('textbox', { name: 'Code' });
  await code.waitFor();
  await code.fill(await newestCodeTo(app, 'grace@example.com'));
  await frame.getByRole('button', { name: 'Continue' }).click();
  await frame.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect.poll(events).toContain('signed completed');
  const [cookie] = await page.context().cookies(serviceOrigin());
  expect(cookie).toMatchObject({ sameSite: 'None', secure: true, httpOnly: true });
  await page.context().close();

  await allow(['https://app.example.com']);
  const other = await embed(link);
  await expect.poll(() => other.page.frames()[1]?.url() ?? '').toMatch(/^chrome-error:/);
  await other.page.context().close();
});

test('a language chosen in the frame is kept there', async () => {
  const { page, frame } = await embed((await sent()).link);
  await frame.getByText('Language: English').click();
  await frame.getByRole('link', { name: 'Deutsch' }).click();
  await frame.getByRole('button', { name: 'Unterschreiben', exact: true }).click();
  await frame.getByRole('heading', { name: /abgeschlossen/i }).waitFor();
  await page.context().close();
});

test('only the frame and the origin of the signing page are believed', async () => {
  const { link } = await sent();
  const { page, frame, events } = await embed(link);
  await frame.getByRole('button', { name: 'Start' }).waitFor();
  await expect.poll(events).toEqual(['ready open']);
  await page.evaluate(`window.postMessage({ source: 'countersign', type: 'signed', state: 'completed' }, '*')`);
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve, 200))`);
  expect(await events()).toEqual(['ready open']);
  await page.context().close();
});

test('the React component shows the page and calls back', async () => {
  const { link } = await sent();
  site.pages.set('/react.js', await bundledComponent());
  site.pages.set(
    '/react',
    `<!doctype html><title>Site</title><div id="root" data-link="${link}"></div><script type="module" src="/react.js"></script>`,
  );
  const page = await (await browser.newContext()).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(`${site.origin}/react`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Sign', exact: true }).click();
  await frame.getByRole('heading', { name: /completed/i }).waitFor();
  await expect
    .poll(() => page.evaluate('window.called'))
    .toEqual(['ready open', 'signed completed', 'ready completed']);
  expect(await page.locator('iframe').getAttribute('title')).toBe('Sign the lease');
  expect(complaints).toEqual([]);
  await page.context().close();
});

async function sent(): Promise<{ id: string; link: string }> {
  const recipient = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const id = await createSent(app, company.key, { title: 'Lease of the mill', recipients: [recipient] });
  return { id, link: (await openLinkOf(app, company, id, recipient.name)).link };
}

/** Opens a page of the site that shows a link with the service's script. */
async function embed(link: string): Promise<{ page: Page; frame: FrameLocator; events: () => Promise<unknown> }> {
  site.pages.set(
    '/',
    `<!doctype html><title>Site</title><script type="module" src="${serviceOrigin()}/embed.js"></script>
<countersign-signing id="signing" src="${link}" label="Sign the lease"></countersign-signing>
<script type="module">
  window.events = [];
  for (const type of ['ready', 'signed', 'declined']) {
    document.getElementById('signing').addEventListener(type, ({ detail }) => window.events.push(type + ' ' + detail.state));
  }
</script>`,
  );
  const page = await (await browser.newContext()).newPage();
  await page.goto(site.origin);
  return {
    page,
    frame: page.frameLocator('iframe[title="Sign the lease"]'),
    events: () => page.evaluate('window.events'),
  };
}

/** Bundles a page with the component, as an application does. */
async function bundledComponent(): Promise<string> {
  const entry = join(import.meta.dirname, 'react-site.mjs');
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  });
  const [{ output }] = [built].flat() as unknown as [{ output: { code?: string }[] }];
  return output[0]?.code ?? '';
}

async function startSite(): Promise<typeof site> {
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const content = pages.get(pathname);
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}`, pages };
}
