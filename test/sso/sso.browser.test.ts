import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ssoTexts } from '../../src/console/sign-in/pages/sso-texts.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { createTextResolver } from '../../src/public-fetch/public-fetch.ts';
import { openConsole, press, pressIn } from '../console/open-console.ts';
import { addMember, password } from '../console/visitor.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { expectSound } from '../support/expect-sound.ts';
import { createCompany, type TestService } from '../support/service.ts';
import { clientId, clientSecret, startProvider, type TestProvider } from './provider.ts';
import { createSsoCompany, proveFor, startSsoService } from './sso-company.ts';

/** Signs in as people do, at a provider on another site, so that cookies cross a site boundary. */
let provider: TestProvider;
let dns: DnsServer;
let reply: DnsReply = 'NXDOMAIN';
let app: TestService;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  [provider, dns] = await Promise.all([startProvider(), startDnsServer(() => reply)]);
  provider.asks = true;
  const textResolver = createTextResolver({ servers: [dns.address], timeoutMs: 60_000 });
  [app, browser] = await Promise.all([startSsoService({ outside: { textResolver } }), launchBrowser()]);
  origin = new URL(app.baseUrl).origin.replace('127.0.0.1', 'localhost');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await Promise.all([provider.stop(), dns.close()]);
});

async function open(path: string, device: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...device });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  expectNoFaults(page);
  await page.goto(origin + path);
  return page;
}

const shows = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).waitFor();

test('someone of a proven domain types an address, signs in at the provider, and is in', async () => {
  await createSsoCompany(app, provider, { domain: 'browser.example', default_role: 'member' });
  provider.people.set('bea', { email: 'bea@browser.example' });
  provider.subject = 'bea';
  const page = await open('/documents', desk);
  const offer = page.getByRole('button', { name: ssoTexts.en.continue });
  await page.getByLabel('E-mail address').fill('bea@elsewhere.example');
  await expect.poll(() => offer.isVisible()).toBe(false);
  await page.getByLabel('E-mail address').fill('bea@browser.example');
  await offer.waitFor();
  await expectSound(page);
  await offer.click();
  await shows(page, 'bea@browser.example');
  await press(page, 'Sign in');
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  expect(page.url()).toBe(`${origin}/documents`);
  // The same browser again: it is known, and the provider does not ask.
  await page.context().clearCookies({ name: 'countersign_session' });
  await page.goto(origin);
  await page.getByLabel('E-mail address').fill('bea@browser.example');
  await offer.click();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  const [browsers] = await app.db.query<{ count: number }>({
    name: '',
    text: `select count(*)::int as count from known_browsers b join people p on p.id = b.person_id where p.email = $1`,
    values: ['bea@browser.example'],
  });
  expect(browsers?.count).toBe(1);

  await page.goto(`${origin}/account`);
  await page.getByText('You signed in with your company’s single sign-on.').waitFor();
  expect(await page.getByRole('button', { name: 'Set up' }).count()).toBe(0);
  await expectSound(page);
});

test('one who refuses reads why in Spanish, and gets back', async () => {
  const company = await createSsoCompany(app, provider);
  const page = await open(`/sign-in/sso/${company.ssoId}`, { ...phone, locale: 'es-ES', colorScheme: 'dark' });
  await shows(page, new URL(provider.issuer).host);
  await expectSound(page);
  await press(page, ssoTexts.es.continue);
  await press(page, 'Refuse');
  await shows(page, ssoTexts.es.reasons.declined);
  expect(page.url()).toBe(`${origin}/sign-in/sso/failed?reason=declined`);
  await expectSound(page);
  await page.getByRole('link', { name: ssoTexts.es.back }).click();
  await page.getByLabel('Contraseña').waitFor();
});

test('a company with only single sign-on sends people there after a password', async () => {
  const company = await createSsoCompany(app, provider);
  const member = await addMember(app, company.id, 'member', 'pat@only.example');
  await app.db.query({ name: '', text: 'update accounts set requires_sso = true where id = $1', values: [company.id] });
  provider.people.set('pat', { email: member.email, email_verified: true });
  provider.subject = 'pat';
  const page = await open('/', phone);
  await page.getByLabel('E-mail address').fill(member.email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
  await page.getByRole('heading', { name: ssoTexts.en.neededTitle }).waitFor();
  await expectSound(page);
  await press(page, ssoTexts.en.continue);
  await press(page, 'Sign in');
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
});

test('members of another company are led to one with only single sign-on', async () => {
  const company = await createSsoCompany(app, provider);
  const member = await addMember(app, company.id, 'member', 'mia@two.example');
  await addMember(app, (await createCompany(app)).id, 'member', member.email);
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com', role: null }];
  const draft = { title: 'Lease', type: 'contract', recipients, content: {} };
  const { id } = (await company.owner.post('/documents', draft)).body;
  await app.db.query({ name: '', text: 'update accounts set requires_sso = true where id = $1', values: [company.id] });
  provider.people.set('mia', { email: member.email, email_verified: true });
  provider.subject = 'mia';

  const token = await mintSignInLink(app.world, app.db, member.personId, 'invitation', company.id);
  const page = await open(`/sign-in/${token}`, phone);
  await press(page, 'Continue');
  await page.waitForURL(`${origin}/sign-in/sso/${company.ssoId}?to=%2F`);
  await page.goto(`${origin}/documents/${id}`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  const offered = /^Open Company \d+ with single sign-on$/;
  await press(page, /^Your menu/);
  await page.getByRole('menuitem', { name: offered }).waitFor();
  await page.keyboard.press('Escape');
  await expectSound(page);
  await page.getByRole('main').getByRole('link', { name: offered }).click();
  await press(page, ssoTexts.en.continue);
  await press(page, 'Sign in');
  await page.getByRole('heading', { level: 1, name: 'Lease' }).waitFor();
  expect(page.url()).toBe(`${origin}/documents/${id}`);
});

test('an owner sets the provider up, tests it, maps groups and proves a domain', async () => {
  const { id } = await createCompany(app);
  const member = await addMember(app, id, 'owner');
  const page = await openConsole('/settings/single-sign-on', { browser, app, member, device: desk });
  await expectSound(page);
  const issuer = page.getByLabel('Issuer');
  await issuer.fill(`${provider.issuer}/realms/none`);
  await press(page, 'Test');
  await shows(page, 'There is no discovery document at this address. Check the issuer.');
  await issuer.fill(provider.issuer);
  await press(page, 'Test');
  await page.getByText('The provider answers as it should.').waitFor();
  await page.getByLabel('Client ID').fill(clientId);
  await press(page, 'Save');
  await page.getByText('Enter the client secret: a new issuer').waitFor();
  await page.getByLabel('Client secret').fill(clientSecret);
  await page.getByLabel('Group claim').fill('groups');
  await press(page, 'Add a group');
  await page.getByLabel('Group 1', { exact: true }).fill('Contract Admins');
  await page.getByLabel('Role of group 1').selectOption('admin');
  await page.getByLabel('Role of new people').selectOption('member');
  await page.route(
    '**/console/api/sso',
    async (route) => {
      const response = await route.fetch();
      await issuer.fill(`${provider.issuer}/`);
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await press(page, 'Save');
  await page.getByText('Sign-in link of your company').waitFor();
  await page.getByText('A secret is stored.').waitFor();
  // What was typed while it was saved stays, and isn't called saved.
  expect(await issuer.inputValue()).toBe(`${provider.issuer}/`);
  expect(await page.getByText('Saved.', { exact: true }).count()).toBe(0);
  await issuer.fill(provider.issuer);
  await press(page, 'Save');
  await shows(page, 'Saved.');
  expect(
    await page.getByRole('button', { name: 'Save', exact: true }).evaluate((button) => button.matches(':focus')),
  ).toBe(true);
  await expectSound(page);

  await page.getByLabel('Domain', { exact: true }).fill('settings.example');
  await press(page, 'Add domain');
  await shows(page, '_countersign.settings.example');
  await press(page, 'Check: settings.example');
  await page.getByText('The record isn’t there yet.').waitFor();
  const record = await page.locator('code', { hasText: 'countersign-domain=' }).textContent();
  reply = { texts: [record ?? ''] };
  await press(page, 'Check: settings.example');
  await shows(page, 'Proven');
  await expectSound(page);

  await page.getByLabel('Only single sign-on').check();
  await press(page, 'Save');
  await page.getByText('Save without “Only single sign-on” first').waitFor();
  await page.getByLabel('E-mail address of the member').fill('nobody@settings.example');
  await press(page, 'Unlink');
  await shows(page, 'Nobody with this address is linked to the provider.');
  await press(page, 'Remove single sign-on');
  await pressIn(page, 'Remove single sign-on');
  await page.getByText('A secret is stored.').waitFor({ state: 'detached' });
});

test('settings that a colleague changed are not overwritten by those that were shown before', async () => {
  const company = await createSsoCompany(app, provider, { default_role: 'admin' });
  const page = await openConsole('/settings/single-sign-on', {
    browser,
    app,
    member: company.ownerMember,
    device: desk,
  });
  await page.getByLabel('Domain', { exact: true }).fill('overlap.example');
  expect((await company.save({ default_role: '' })).status).toBe(200);
  const saving = Promise.withResolvers<void>();
  await page.route('**/console/api/sso/domains', async (route) => {
    await saving.promise;
    await route.continue();
  });
  await press(page, 'Add domain');
  await page.getByLabel('Client secret').fill('a new secret');
  await press(page, 'Save');
  saving.resolve();
  await page.getByText('Someone else changed the settings.').waitFor();
  expect((await company.owner.get('/sso')).body).toMatchObject({ version: 2, default_role: '' });
  await press(page, 'Load the newest version');
  await expect.poll(() => page.getByLabel('Role of new people').inputValue()).toBe('');
});

test('the settings fit a phone, in Spanish and dark', async () => {
  const company = await createSsoCompany(app, provider, {
    role_claim: 'groups',
    roles: [{ value: 'cn=administradores de contratos,ou=grupos,dc=empresa,dc=example', role: 'admin' }],
  });
  await proveFor(app, company.id, 'un-dominio-muy-largo-de-una-empresa-con-un-nombre-largo.example');
  await company.owner.post('/sso/domains', { domain: 'bücher.example' });
  const device = { ...phone, locale: 'es-ES', colorScheme: 'dark' } as const;
  const page = await openConsole('/settings/single-sign-on', { browser, app, member: company.ownerMember, device });
  await shows(page, 'Emisor');
  await expectSound(page);
});

test('a sensitive change asks for a new sign-in at the provider in another tab, and then continues', async () => {
  const company = await createSsoCompany(app, provider);
  await addMember(app, company.id, 'owner', 'olga@again.example');
  provider.people.set('olga', { email: 'olga@again.example', email_verified: true });
  provider.subject = 'olga';
  const page = await open(`/sign-in/sso/${company.ssoId}?to=/settings/single-sign-on`, desk);
  await press(page, ssoTexts.en.continue);
  await press(page, 'Sign in');
  await page.getByLabel('Domain', { exact: true }).fill('again.example');
  app.clock.advance({ minutes: 20 });
  await press(page, 'Add domain');
  await page.getByText('Sign in again with your company’s single sign-on').waitFor();
  await expectSound(page);
  const signInAgain = async () => {
    const link = page.getByRole('dialog').getByRole('link', { name: 'Sign in again' });
    const [tab] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    await press(tab, ssoTexts.en.continue);
    await press(tab, 'Sign in');
    await tab.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
    await tab.close();
  };
  // A provider that doesn't say when it asked proves nothing, and the dialog says so.
  provider.change = (path, answer) => {
    if (path !== '/token') return null;
    const json = JSON.parse(answer);
    const { auth_time: _, ...token } = JSON.parse(Buffer.from(json.id_token.split('.')[1], 'base64url').toString());
    return JSON.stringify({ ...json, id_token: provider.token(token) });
  };
  await signInAgain();
  provider.change = null;
  await page.getByText('your provider doesn’t say when it asked you').waitFor();
  await expectSound(page);
  app.clock.advance({ minutes: 1 });
  await signInAgain();
  await shows(page, '_countersign.again.example');
});
