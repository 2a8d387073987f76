import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, call, createCompany, startTestService, type TestService } from '../support/service.ts';
import { openConsole, press } from './open-console.ts';
import { addMember, type Member, refusal, signedIn } from './visitor.ts';

/** A person with two companies switches to the other one in another tab. */
let app: TestService;
let browser: Browser;
let shown: Company;
let other: Company;
let member: Member;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService({ env: { ROLE: 'web' } }), launchBrowser()]);
  [shown, other] = [await createCompany(app), await createCompany(app)];
  member = await addMember(app, shown.id, 'owner');
  await addMember(app, other.id, 'owner', member.email);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

const documentsOf = async ({ id }: Company) =>
  (await app.db.query({ name: '', text: 'select from documents where account_id = $1', values: [id] })).length;

test('requests of a page that shows another company than the session works in are refused', async () => {
  const visitor = await signedIn(app, member);
  await visitor.post('/account', { account_id: other.id });
  const headers = { 'countersign-company': shown.id };
  for (const [method, path, body] of [
    ['GET', '/me', undefined],
    ['GET', '/documents', undefined],
    ['POST', '/keys', { name: 'Mine', mode: 'live', scopes: ['documents:read'] }],
  ] as const) {
    expect(refusal(await visitor.call(method, path, body, headers)), path).toEqual([409, 'other_company']);
  }
  expect((await visitor.call('GET', '/sessions', undefined, headers)).status).toBe(200);
  expect((await visitor.call('POST', '/account', { account_id: shown.id }, headers)).status).toBe(200);
  expect((await visitor.call('GET', '/documents', undefined, headers)).status).toBe(200);
});

test('a file is not exported from another company than the page shows', async () => {
  const visitor = await signedIn(app, member);
  await visitor.post('/account', { account_id: shown.id });
  const page = await openConsole('/documents', { browser, app, member, device: desk, signIn: async () => visitor });
  const { key } = shown;
  await call(app, 'POST', '/documents', { key, body: { title: 'Exported', recipients: [ada] } });
  const link = page.getByRole('link', { name: 'Export as CSV' });
  const address = new URL((await link.getAttribute('href')) ?? '', app.baseUrl).href;
  expect(await (await page.request.get(address)).text()).toContain('Exported');
  await visitor.post('/account', { account_id: other.id });
  expect((await page.request.get(address)).status()).toBe(409);
  for (const path of ['documents/export', 'audit-log/export', 'messages/export']) {
    const ask = (company: string) => visitor.get(`/${path}?format=csv&company=${company}`);
    expect(refusal(await ask(shown.id)), path).toEqual([409, 'other_company']);
    expect((await ask(other.id)).status, path).toBe(200);
  }
});

test.each([
  ['a desk', desk],
  ['a phone in the dark', { ...phone, colorScheme: 'dark' }],
] as const)(
  'on %s: nothing is made in the other company, and the page continues with its own',
  async (_name, device) => {
    const page = await openConsole('/documents/new', { browser, app, member, device });
    await page.getByLabel('Title').fill('For the first company');
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    const before = [await documentsOf(shown), await documentsOf(other)] as const;
    const switched = await page.context().request.post(new URL('/console/api/account', app.baseUrl).href, {
      data: { account_id: other.id },
      headers: { origin: new URL(app.baseUrl).origin },
    });
    expect(switched.status()).toBe(200);
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/console/api/documents'));
    await press(page, 'Create draft');
    // A search for contacts is refused too, and may be so earlier.
    expect((await refused).status()).toBe(409);
    await page.getByText('You now work in another company. This page is about').waitFor();
    await expectSound(page);
    expect([await documentsOf(shown), await documentsOf(other)]).toEqual(before);
    await press(page, 'Back to Acme Builders');
    await page.getByText('This page is about').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Title').inputValue()).toBe('For the first company');
    await press(page, 'Create draft');
    await page.getByRole('heading', { name: 'For the first company' }).waitFor();
    expect([await documentsOf(shown), await documentsOf(other)]).toEqual([before[0] + 1, before[1]]);
  },
);

test('the other company is loaded on request', async () => {
  const page = await openConsole('/documents', { browser, app, member, device: desk });
  await page.context().request.post(new URL('/console/api/account', app.baseUrl).href, {
    data: { account_id: other.id },
    headers: { origin: new URL(app.baseUrl).origin },
  });
  await page.getByRole('link', { name: 'Templates' }).click();
  await press(page, 'Load the other company');
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await page.getByText('This page is about').waitFor({ state: 'detached' });
});

test('a document of the other company, as in the link of a notice: the page offers to switch to it', async () => {
  const visitor = await signedIn(app, member);
  await visitor.post('/account', { account_id: shown.id });
  const { key } = other;
  const { body } = await call(app, 'POST', '/documents', { key, body: { title: 'Elsewhere', recipients: [ada] } });
  const at = `/documents/${body.id}`;
  const page = await openConsole(at, { browser, app, member, device: phone, signIn: async () => visitor });
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Switch to/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Elsewhere' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(at);
  await page.context().close();
});
