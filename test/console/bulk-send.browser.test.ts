import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendNextRow } from '../../src/bulk-send/send-row.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** The pages of bulk sends. The service has no worker, so a test decides when a row is sent. */
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

async function createTemplate(title = 'Lease'): Promise<string> {
  const visitor = await signedIn(app, member);
  return (await visitor.post('/templates', { title, recipients: [{ name: 'Tenant' }] })).body.id;
}

const open = (path: string, device: BrowserContextOptions = desk) =>
  openConsole(path, { browser, app, member, device });

const choose = (page: Page, csv: string, name = 'Tenants.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(csv) });

/** Uploads a file to a new template, and opens its page. */
async function openFile(csv: string, device: BrowserContextOptions = desk): Promise<Page> {
  const page = await open(`/templates/${await createTemplate()}/bulk`, device);
  await choose(page, csv);
  await page.getByRole('heading', { level: 1, name: 'Tenants.csv' }).waitFor();
  return page;
}

async function send(page: Page, rows: number): Promise<void> {
  const queue = await app.queue();
  const id = new URL(page.url()).pathname.split('/').at(-1) as string;
  for (let row = 0; row < rows; row += 1) await sendNextRow(app.world, app.db, queue, company.id, id);
}

const header = 'Tenant name,Tenant email\n';
const oneFaulty = `${header}Ada,ada@example.com\nGrace,grace@\nEmmy,emmy@example.com\n`;
const shown = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).first().waitFor();

test('a file is checked, corrected rows are found, and the others are sent and followed', async () => {
  const id = await createTemplate('Lease of 2027');
  const page = await open(`/templates/${id}`);
  await page.getByRole('link', { name: 'Send in bulk' }).click();
  // The page of the template has a file input too.
  await page.getByRole('heading', { level: 1, name: 'Send in bulk' }).waitFor();
  await choose(page, oneFaulty);
  await page.getByRole('heading', { level: 1, name: 'Tenants.csv' }).waitFor();
  await shown(page, '2 documents can be sent.');
  await shown(page, '1 row has problems. It isn’t sent until you correct and upload it.');

  await page.getByRole('link', { name: 'With problems 1' }).click();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await shown(page, /^Tenant email: not an e-mail address$/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the rows that aren’t sent' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toContain('3,"Tenant email: not an e-mail address","Grace"');

  await page.getByRole('link', { name: 'All 3' }).click();
  await press(page, 'Send 2 documents');
  await dialog(page).getByText('1 row with problems is left out.').waitFor();
  await pressIn(page, 'Send 2 documents');
  await closed(page);
  await shown(page, 'Sending');
  await send(page, 1);
  await shown(page, '1 sent · 1 with problems · 1 to send');
  await send(page, 2);
  await shown(page, 'Finished');
  await page.getByRole('link', { name: 'Open document of row 2' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lease of 2027' }).waitFor();
  await shown(page, 'ada@example.com');

  await page.goto(`${new URL(app.baseUrl).origin}/templates/${id}/bulk`);
  await page.getByRole('row').nth(1).getByText('2 sent · 1 with problems').waitFor();
});

test('a file that can’t be used says why, and is taken again once it is corrected', async () => {
  const page = await open(`/templates/${await createTemplate()}/bulk`);
  await page.getByLabel('CSV file').focus();
  await choose(page, 'Tenant name,Tenant name\nAda,Ada\n');
  await page.getByRole('alert').getByText('The column “Tenant email” is missing.').waitFor();
  await page.getByRole('alert').getByText('The column “Tenant name” is there more than once.').waitFor();
  await choose(page, `${header}Ada,"ada@example.com\n`);
  await page.getByRole('alert').getByText('Row 2 has a quotation mark that is never closed.').waitFor();
  await choose(page, `${header}Ada "A.",ada@example.com\n`);
  await page.getByRole('alert').getByText('Row 2 has a quotation mark in the middle of a value.').waitFor();
  expect(await page.evaluate('document.activeElement.type')).toBe('file');
  await expectSound(page);
  await choose(page, `${header}Ada,ada@example.com\n`);
  await shown(page, '1 document can be sent.');
});

test('sending is cancelled, and the rows that are left can be downloaded', async () => {
  const page = await openFile(`${header}Ada,ada@example.com\nEmmy,emmy@example.com\n`);
  await press(page, 'Send 2 documents');
  await pressIn(page, 'Send 2 documents');
  await closed(page);
  await send(page, 1);
  await press(page, 'Cancel sending');
  await pressIn(page, 'Cancel sending');
  await closed(page);
  await shown(page, 'Cancelled');
  await shown(page, '1 sent · 1 to send');
  await page.getByRole('link', { name: 'Download the rows that aren’t sent' }).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel sending' }).count()).toBe(0);
});

test('a file is deleted before it is sent', async () => {
  const page = await openFile(oneFaulty);
  await press(page, 'Delete file');
  await pressIn(page, 'Delete file');
  await page.getByRole('heading', { level: 1, name: 'Send in bulk' }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(0);
});

test('a template that was edited is said so, and its file can no longer be sent', async () => {
  const page = await openFile(oneFaulty);
  const visitor = await signedIn(app, member);
  const id = new URL(page.url()).pathname.split('/')[2];
  const { version } = (await visitor.get(`/documents/${id}`)).body;
  await visitor.post(`/documents/${id}`, { version, title: 'Another', recipients: [{ name: 'Tenant' }] });
  await shown(page, 'Someone changed the template after this file was checked. Upload the file again.');
  expect(await page.getByRole('button', { name: 'Send 2 documents' }).count()).toBe(0);
});

test('the files of a deleted template are listed, and their unsent rows can be downloaded', async () => {
  const page = await openFile(oneFaulty);
  const id = new URL(page.url()).pathname.split('/')[2];
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  expect((await admin.call('DELETE', `/templates/${id}`)).status).toBe(200);
  await page.getByRole('link', { name: 'Send in bulk' }).first().click();
  await shown(page, /^This template was deleted\. You can still look at its files/);
  expect(await page.locator('input[type=file]').count()).toBe(0);
  await page.getByRole('link', { name: 'Tenants.csv' }).click();
  await page.getByRole('link', { name: 'Download the rows that aren’t sent' }).waitFor();
  await page.getByRole('link', { name: 'Send in bulk' }).first().click();
  await page.getByRole('link', { name: 'All templates' }).click();
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
});

test('many rows are read page by page', async () => {
  const rows = Array.from({ length: 120 }, (_, n) => `Ada ${n},ada-${n}@example.com\n`);
  const page = await openFile(header + rows.join(''));
  await expect.poll(() => page.getByRole('row').count()).toBe(51);
  await press(page, 'Show more');
  await expect.poll(() => page.getByRole('row').count()).toBe(101);
});

test.each([
  ['on a desk', desk],
  ['on a phone, in the dark', { ...phone, colorScheme: 'dark' }],
] as const)('the pages are sound %s', async (_, device) => {
  const long = `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)},ada@example.com\n`;
  const page = await openFile(oneFaulty + long + long, device);
  await page.getByRole('row').first().waitFor();
  await expectSound(page);
  await press(page, 'Send 4 documents');
  await expectSound(page);
  await pressIn(page, 'Send 4 documents');
  await closed(page);
  await send(page, 5);
  await shown(page, 'Finished');
  await page.getByRole('link', { name: 'Open document of row 2' }).waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Send in bulk' }).first().click();
  await page.getByRole('row').first().waitFor();
  await expectSound(page);
});

test('a Spanish reader reads Spanish', async () => {
  const page = await open(`/templates/${await createTemplate()}/bulk`, { ...desk, locale: 'es-ES' });
  await page.getByRole('heading', { level: 1, name: 'Enviar a muchos' }).waitFor();
  await choose(page, 'Tenant name,Tenant correo\nAda,ada@\n');
  await shown(page, /^Tenant correo: no es un correo electrónico$/);
});
