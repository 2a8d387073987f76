import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, pressIn } from './open-console.ts';
import { createSampleDocuments, type SampleDocuments } from './sample-company.ts';
import { addMember, type Member } from './visitor.ts';

/** The list of documents in a browser: filters, order and counts are in the address. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;
let samples: SampleDocuments;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  samples = await createSampleDocuments(app, company);
  ruth = await addMember(app, company.id, 'member', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const open = (path: string, device: BrowserContextOptions = desk) =>
  openConsole(path, { browser, app, member: ruth, device });
const status = (page: Page, name: RegExp | string) =>
  page.getByRole('navigation', { name: 'Documents by status' }).getByRole('link', { name });

/** Waits until the list has exactly these titles, in this order. */
async function expectTitles(page: Page, titles: string[]): Promise<void> {
  await expect.poll(() => page.locator('tbody a').allTextContents()).toEqual(titles);
}

const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test('filters and order are in the address, survive a reload, and the back button undoes each', async () => {
  const page = await open('/documents');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Contract');
  await expectTitles(page, ['Lease: 12 Harbour Street', 'Subcontract: electrical works']);
  await status(page, 'Completed 1').waitFor();
  await status(page, 'Partially signed 1').click();
  await expectTitles(page, ['Lease: 12 Harbour Street']);
  expect(parameters(page)).toEqual({ type: 'contract', status: 'partially_signed' });
  await page.goBack();
  await expectTitles(page, ['Lease: 12 Harbour Street', 'Subcontract: electrical works']);
  await page.getByLabel('Sort by').selectOption('Oldest');
  await expectTitles(page, ['Subcontract: electrical works', 'Lease: 12 Harbour Street']);
  await page.getByLabel('Recipient').fill('grace');
  await expectTitles(page, ['Lease: 12 Harbour Street']);
  await page.reload();
  await expectTitles(page, ['Lease: 12 Harbour Street']);
  expect(parameters(page)).toEqual({ type: 'contract', sort: 'oldest', recipient: 'grace' });
  await page.getByRole('button', { name: 'Filters (2)' }).waitFor();
  expect(await page.getByLabel('Recipient').inputValue()).toBe('grace');
  expect(await page.getByLabel('Sort by').inputValue()).toBe('oldest');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect.poll(() => page.locator('tbody a').count()).toBe(7);
  expect(parameters(page)).toEqual({ sort: 'oldest' });
});

test('columns are chosen, are in the address, and stay when filters are cleared', async () => {
  const page = await open('/documents?columns=created,toString');
  await page.getByText('Lease: 12 Harbour Street').waitFor();
  expect(await page.getByRole('columnheader', { name: 'Created' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Filters' }).click();
  // The second one must not forget the first, however quickly it follows.
  await page.getByRole('checkbox', { name: 'Created' }).click();
  await page.getByRole('checkbox', { name: 'Type' }).click();
  await page.waitForURL(/columns=type(%2C|,)created/);
  await page.getByRole('columnheader', { name: 'Created' }).waitFor();
  await page
    .getByRole('row', { name: /Notice to owner/ })
    .getByRole('cell', { name: 'Notice to owner' })
    .nth(1)
    .waitFor();
  await expectSound(page);
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Contract');
  await expectTitles(page, ['Lease: 12 Harbour Street', 'Subcontract: electrical works']);
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect.poll(() => parameters(page)).toEqual({ columns: 'type,created' });
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.getByRole('columnheader', { name: 'Type' }).waitFor({ state: 'detached' });
});

test('a column shows who sent a document, or who created one that was not sent', async () => {
  const page = await open('/documents');
  await page.getByText('Lease: 12 Harbour Street').waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: 'Sent by' }).click();
  await page.waitForURL(/columns=sender/);
  const sender = page.getByRole('combobox', { name: 'Sent by' });
  await expect.poll(() => sender.locator('option').count()).toBeGreaterThan(1);
  const key = (await sender.locator('option').nth(1).textContent()) ?? '';
  await page
    .getByRole('row', { name: /Lease: 12 Harbour Street/ })
    .getByRole('cell', { name: key, exact: true })
    .waitFor();
  await page
    .getByRole('cell', { name: `Created by ${key}` })
    .first()
    .waitFor();
  await expectSound(page);
  await page.reload();
  await page
    .getByRole('cell', { name: `Created by ${key}` })
    .first()
    .waitFor();
});

test('documents are found by who sent them and by the day of their creation', async () => {
  const page = await open('/documents?type=contract');
  const sender = page.getByRole('combobox', { name: 'Sent by' });
  await expect.poll(() => sender.locator('option').count()).toBeGreaterThan(1);
  await sender.selectOption({ index: 1 });
  await page.waitForURL(/sender=api_key/);
  await expectTitles(page, ['Lease: 12 Harbour Street', 'Subcontract: electrical works']);
  // The browser's time zone decides where a day begins.
  const dayOf = (id: string) =>
    page.evaluate(`(new Date(Number.parseInt('${id}'.replace('-', '').slice(0, 12), 16))).toLocaleDateString('sv')`);
  const days = await Promise.all([samples.lease, samples.completed].map((id) => dayOf(id) as Promise<string>));
  const [lease = '', subcontract = ''] = days;
  await page.getByLabel('Created from').fill(lease);
  const sameDay = lease === subcontract;
  await expectTitles(page, ['Lease: 12 Harbour Street', ...(sameDay ? ['Subcontract: electrical works'] : [])]);
  await page.getByLabel('Created from').fill('');
  await page.getByLabel('Created until').fill(subcontract);
  await expectTitles(page, [...(sameDay ? ['Lease: 12 Harbour Street'] : []), 'Subcontract: electrical works']);
  await page.getByLabel('Created until').fill('2020-01-31');
  await page.getByRole('heading', { name: 'No matching documents' }).waitFor();
});

test('a view is saved under a name, opened again on another device, and deleted', async () => {
  const page = await open('/documents?type=contract&sort=title');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await pressIn(page, 'Save view');
  await dialog(page).getByText('Enter a name of up to 60 characters.').waitFor();
  await dialog(page).getByLabel('Name').fill('Contracts');
  await expectSound(page);
  await pressIn(page, 'Save view');
  await closed(page);

  const other = await open('/documents', phone);
  await other.getByRole('button', { name: 'Views' }).click();
  await expectSound(other);
  await other.getByRole('menuitemradio', { name: 'Contracts' }).click();
  await expectTitles(other, ['Lease: 12 Harbour Street', 'Subcontract: electrical works']);
  expect(parameters(other)).toEqual({ type: 'contract', sort: 'title' });
  await other.getByRole('button', { name: 'Views' }).click();
  await other.getByRole('menuitem', { name: 'Delete views' }).click();
  await expectSound(other);
  await pressIn(other, 'Delete Contracts');
  await dialog(other).getByText('You have no saved views.').waitFor();
  await expectSound(other);
});

test('malformed values of an address are ignored, and a number is searched for as text', async () => {
  const page = await open('/documents?type=toString&status=signed&sort=5&from=2026-02-30&sender=me&after=%20&page=7');
  await expect.poll(() => page.locator('tbody a').count()).toBe(7);
  expect(await page.getByRole('alert').count()).toBe(0);
  await status(page, 'All').and(page.locator('[aria-current]')).waitFor();
  await status(page, /^Draft/).click();
  await expectTitles(page, ['Lease: garden shed', 'Estimate: roof repair']);
  await page.getByRole('searchbox').fill('12');
  await page.waitForURL(/q=/);
  await page.goto(`${new URL(page.url()).origin}/documents?q=12&recipient=12&constructor=1`);
  expect(await page.getByRole('searchbox').inputValue()).toBe('12');
  expect(await page.getByLabel('Recipient').inputValue()).toBe('12');
  await page.getByRole('heading', { name: 'No matching documents' }).waitFor();
});

test('the documents of the filters are exported as CSV', async () => {
  const page = await open('/documents?type=contract&sort=title');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^documents-\d{4}-\d\d-\d\d\.csv$/);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines.map((line) => line.split(',')[0])).toEqual([
    '"Title"',
    '"Lease: 12 Harbour Street"',
    '"Subcontract: electrical works"',
  ]);
});

test.each([
  ['a phone', phone],
  ['a desktop in the dark, in Spanish', { ...desk, colorScheme: 'dark', locale: 'es-ES' }],
] as [string, BrowserContextOptions][])('open filters are sound on %s', async (_device, device) => {
  const page = await open('/documents?type=contract&sort=title&columns=type,sender,created', device);
  await page.getByText('Lease: 12 Harbour Street').waitFor();
  await page.getByRole('link', { name: /^(Completed|Completado) 1$/ }).waitFor();
  await expectSound(page);
});
