import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { createPublicLink, newestCodeTo, visitLink } from '../support/public-link.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** Public links in the console, and their page as visitors see it. */
let app: TestService;
let browser: Browser;
let company: Company;
let member: Member;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService({ env: { ROLE: 'web' } }), launchBrowser()]);
  company = await createCompany(app);
  member = await addMember(app, company.id, 'member');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const open = (path: string, device: BrowserContextOptions = desk) =>
  openConsole(path, { browser, app, member, device });
const shown = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).first().waitFor();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

async function createTemplate(recipients: object[] = [{ name: 'Guest' }]): Promise<string> {
  const visitor = await signedIn(app, member);
  return (await visitor.post('/templates', { title: 'Photo consent', recipients })).body.id;
}

/** Opens a page as someone without an account, who has no script if the device says so. */
async function visitor(path: string, device: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...device });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(new URL(app.baseUrl).origin + path);
  return page;
}

test('a link is made, published, used, changed, switched off and deleted', async () => {
  const id = await createTemplate();
  const page = await open(`/templates/${id}`);
  await page.getByRole('link', { name: 'Public links' }).click();
  await heading(page, 'Public links');
  await shown(page, 'This template has no public links yet.');
  await press(page, 'New public link');
  await dialog(page).getByLabel('Name on the page').fill('Summer party');
  await dialog(page).getByLabel('Maximum documents').fill('0');
  await pressIn(page, 'Create link');
  await dialog(page).getByText('Enter a whole number from 1 to 10,000.').waitFor();
  await dialog(page).getByLabel('Maximum documents').fill('2');
  await pressIn(page, 'Create link');
  await heading(page, 'Summer party');
  await shown(page, 'Open');
  await shown(page, '0 of 2');

  const url = (await page.locator('pre code').textContent()) ?? '';
  const guest = visitLink(app, { token: url.split('/').at(-1) ?? '' });
  await guest.post('verify', { code: await guest.askCode('Ada Lovelace', 'ada@party.example') });
  await shown(page, '1 of 2');
  await page.getByRole('link', { name: 'Photo consent' }).click();
  await heading(page, 'Photo consent');
  await page.getByText('Made from the public link').getByRole('link', { name: 'Summer party' }).click();
  await heading(page, 'Summer party');

  await press(page, 'Change');
  await dialog(page).getByLabel('Ends on').fill('2020-01-01T09:00');
  await pressIn(page, 'Save');
  await dialog(page).getByText('Choose an end in the future.').waitFor();
  await dialog(page).getByLabel('Ends on').fill('2099-01-01T09:00');
  await dialog(page).getByLabel('Maximum documents').fill('1');
  await pressIn(page, 'Save');
  await closed(page);
  await shown(page, 'Used up');
  await shown(page, /^Jan 1, 2099/);

  await press(page, 'Switch off');
  await pressIn(page, 'Switch off');
  await closed(page);
  await shown(page, 'Switched off');
  await press(page, 'Switch on');
  await pressIn(page, 'Switch on');
  await closed(page);
  await shown(page, 'Used up');
  await press(page, 'Delete');
  await pressIn(page, 'Delete');
  await heading(page, 'Public links');
  await shown(page, 'This template has no public links yet.');
});

test('the dialog that switches a link off never switches it on, also when someone else was faster', async () => {
  const id = await createTemplate();
  const link = await createPublicLink(app, company, {}, { templateId: id });
  const page = await open(`/templates/${id}/links/${link.id}`);
  await press(page, 'Switch off');
  await dialog(page).getByText('Switch this link off?').waitFor();
  const other = await signedIn(app, member);
  await other.post(`/templates/${id}/links/${link.id}/off`);
  await shown(page, 'Switched off');
  await dialog(page).getByText('Switch this link off?').waitFor();
  await pressIn(page, 'Switch off');
  await closed(page);
  const { body } = await other.get(`/templates/${id}/links/${link.id}`);
  expect(body.is_on).toBe(false);
});

test('changing a link leaves what a colleague changed meanwhile, and says in whose name it sends from then on', async () => {
  const id = await createTemplate();
  const link = await createPublicLink(app, company, { name: 'Sumer party' }, { templateId: id });
  const page = await open(`/templates/${id}/links/${link.id}`);
  await press(page, 'Change');
  await dialog(page).getByText('Its documents are sent in your name from now on.').waitFor();
  const other = await signedIn(app, await addMember(app, company.id, 'member'));
  await other.post(`/templates/${id}/links/${link.id}`, { documents_max: 500, one_per_email: false });
  await shown(page, '0 of 500');
  await dialog(page).getByLabel('Name on the page').fill('Summer party');
  await pressIn(page, 'Save');
  await closed(page);
  const { body } = await other.get(`/templates/${id}/links/${link.id}`);
  expect(body).toMatchObject({ name: 'Summer party', documents_max: 500, one_per_email: false });

  await shown(page, member.email);
  await press(page, 'Change');
  await dialog(page).getByLabel('Name on the page').waitFor();
  expect(await dialog(page).getByText('Its documents are sent in your name').count()).toBe(0);
});

test('the links of a deleted template are listed, and none can be made', async () => {
  const id = await createTemplate();
  await createPublicLink(app, company, { name: 'Summer party' }, { templateId: id });
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  expect((await admin.call('DELETE', `/templates/${id}`)).status).toBe(200);
  const page = await open(`/templates/${id}/links`);
  await shown(page, /^This template was deleted, so nobody can sign with its links\./);
  expect(await page.getByRole('button', { name: 'New public link' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Summer party' }).click();
  await heading(page, 'Summer party');
  await page.getByRole('link', { name: 'Public links' }).first().click();
  await page.getByRole('link', { name: 'All templates' }).click();
  await heading(page, 'Templates');
});

test('a template from which nobody can sign says what to change, and a link that is broken later says why', async () => {
  const none = await open(`/templates/${await createTemplate([{ name: 'Boss', email: 'boss@example.com' }])}/links`);
  await press(none, 'New public link');
  await pressIn(none, 'Create link');
  await dialog(none)
    .getByText(/^Every recipient of the template has an e-mail address/)
    .waitFor();

  const id = await createTemplate();
  const link = await createPublicLink(app, company, {}, { templateId: id });
  const page = await open(`/templates/${id}/links/${link.id}`);
  const other = await signedIn(app, member);
  const { version } = (await other.get(`/documents/${id}`)).body;
  await other.post(`/documents/${id}`, { version, title: 'Photo consent', recipients: [] });
  await shown(page, 'Visitors can’t sign now. The template has no recipients.');
  await shown(page, 'Not available');
});

test.each([
  ['on a desk', desk],
  ['on a phone, in the dark', { ...phone, colorScheme: 'dark' }],
  ['in Spanish, on a phone', { ...phone, locale: 'es-ES' }],
] as const)('the pages of the console are sound %s', async (_, device) => {
  const id = await createTemplate();
  const name = `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(4)} <b>`;
  const link = await createPublicLink(app, company, { name }, { templateId: id });
  const guest = visitLink(app, link);
  await guest.post('verify', { code: await guest.askCode('Ada', `ada-${app.world.newId()}@example.com`) });
  const page = await open(`/templates/${id}/links`, device);
  await page.getByRole('row').nth(1).waitFor();
  await expectSound(page);
  await page.getByRole('link', { name }).click();
  await heading(page, name);
  await page.getByRole('row').nth(1).waitFor();
  await expectSound(page);
  // A phone widens its view to content that is too wide.
  expect(await page.evaluate('innerWidth')).toBe(device.viewport.width);
  await page.getByRole('button', { name: /^(Change|Cambiar)$/ }).click();
  await dialog(page).getByRole('checkbox').waitFor();
  await expectSound(page);
});

test.each([
  ['on a phone', phone, 'en'],
  ['on a desk, in the dark', { ...desk, colorScheme: 'dark' }, 'es'],
] as const)('the page of a link leads to the signing page and is sound %s', async (_, device, language) => {
  const link = await createPublicLink(app, company, { language, name: 'Summer party' });
  const page = await visitor(`/link/${link.token}`, device);
  await heading(page, 'Summer party');
  await expectSound(page);
  // What a browser that keeps no cookies comes back to.
  await page.goto(`${page.url()}?sent=${Math.floor(app.world.clock.now().getTime() / 1000)}`);
  await page.getByRole('alert').waitFor();
  await expectSound(page);
  const [name, email] = [page.locator('#name'), page.locator('#email')];
  await name.fill('Ada Lovelace');
  await email.fill('nobody');
  await page.locator('button[value=request]:visible').click();
  await page.getByRole('alert').waitFor();
  await expectSound(page);
  expect(await name.inputValue()).toBe('Ada Lovelace');
  const address = `ada-${app.world.newId()}@example.com`;
  await email.fill(address);
  await page.keyboard.press('Enter');
  await page.locator('#code').waitFor();
  await expectSound(page);
  const code = await newestCodeTo(app, address);
  await page.locator('#code').fill(code === '123456' ? '654321' : '123456');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await expectSound(page);
  await page.locator('#code').fill(code);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sign\//);
  await heading(page, 'Photo consent');
});

test('the page of a link needs no script, and says when nobody can sign', async () => {
  const link = await createPublicLink(app, company, { documents_max: 1 });
  const page = await visitor(`/link/${link.token}`, { ...phone, javaScriptEnabled: false });
  await page.getByLabel('Your full name').fill('Ada Lovelace');
  const address = `ada-${app.world.newId()}@example.com`;
  await page.getByLabel('Your e-mail address').fill(address);
  await press(page, 'Send code');
  await page.getByLabel('Verification code').fill(await newestCodeTo(app, address));
  await press(page, 'Continue');
  await page.waitForURL(/\/sign\//);
  await page.goto(`${new URL(app.baseUrl).origin}/link/${link.token}`);
  await heading(page, 'No more places');
  const closedPage = await visitor(`/link/${link.token}`, phone);
  await heading(closedPage, 'No more places');
  await expectSound(closedPage);
});
