import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRecipients } from '../../src/documents/queries.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { attachPdf, type FieldToPlace, placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** An attached PDF that two people fill in, on a phone and on a desktop, and that is sealed with their values. */
let app: TestService;
let company: Company;
let browser: Browser;
const directory = mkdtempSync(join(tmpdir(), 'countersign-attached-'));

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
});

afterAll(async () => {
  await browser.close();
  await app.stop();
  rmSync(directory, { recursive: true, force: true });
});

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 } as const;
const desk = { viewport: { width: 1280, height: 900 } } as const;

test('two people fill in and sign an attached PDF, and the sealed PDF holds what they entered', async () => {
  const id = await sendFile({
    recipients: [
      { name: 'Ada Lovelace', email: 'ada@example.com' },
      { name: 'Grace Hopper', email: 'grace@example.com' },
    ],
    pages: 3,
    fields: [
      { recipient: 1, type: 'text', label: 'Employer' },
      { recipient: 1, type: 'checkbox', required: true, label: 'Agrees' },
      { recipient: 1, type: 'signature', page: 2 },
      { recipient: 1, type: 'initials', page: 3 },
      { recipient: 2, type: 'date', page: 2 },
      { recipient: 2, type: 'signature', page: 3 },
    ],
  });

  const ada = await openLink(id, 'Ada Lovelace', phone);
  await ada.getByText('0 of 4 fields').waitFor();
  await ada.getByText('Page 1', { exact: true }).waitFor(); // the text of the page itself
  await untilShown(ada, 1);
  await ada.getByRole('button', { name: 'Start', exact: true }).click();
  await ada.keyboard.type('Analytical Engines');
  await ada.getByRole('checkbox', { name: 'Agrees' }).check();
  await ada
    .locator('#saved')
    .filter({ hasText: /^Saved$/ })
    .waitFor();
  await ada.reload();
  await ada.getByText('2 of 4 fields').waitFor();
  expect(await ada.getByRole('textbox', { name: 'Employer' }).inputValue()).toBe('Analytical Engines');

  await ada.getByRole('button', { name: 'Signature, page 2, required' }).click();
  await ada.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  await draw(ada);
  await ada.getByRole('button', { name: 'Place signature' }).click();
  await ada.getByRole('button', { name: 'Initials, page 3, required' }).click();
  await ada.getByRole('button', { name: 'Place initials' }).click();
  await untilShown(ada, 3);
  await ada.getByText('Ready to sign').waitFor();
  await ada.getByRole('button', { name: 'Sign', exact: true }).click();
  await ada.getByRole('heading', { name: 'You signed this document' }).waitFor();
  await untilShown(ada, 1);
  await ada.getByText('Employer: Analytical Engines').waitFor();

  const grace = await openLink(id, 'Grace Hopper', desk);
  await grace.getByText('Employer: Analytical Engines').waitFor(); // before she signs
  const unsigned = grace.waitForEvent('download');
  await grace.getByRole('link', { name: 'Download the unsigned PDF' }).click();
  expect((await unsigned).suggestedFilename()).toBe('Lease.pdf');
  await grace.getByText('1 of 2 fields').waitFor();
  await grace.getByRole('textbox', { name: 'Full name' }).fill('Grace Hopper');
  await grace.getByRole('button', { name: 'Start', exact: true }).click();
  await grace.keyboard.press('Enter'); // on the field, which then contains the name
  await grace.getByRole('button', { name: 'Sign', exact: true }).click();
  await grace.getByRole('heading', { name: /completed/i }).waitFor();
  expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status).toBe('completed');

  const copy = grace.getByRole('link', { name: 'Download the sealed PDF' });
  await copy.waitFor();
  await expect.poll(() => grace.locator('.sheet').count()).toBeGreaterThan(3); // the certificate is in the sealed PDF
  await untilShown(grace, 1);
  await grace.locator('#page-1 .sheet-text').getByText('Analytical Engines').waitFor({ state: 'attached' });
  const download = grace.waitForEvent('download');
  await copy.click();
  const file = join(directory, 'sealed.pdf');
  const title = (await grace.getByRole('heading', { level: 1 }).textContent()) ?? '';
  expect((await download).suggestedFilename()).toBe(`${title}.pdf`);
  await (await download).saveAs(file);
  expect(run('pdfsig', [file])).toContain('Signature is Valid');
  const text = run('pdftotext', ['-layout', file, '-']);
  for (const expected of ['Analytical Engines', 'Ada Lovelace', 'Grace Hopper']) expect(text).toContain(expected);
});

test('a file of eighty pages shows its first page as soon as one of two, and its last when one goes there', async () => {
  const id = await sendFile({
    recipients: [{ name: 'Edith Clarke', email: 'edith@example.com' }],
    pages: 80,
    fields: [{ recipient: 1, type: 'signature', page: 80 }],
  });
  const page = await openLink(id, 'Edith Clarke', phone);
  await untilShown(page, 1);
  expect(await isShown(page, 79)).toBe(false);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await untilShown(page, 80);
  expect(await isShown(page, 40)).toBe(false); // the pages in between are not loaded
  await page.getByText('Page 80 of 80').first().waitFor();
});

test('in person: the device changes hands, the document is signed, the device goes back', async () => {
  const id = await sendFile({
    recipients: [{ name: 'Ida Rhodes', email: 'ida@example.com', channel: 'in_person' }],
    pages: 2,
    fields: [],
  });
  const page = await openLink(id, 'Ida Rhodes', phone);
  await page.getByRole('heading', { name: 'Hand the device to Ida Rhodes' }).waitFor();
  expect(await page.locator('.sheet').count()).toBe(0);
  await page.getByRole('button', { name: 'Begin' }).click();
  await untilShown(page, 1);
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ida Rhodes');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('You can hand the device back now.').waitFor();
});

interface Sent {
  recipients: object[];
  pages: number;
  fields: FieldToPlace[];
}

async function sendFile({ recipients, pages, fields }: Sent): Promise<string> {
  const id = await createDraft(app, company.key, { recipients });
  await attachPdf(app, company, id, { pages: Array.from({ length: pages }, () => ({})) });
  if (fields.length > 0) await placeOn(app, company, id, fields);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  return id;
}

async function openLink(id: string, name: string, options: BrowserContextOptions): Promise<Page> {
  const recipients = await listRecipients(app.db, company.id, id);
  const recipient = recipients.find((candidate) => candidate.display_name === name);
  if (recipient === undefined) throw new Error(`nobody is called ${name}`);
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(await mintSigningLink(app.world, app.db, new URL(app.baseUrl).origin, recipient));
  return page;
}

/** An image is loaded when it has a natural width. */
async function isShown(page: Page, number: number): Promise<boolean> {
  return ((await page.evaluate(`document.querySelector('#page-${number} img').naturalWidth`)) as number) > 0;
}

async function untilShown(page: Page, number: number): Promise<void> {
  await expect.poll(() => isShown(page, number)).toBe(true);
}

async function draw(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('tab', { name: 'Draw' }).click();
  await expect.poll(() => page.evaluate('document.getElementById("drawing").width')).toBeGreaterThan(300);
  const box = await page.locator('#drawing').boundingBox();
  if (box === null) throw new Error('there is nothing to draw on');
  await page.mouse.move(box.x + 30, box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 1; step <= 12; step++) {
    await page.mouse.move(box.x + 30 + step * 12, box.y + box.height / 2 + (step % 2 === 0 ? 20 : -20));
  }
  await page.mouse.up();
}

function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' });
}
