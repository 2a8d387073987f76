import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, type Sitting } from './open-console.ts';
import { createSampleDocuments } from './sample-company.ts';
import { addMember, type Member } from './visitor.ts';

/** What all pages share: command palette, menus, keys, times and the way back to a list. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  await createSampleDocuments(app, company);
  ruth = await addMember(app, company.id, 'owner', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const open = (path: string, device: BrowserContextOptions = desk, more: Partial<Sitting> = {}) =>
  openConsole(path, { browser, app, member: ruth, device, ...more });

/** Opens the palette with the two leases found. */
async function openPalette(page: Page) {
  await page.keyboard.press('Control+k');
  const box = dialog(page).getByRole('combobox');
  await box.fill('lease');
  await expect.poll(() => dialog(page).getByRole('option').count()).toBe(2);
  return box;
}

/** Holds the answers to a search until the returned function is called. */
async function holdSearch(page: Page, words: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/console/api/documents?*q=${words}*`, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('Enter in the palette opens nothing that was found for other words', async () => {
  const page = await open('/documents');
  const box = await openPalette(page);
  const release = await holdSearch(page, 'estimate');
  const asked = page.waitForRequest(/q=estimate/);
  await box.fill('estimate');
  await box.press('Enter');
  await asked;
  await box.press('Enter');
  expect(await dialog(page).getByRole('option').count()).toBe(0);
  release();
  await dialog(page).getByRole('option', { name: 'Estimate: roof repair' }).waitFor();
  await box.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Estimate: roof repair' }).waitFor();
});

test('Enter in the palette runs a command before the documents are found', async () => {
  const page = await open('/documents');
  const box = await openPalette(page);
  await holdSearch(page, 'dark');
  await box.fill('dark');
  await box.press('Enter');
  await closed(page);
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  expect(new URL(page.url()).pathname).toBe('/documents');
});

test('documents that are found later leave the selected row of the palette', async () => {
  await createDraft(app, company.key, { title: 'Branding of the site' });
  const page = await open('/documents');
  const release = await holdSearch(page, 'branding');
  const box = await openPalette(page);
  await box.fill('branding');
  const selected = dialog(page).getByRole('option', { selected: true });
  await selected.getByText('Settings: Branding').waitFor();
  release();
  await dialog(page).getByRole('option', { name: 'Branding of the site' }).waitFor();
  expect(await selected.innerText()).toBe('Settings: Branding');
  await box.press('ArrowUp');
  expect(await selected.innerText()).toMatch(/^Branding of the site/);
  await box.press('ArrowDown');
  // Enter that ends the input of a character runs nothing.
  await box.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  expect(await dialog(page).count()).toBe(1);
  await box.press('Enter');
  await page.waitForURL(/\/settings\/branding$/);
});

test.each([
  [667, 375],
  [390, 664],
])('on a phone of %i × %i, each item of a long menu can be reached', async (width, height) => {
  const member = await addMember(app, company.id, 'member', `many-${width}@example.com`);
  for (let n = 0; n < 5; n++)
    await addMember(app, (await createCompany(app)).id, 'member', `many-${width}@example.com`);
  const page = await open('/documents', { ...phone, viewport: { width, height } }, { member });
  await page.getByRole('button', { name: 'Your menu' }).click();
  const items = page.getByRole('menu').locator('[role^=menuitem]');
  expect(await items.count()).toBeGreaterThan(12);
  for (const item of await items.all()) await item.click({ trial: true });
  await expectSound(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});

test('from a document or a template, the way back leads to the list with its filters', async () => {
  const page = await open('/documents?status=partially_signed&sort=title');
  await page.locator('tbody a').first().click();
  await page.getByRole('heading', { level: 1, name: 'Lease: 12 Harbour Street' }).waitFor();
  await page.getByRole('link', { name: 'All documents' }).click();
  await page.waitForURL(/\/documents\?status=partially_signed&sort=title$/);
  await page.goto(`${new URL(page.url()).origin}/templates?q=lease`);
  await page.getByRole('link', { name: 'Lease of a flat', exact: true }).click();
  await page.getByRole('link', { name: 'All templates' }).click();
  await page.waitForURL(/\/templates\?q=lease$/);
});

test('the way back from a draft keeps the filters of the list when the draft was edited in between', async () => {
  await createDraft(app, company.key, { title: 'Minutes of May' });
  const page = await open('/documents?status=draft&sort=title');
  await page.getByRole('link', { name: 'Minutes of May' }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Minutes of June');
  await press(page, 'Save');
  await page.getByRole('heading', { level: 1, name: 'Minutes of June' }).waitFor();
  await page.getByRole('link', { name: 'All documents' }).click();
  await page.waitForURL(/\/documents\?status=draft&sort=title$/);
});

test('templates are searched for a number that is in the address', async () => {
  const page = await open('/templates?q=12');
  await page.getByRole('heading', { name: 'No matching templates' }).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('12');
});

test('times are updated while a page is open', async () => {
  await createDraft(app, company.key, { title: 'Just made' });
  const page = await open('/documents', desk, { prepare: (page) => page.clock.install({ time: app.clock.now() }) });
  const time = page.getByRole('row', { name: 'Just made' }).locator('time');
  await time.getByText('now', { exact: true }).waitFor();
  await page.clock.fastForward('05:00:00');
  await time.getByText('5 hr. ago').waitFor();
});

test('the key / opens the palette on a page without a search box', async () => {
  const page = await open('/settings');
  await page.keyboard.press('/');
  await dialog(page).getByRole('combobox').waitFor();
  expect(await dialog(page).getByRole('combobox').inputValue()).toBe('');
});
