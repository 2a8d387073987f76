import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from './visitor.ts';

/** Someone else of the same company signs in in another tab. */
let app: TestService;
let browser: Browser;
let company: Company;
let ann: Member;
let bob: Member;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService({ env: { ROLE: 'web' } }), launchBrowser()]);
  company = await createCompany(app);
  [ann, bob] = [await addMember(app, company.id, 'owner'), await addMember(app, company.id, 'owner')];
  await app.db.query({ name: '', text: 'update people set password_hash = null', values: [] });
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const newPassword = 'violet anchor mosaic 91';

const withPassword = async () =>
  (await app.db.query({ name: '', text: 'select from people where password_hash is not null', values: [] })).length;

/** Signs in in another tab of the browser that `page` is open in. */
async function signInElsewhere(page: Page, visitor: Visitor): Promise<void> {
  const url = new URL(app.baseUrl).origin;
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
}

test('requests of a page that shows someone else than is signed in are refused', async () => {
  const visitor = await signedIn(app, bob);
  const headers = { 'countersign-person': ann.personId, 'countersign-company': company.id };
  for (const [method, path, body] of [
    ['GET', '/me', undefined],
    ['GET', '/sessions', undefined],
    ['GET', '/documents', undefined],
    ['POST', '/password', { password: newPassword }],
    ['POST', '/sessions/revoke-others', undefined],
    ['POST', '/account', { account_id: company.id }],
    ['POST', '/keys', { name: 'Mine', mode: 'live', scopes: ['documents:read'] }],
  ] as const) {
    expect(refusal(await visitor.call(method, path, body, headers)), path).toEqual([409, 'other_person']);
  }
  expect(refusal(await visitor.get(`/documents/export?format=csv&shown_person=${ann.personId}`))).toEqual([
    409,
    'other_person',
  ]);
  expect(await withPassword()).toBe(0);
  // A page finds out who is signed in, and signs in again.
  expect((await visitor.call('GET', '/session', undefined, headers)).body.person.id).toBe(bob.personId);
  expect((await visitor.call('POST', '/sign-in/link', { email: ann.email }, headers)).status).toBe(200);
});

test('a page that was loaded before an update, and names nobody, continues', async () => {
  const visitor = await signedIn(app, bob);
  expect((await visitor.call('GET', '/me', undefined, { 'countersign-company': company.id })).status).toBe(200);
  expect((await visitor.get(`/documents/export?format=csv&company=${company.id}`)).status).toBe(200);
});

test.each([
  ['a desk', desk],
  ['a phone in the dark, in Spanish', { ...phone, colorScheme: 'dark', locale: 'es-ES' }],
] as const)('on %s: nobody gets a password that someone else entered on their own page', async (_name, device) => {
  const isSpanish = 'locale' in device;
  const page = await openConsole('/account', { browser, app, member: ann, device });
  const set = isSpanish ? 'Crear una contraseña' : 'Set a password';
  await page.getByRole('main').getByText(ann.email).first().waitFor();
  await signInElsewhere(page, await signedIn(app, bob));
  await press(page, set);
  await dialog(page).locator('input[autocomplete="new-password"]').fill(newPassword);
  await pressIn(page, set);
  const texts = isSpanish
    ? { refused: 'Otra persona inició sesión en este navegador. Cargue', again: 'Cargar la página de nuevo' }
    : { refused: 'Someone else has signed in in this browser. Load', again: 'Load the page again' };
  await dialog(page).getByText(texts.refused).waitFor();
  await page.keyboard.press('Escape');
  await closed(page);
  await page.getByRole('alert').filter({ hasText: ann.email }).waitFor();
  await expectSound(page);
  expect(await withPassword()).toBe(0);
  await press(page, texts.again);
  await page.getByRole('main').getByText(bob.email).first().waitFor();
  await expect.poll(() => page.getByRole('main').getByText(ann.email).count()).toBe(0);
});

test('a file is not downloaded for someone else than the page shows', async () => {
  const visitor = await signedIn(app, ann);
  await visitor.post('/documents', { title: 'Exported', recipients: [{ name: 'Ada', email: 'ada@example.com' }] });
  const page = await openConsole('/documents', {
    browser,
    app,
    member: ann,
    device: desk,
    signIn: async () => visitor,
  });
  const link = page.getByRole('link', { name: 'Export as CSV' });
  const address = new URL((await link.getAttribute('href')) ?? '', app.baseUrl).href;
  expect((await page.request.get(address)).status()).toBe(200);
  await signInElsewhere(page, await signedIn(app, bob));
  expect((await page.request.get(address)).status()).toBe(409);
});
