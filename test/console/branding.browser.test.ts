import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLinkOf } from '../signing/signer.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { sampleJpeg, samplePng } from '../support/sample-logo.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { openConsole, press } from './open-console.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** The page of the branding, and signing pages of a company with a brand. */
let app: TestService;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService({ env: { ROLE: 'web' } }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

async function newAdmin(): Promise<{ company: Company; member: Member }> {
  const company = await createCompany(app);
  return { company, member: await addMember(app, company.id, 'admin') };
}

async function open(device: BrowserContextOptions = desk, member?: Member): Promise<Page> {
  const admin = member ?? (await newAdmin()).member;
  const page = await openConsole('/settings/branding', { browser, app, member: admin, device });
  await page.locator('input[type=file]').waitFor({ state: 'attached' });
  return page;
}

const choose = (page: Page, buffer: Buffer, name = 'logo.png', mimeType = 'image/png') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

test('logo, colour and sender are saved, shown and kept', async () => {
  const { member } = await newAdmin();
  const page = await open(desk, member);
  await choose(page, samplePng({ width: 1600, height: 400 }));
  await said(page, 'Logo saved.');
  const logo = page.getByRole('img', { name: 'Current logo' });
  await expect
    .poll(() => logo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(880);

  await page.getByLabel('Accent colour', { exact: true }).fill('#ffd400');
  await page.getByLabel('Sender name').fill('Acme Roofing');
  await page.getByLabel('Reply address').fill('office@acme.example');
  await page.getByLabel('Always send answers here').check();
  await press(page, 'Save');
  await said(page, 'Saved.');
  await expectSound(page);
  await page.reload();
  await logo.waitFor();
  expect(await page.getByLabel('Accent colour', { exact: true }).inputValue()).toBe('#ffd400');
  expect(await page.getByLabel('Sender name').inputValue()).toBe('Acme Roofing');
  expect(await page.getByLabel('Reply address').inputValue()).toBe('office@acme.example');
  expect(await page.getByLabel('Always send answers here').isChecked()).toBe(true);

  await choose(page, sampleJpeg, 'logo.jpg', 'image/jpeg');
  await expect.poll(() => logo.getAttribute('src')).toMatch(/\.jpeg$/);
  await press(page, 'Remove logo');
  await logo.waitFor({ state: 'detached' });
});

test('what is wrong is said next to the form, and a picture that is none is refused', async () => {
  const page = await open();
  const alert = page.getByRole('alert');
  await choose(page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
  await alert.getByText('Choose a PNG without interlacing, or a JPEG').waitFor();
  await choose(page, Buffer.alloc(600 * 1024));
  await alert.getByText('Choose a file of at most 512 KB.').waitFor();
  await page.getByLabel('Accent colour', { exact: true }).fill('blue');
  await press(page, 'Save');
  await alert.getByText('Enter a colour such as #22407a.').waitFor();
  await page.getByLabel('Accent colour', { exact: true }).fill('');
  await page.getByLabel('Reply address').fill('office');
  await press(page, 'Save');
  await alert.getByText('Enter a valid e-mail address.').waitFor();
  await expectSound(page);
});

test('texts are written with a preview, saved and sent as a test', async () => {
  const page = await open();
  const frame = page.frameLocator('iframe');
  await frame.getByText('Acme Builders has sent you this document to sign.').waitFor();
  await page.getByLabel('First paragraph').fill('Dear {{recipient_name}}, <b>please</b> sign.');
  await page.getByLabel('Subject').fill('News of {{company_name}}');
  await frame.getByText('Dear Ada Lovelace, <b>please</b> sign.').waitFor();
  await said(page, 'News of Acme Builders');
  await expectSound(page);
  await page.getByLabel('Subject').fill('News of {{company}}');
  await page.getByRole('alert').getByText('“{{company}}” is not a variable.').first().waitFor();
  await press(page, 'Save text');
  await expect.poll(() => page.getByRole('alert').getByText('“{{company}}” is not a variable.').count()).toBe(2);
  await expectSound(page);
  await page.getByLabel('Subject').fill('News of {{company_name}}');
  await press(page, 'Save text');
  await said(page, 'Saved.');
  await press(page, 'Send me a test e-mail');
  await page.getByText(/^We sent it with the saved texts to admin-\d+@example\.com\.$/).waitFor();

  await page.getByLabel('Language').selectOption('Español');
  await frame.getByText('Acme Builders le ha enviado este documento para que lo firme.').waitFor();
  expect(await page.getByLabel('Subject').inputValue()).toBe('');
  await page.getByLabel('E-mail', { exact: true }).selectOption('Completed copy');
  await frame.getByText('El documento se ha completado').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('News of {{company_name}}');
});

test('a change of someone else is not overwritten', async () => {
  const { member } = await newAdmin();
  const page = await open(desk, member);
  const other = await signedIn(app, member);
  const settings = { accent: '#111111', sender_name: 'Theirs', reply_to: '', always_reply_to: false };
  await other.post('/branding', { version: 0, ...settings });
  await page.getByLabel('Sender name').fill('Mine');
  await press(page, 'Save');
  await page.getByRole('alert').getByText('Someone else changed the branding.').waitFor();
  await press(page, 'Load the newest version');
  await expect.poll(() => page.getByLabel('Sender name').inputValue()).toBe('Theirs');
  await page.getByLabel('Sender name').fill('Mine');
  await press(page, 'Save');
  await said(page, 'Saved.');
});

test('what is typed while the service is away stays, and is saved once it is back', async () => {
  const page = await open();
  await page.getByLabel('Sender name').fill('Acme');
  await page.getByLabel('Subject').fill('News');
  await page.route('**/console/api/**', (route) => route.abort('connectionrefused'));
  await press(page, 'Save');
  await page.getByText('The service isn’t answering.').waitFor();
  await page.unroute('**/console/api/**');
  await page.getByText('The service isn’t answering.').waitFor({ state: 'detached' });
  // A page that was read again would have replaced it by now.
  await page.waitForLoadState('networkidle');
  expect(await page.getByLabel('Sender name').inputValue()).toBe('Acme');
  expect(await page.getByLabel('Subject').inputValue()).toBe('News');
  await press(page, 'Save');
  await said(page, 'Saved.');
});

test('what is saved and typed while another part is saved is not lost', async () => {
  const { member } = await newAdmin();
  const page = await open(desk, member);
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/console/api/branding', async (route) => {
    if (route.request().method() === 'POST') await isHeld;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/branding'));
  const sender = page.getByLabel('Sender name');
  await sender.fill('Acme');
  await press(page, 'Save');
  await asked;
  await sender.fill('Acme Roofing');
  await page.getByLabel('Subject').fill('News');
  await press(page, 'Save text');
  await choose(page, samplePng({ width: 1600, height: 400 }));
  await choose(page, sampleJpeg, 'logo.jpg', 'image/jpeg');
  release();
  await said(page, 'Logo saved.');
  await expect.poll(() => page.getByRole('img', { name: 'Current logo' }).getAttribute('src')).toMatch(/\.jpeg$/);
  const saved = page.getByText('Saved.', { exact: true });
  await expect.poll(() => saved.count()).toBe(1);
  expect(await sender.inputValue()).toBe('Acme Roofing');
  const { body } = await (await signedIn(app, member)).get('/branding');
  expect(body).toMatchObject({ sender_name: 'Acme', version: 4 });
  await press(page, 'Save');
  await expect.poll(() => saved.count()).toBe(2);
  expect((await (await signedIn(app, member)).get('/branding')).body.sender_name).toBe('Acme Roofing');
});

test.each([
  ['a phone in the dark', { ...phone, colorScheme: 'dark' }],
  ['a desk in Spanish', { ...desk, locale: 'es-ES' }],
] as [string, BrowserContextOptions][])('the page is sound on %s', async (_device, device) => {
  const page = await open(device);
  await choose(page, samplePng());
  await page.getByRole('img').first().waitFor();
  for (const accent of ['#fffde0', '#000000']) {
    await page.getByLabel(/^(Accent colour|Color de acento)$/).fill(accent);
    await expectSound(page);
  }
});

const devices: [string, BrowserContextOptions][] = [
  ['a desk', desk],
  ['a phone in the dark', { ...phone, colorScheme: 'dark' }],
];
const accents: [string, string][] = [
  ['very light', '#fffde0'],
  ['very dark', '#050008'],
  ['middling', '#8a8a00'],
];

test.each(
  devices.flatMap(([device, options]) => accents.map(([name, accent]) => [name, device, accent, options] as const)),
)('signing pages with a %s accent are sound on %s', async (_name, _device, accent, options) => {
  const { company, member } = await newAdmin();
  const visitor = await signedIn(app, member);
  const settings = { accent, sender_name: '', reply_to: '', always_reply_to: false };
  await visitor.post('/branding', { version: 0, ...settings });
  await visitor.upload('/branding/logo?version=1', samplePng({ width: 600, height: 90 }));
  const id = await createSent(app, company.key, { recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] });
  const { link } = await openLinkOf(app, company, id, 'Ada Lovelace');
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // The policy of the form allows no script, not even that of axe.
  const form = await (await browser.newContext({ ...options, bypassCSP: true })).newPage();
  await form.goto(`${link}/form`);
  await form.getByRole('img', { name: 'Acme Builders' }).waitFor();
  await expectSound(form);
  await form.context().close();
  const refused: string[] = [];
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  for (const path of ['', '/form']) {
    await page.goto(link + path);
    const logo = page.getByRole('img', { name: 'Acme Builders' });
    await logo.waitFor();
    expect(await logo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(600);
    if (path === '') await expectSound(page);
    const button = page.getByRole('button', { name: 'Sign', exact: true });
    const colours = await button.evaluate((element) => {
      const { backgroundColor, color } = (globalThis as unknown as Styled).getComputedStyle(element);
      return [backgroundColor, color];
    });
    if (options.colorScheme !== 'dark') expect(colours[0]).toBe(rgb(accent));
    expect(colours[0]).not.toBe(colours[1]);
  }
  expect(refused).toEqual([]);
  await context.close();
});

interface Styled {
  getComputedStyle(element: unknown): { backgroundColor: string; color: string };
}

function rgb(colour: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `rgb(${channels.join(', ')})`;
}
