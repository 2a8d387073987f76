import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { texts } from '../../src/console/sign-in/pages/texts.ts';
import { listRecipients } from '../../src/documents/queries.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { codeAt } from '../../src/identity/totp.ts';
import { texts as signingTexts } from '../../src/page-texts/texts.ts';
import type { Language } from '../../src/platform/language.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { launchBrowser } from '../support/browser.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { addAuthenticator } from './add-authenticator.ts';
import { dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, mailedLink, password, signedIn } from './visitor.ts';

/** Signing in, on a phone and on a desktop. */
let app: TestService;
let company: Company;
let browser: Browser;
/** Uses a host name, because passkeys need one. */
let origin: string;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  origin = new URL(app.baseUrl).origin.replace('127.0.0.1', 'localhost');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

/** The names of these pages after signing in. */
const behind = {
  en: { documents: 'Documents', menu: 'Your menu' },
  es: { documents: 'Documentos', menu: 'Su menú' },
};

const devices: [Language, string, BrowserContextOptions][] = [
  ['en', '390 px', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-US' }],
  ['es', '390 px', { viewport: { width: 390, height: 844 }, locale: 'es-ES', colorScheme: 'dark' }],
  ['en', '1280 px', { viewport: { width: 1280, height: 900 }, locale: 'en-US', colorScheme: 'dark' }],
  ['es', '1280 px', { viewport: { width: 1280, height: 900 }, locale: 'es-ES' }],
];

describe.each(devices)('%s, %s', (language, _width, device) => {
  const text = texts[language];
  const inside = behind[language];
  const open = () => openPage(device);
  const textBox = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

  test('with a password, after a wrong one', async () => {
    const { email } = await addMember(app, company.id, 'admin');
    const page = await open();
    await page.goto(origin);
    await heading(page, text.signIn);
    await expectSound(page);
    await press(page, text.signIn);
    await page.getByRole('alert').filter({ hasText: text.script.emailMissing }).waitFor();
    await textBox(page, text.email).fill(email);
    // A password may have 200 characters, which a browser counts as up to 400.
    const long = '😀'.repeat(200);
    await textBox(page, text.password).focus();
    await page.keyboard.insertText(long);
    expect(await textBox(page, text.password).inputValue()).toBe(long);
    await textBox(page, text.password).fill('not the one');
    await press(page, text.signIn);
    await page.getByRole('alert').filter({ hasText: text.script.wrong_credentials }).waitFor();
    await expectSound(page);
    await textBox(page, text.password).fill(password);
    await page.keyboard.press('Enter');
    await heading(page, inside.documents);
    await expectSound(page);
    await page.getByRole('button', { name: inside.menu }).click();
    await page.getByRole('menuitem', { name: text.signOut }).click();
    await heading(page, text.signIn);
  });

  test('with a link from the mailbox, which then is spent', async () => {
    const { email } = await addMember(app, company.id, 'member');
    const page = await open();
    await page.goto(origin);
    await textBox(page, text.email).fill(email);
    await press(page, text.sendLink);
    await heading(page, text.sentTitle);
    await expectSound(page);
    const { pathname } = await mailedLink(app, email);
    await page.goto(origin + pathname);
    await heading(page, text.linkTitle);
    await expectSound(page);
    await press(page, text.continue);
    await heading(page, inside.documents);
    await page.goto(origin + pathname);
    await heading(page, text.spentTitle);
    await expectSound(page);
  });

  test('with a code of an authenticator', async () => {
    const member = await addMember(app, company.id, 'member');
    const visitor = await signedIn(app, member);
    const { secret } = (await visitor.post('/totp')).body;
    await visitor.post('/totp/confirm', { code: codeAt(secret, app.clock.now()) });
    app.clock.advance({ minutes: 1 });
    const page = await open();
    await page.goto(origin);
    await textBox(page, text.email).fill(member.email);
    await textBox(page, text.password).fill(password);
    await press(page, text.signIn);
    await heading(page, text.secondFactor);
    await expectSound(page);
    await textBox(page, text.code).fill('000 000 0');
    await press(page, text.confirm);
    await page.getByRole('alert').filter({ hasText: text.script.wrong_code }).waitFor();
    await textBox(page, text.code).fill(codeAt(secret, app.clock.now()));
    await press(page, text.confirm);
    await heading(page, inside.documents);
  });

  test('to sign a document, as nobody’s member', async () => {
    const email = `signer-${language}-${device.viewport?.width}@example.com`;
    const id = await createSent(app, company.key, {
      primary_language: language,
      recipients: [{ name: 'Ada Lovelace', email, auth_level: 'l0_account_session' }],
    });
    const [recipient] = await listRecipients(app.db, company.id, id);
    const link = await mintSigningLink(app.world, app.db, origin, recipient as NonNullable<typeof recipient>);
    const signing = signingTexts[language];
    const page = await open();
    await page.goto(link);
    await page.getByRole('heading', { name: signing.needsAccountHeading }).waitFor();
    await expectSound(page);
    await press(page, signing.sendLink);
    await page.getByText(signing.script.linkSent).waitFor();
    const messages = await listMailbox(`${app.dataDir}/mailbox`, { to: email });
    const mailed = new URL(messages.flatMap(({ links }) => links).find((url) => url.includes('/sign-in/')) ?? '');
    await page.goto(origin + mailed.pathname + mailed.search);
    await page.getByText(text.linkToDocument).waitFor();
    await press(page, text.continue);
    await page.getByRole('textbox', { name: signing.fullName }).fill('Ada Lovelace');
    await page.getByRole('button', { name: signing.sign, exact: true }).click();
    await page.getByRole('heading', { name: signing.completedHeading }).waitFor();
  });
});

test('a passkey is registered, signs in by itself, and counts as both factors', async () => {
  const text = texts.en;
  const member = await addMember(app, company.id, 'owner');
  const page = await openPage({ locale: 'en-US' });
  await addAuthenticator(page);
  await page.goto(`${origin}/sign-in/${await mintSignInLink(app.world, app.db, member.personId, 'operator')}`);
  await page.getByRole('button', { name: text.continue }).click();
  await page.getByRole('heading', { level: 1, name: behind.en.documents }).waitFor();

  const registered = (await page.evaluate(registerPasskey)) as {
    first: object;
    again: { error: { code: string } };
    secret: string;
  };
  expect(registered.first).toMatchObject({ name: 'This device', last_used_at: null });
  expect(registered.again.error.code).toBe('wrong_passkey');
  const code = codeAt(registered.secret, app.clock.now());
  await page.evaluate(`fetch('/console/api/totp/confirm', { method: 'POST', body: '{"code":"${code}"}' })`);

  await page.getByRole('button', { name: behind.en.menu }).click();
  await page.getByRole('menuitem', { name: text.signOut }).click();
  await page.getByRole('button', { name: text.usePasskey }).click();
  await page.getByRole('heading', { level: 1, name: behind.en.documents }).waitFor();
  const keys = (await page.evaluate(`fetch('/console/api/passkeys').then((answer) => answer.json())`)) as {
    data: { last_used_at: string | null }[];
  };
  expect(keys.data.map(({ last_used_at }) => last_used_at !== null)).toEqual([true]);
});

test('a device that has a passkey for the account already is told so, and the list shows it', async () => {
  const member = await addMember(app, company.id, 'owner');
  const page = await openConsole('/account', { browser, app, member, device: {}, origin, prepare: addAuthenticator });
  const add = async (name: string) => {
    await press(page, 'Add a passkey');
    await dialog(page).getByLabel('Name').fill(name);
    await pressIn(page, 'Add a passkey');
  };
  // The answer is lost after the passkey is stored.
  await page.route('**/console/api/passkeys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await add('Desk');
  await dialog(page).getByRole('alert').waitFor();
  await page.getByText('Desk', { exact: true }).waitFor();
  await pressIn(page, 'Add a passkey');
  await dialog(page).getByText('already has a passkey for your account').waitFor();
});

test('a browser that lacks what passkeys need is offered none', async () => {
  const page = await openPage({ locale: 'en-US' });
  await page.addInitScript(withoutPasskeys);
  await page.goto(origin);
  await page.locator('html.is-scripted').waitFor();
  expect(await page.getByRole('button', { name: texts.en.usePasskey }).count()).toBe(0);
  await page.getByRole('button', { name: texts.en.sendLink }).waitFor();

  const member = await addMember(app, company.id, 'member');
  await page.goto(`${origin}/sign-in/${await mintSignInLink(app.world, app.db, member.personId, 'operator')}`);
  await page.getByRole('button', { name: texts.en.continue }).click();
  await page.getByRole('heading', { level: 1, name: behind.en.documents }).waitFor();
  await page.goto(`${origin}/account`);
  await page.getByText('This browser can’t use passkeys here.').waitFor();
  expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
});

/** As in older browsers, and in those that other apps show. */
const withoutPasskeys = `delete PublicKeyCredential.parseRequestOptionsFromJSON;
delete PublicKeyCredential.parseCreationOptionsFromJSON;`;

/** Registers a passkey as the settings do, and sends the same answer twice. */
const registerPasskey = `(async () => {
  const post = async (path, body) =>
    (await fetch('/console/api' + path, { method: 'POST', body: JSON.stringify(body) })).json();
  const { options } = await post('/passkeys/options', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = (await navigator.credentials.create({ publicKey })).toJSON();
  return {
    first: await post('/passkeys', { name: 'This device', response }),
    again: await post('/passkeys', { name: 'Replayed', response }),
    secret: (await post('/totp', {})).secret,
  };
})()`;

test('at an address that is no name, no passkey is offered', async () => {
  const page = await openPage({ locale: 'en-US' });
  await page.goto(new URL(app.baseUrl).origin);
  await page.getByRole('button', { name: texts.en.sendLink }).waitFor();
  expect(await page.getByRole('button', { name: texts.en.usePasskey }).count()).toBe(0);
});

async function openPage(device: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  expectNoFaults(page);
  return page;
}
