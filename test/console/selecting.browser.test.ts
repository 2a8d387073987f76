import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { readZip } from '../support/read-zip.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { sign } from './sample-company.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** Selecting many documents in the list, and acting on them. */
let app: TestService;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

interface Opened {
  company: Company;
  member: Member;
  page: Page;
  ids: string[];
}

/** Opens the list of a new company whose documents have these titles, the last one first. */
async function openList(titles: string[], device: BrowserContextOptions = desk): Promise<Opened> {
  const company = await createCompany(app);
  const ids: string[] = [];
  for (const title of titles) ids.push(await createDraft(app, company.key, { title }));
  const member = await addMember(app, company.id, 'member');
  const page = await openConsole('/documents', { browser, app, member, device });
  await page.getByRole('link', { name: titles[0] as string, exact: true }).waitFor();
  return { company, member, page, ids };
}

const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `Select ${title}`, exact: true });
const pageBox = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' });
const expectSelected = (page: Page, n: number) =>
  expect.poll(() => page.getByText(`${n} selected`).count()).toBe(n === 0 ? 0 : 1);

async function expectOutcomes(page: Page, outcomes: string[]): Promise<void> {
  await expect.poll(() => dialog(page).getByRole('listitem').allTextContents()).toEqual(outcomes);
}

test('documents are selected by click, by range, by key and by page', async () => {
  const { page } = await openList(['One', 'Two', 'Three', 'Four', 'Five']);
  await box(page, 'Five').check();
  await box(page, 'Three').click({ modifiers: ['Shift'] });
  await expectSelected(page, 3);
  await box(page, 'Four').uncheck();
  await expectSelected(page, 2);
  expect(await pageBox(page).evaluate((input) => (input as unknown as { indeterminate: boolean }).indeterminate)).toBe(
    true,
  );
  await press(page, 'Clear selection');
  await expectSelected(page, 0);

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expectSelected(page, 3);
  await box(page, 'One').focus();
  await page.keyboard.press('Space');
  await expectSelected(page, 4);
  await pageBox(page).check();
  await expectSelected(page, 5);
  await pageBox(page).uncheck();
  await expectSelected(page, 0);
});

test('a selection continues over pages up to 100, and ends when the filters change', async () => {
  const company = await createCompany(app);
  for (let n = 0; n < 110; n++) await createDraft(app, company.key, { title: `Numbered ${n}` });
  const member = await addMember(app, company.id, 'member');
  const page = await openConsole('/documents', { browser, app, member, device: desk });
  await page.getByRole('link', { name: 'Numbered 109', exact: true }).waitFor();
  await pageBox(page).check();
  await expectSelected(page, 50);
  await press(page, 'Next');
  await page.getByRole('link', { name: 'Numbered 10', exact: true }).waitFor();
  await pageBox(page).check();
  await expectSelected(page, 100);
  await press(page, 'Next');
  await page.getByRole('link', { name: 'Numbered 0', exact: true }).waitFor();
  await box(page, 'Numbered 0').click();
  expect(await box(page, 'Numbered 0').isChecked()).toBe(false);
  await page.getByText('You can select up to 100 documents.').waitFor();
  await page.getByRole('searchbox').fill('Numbered 7');
  await expectSelected(page, 0);
});

test('selected documents are voided one by one with one reason, and each has its own answer', async () => {
  const { company, page, ids, member } = await openList(['Draft', 'In review', 'Voided', 'Sent']);
  const visitor = await signedIn(app, member);
  await visitor.post(`/documents/${ids[1]}/review`);
  await call(app, 'POST', `/documents/${ids[3]}/send`, { key: company.key });
  await page.getByRole('row', { name: /Sent/ }).getByText('Sent', { exact: true }).nth(1).waitFor();
  await pageBox(page).check();
  await press(page, 'Void');
  await dialog(page).getByRole('heading', { name: 'Void 4 documents?' }).waitFor();
  await expectSound(page);
  await pressIn(page, 'Void');
  await dialog(page).getByText('Enter a reason of up to 1000 characters.').waitFor();
  // Someone else voids one of them while the dialog is open.
  await visitor.post(`/documents/${ids[2]}/void`, { reason: 'Mine' });
  await dialog(page).getByLabel('Reason').fill('Wrong prices');
  await pressIn(page, 'Void');
  await dialog(page).getByText('2 of 4 succeeded').waitFor();
  await expectOutcomes(page, [
    'SentVoided',
    'VoidedAlready voided.',
    'In reviewOnly owners, admins or editors of its folder can do this.',
    'DraftVoided',
  ]);
  await expectSound(page);
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await closed(page);
  const statuses = await Promise.all(ids.map(async (id) => (await visitor.get(`/documents/${id}`)).body));
  expect(statuses.map(({ status, voided_reason }) => [status, voided_reason])).toEqual([
    ['voided', 'Wrong prices'],
    ['in_review', null],
    ['voided', 'Mine'],
    ['voided', 'Wrong prices'],
  ]);
});

test('completed documents are counted before many are voided', async () => {
  const company = await createCompany(app);
  const id = await createSent(app, company.key, { title: 'Lease' });
  await createDraft(app, company.key, { title: 'Draft' });
  await sign(app, company, id, 'Ada Lovelace');
  const member = await addMember(app, company.id, 'member');
  const page = await openConsole('/documents', { browser, app, member, device: desk });
  await page.getByRole('link', { name: 'Lease' }).waitFor();
  await pageBox(page).check();
  await press(page, 'Void');
  await dialog(page).getByText('One of them is completed.').waitFor();
  await expectSound(page);
});

test('reminding twice sends one reminder, and says so for each document', async () => {
  const company = await createCompany(app);
  for (const title of ['First', 'Second']) await createSent(app, company.key, { title });
  await createDraft(app, company.key, { title: 'Draft' });
  const member = await addMember(app, company.id, 'member');
  const page = await openConsole('/documents', { browser, app, member, device: phone });
  await page.getByRole('link', { name: 'First' }).waitFor();
  await pageBox(page).check();
  await expectSound(page);
  const no = 'No reminder sent: each person can be reminded once every 24 hours, and only when it’s their turn.';
  for (const outcome of ['Reminded', no]) {
    await press(page, 'Remind');
    await pressIn(page, 'Remind');
    await expectOutcomes(page, [`Draft${no}`, `Second${outcome}`, `First${outcome}`]);
    await expectSound(page);
    await page.keyboard.press('Escape');
    await closed(page);
  }
});

test('closing the dialog stops after the current document', async () => {
  const { page, ids, member } = await openList(['One', 'Two', 'Three']);
  await pageBox(page).check();
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/documents/${ids[1]}/void`, async (route) => {
    await isHeld;
    await route.continue();
  });
  await press(page, 'Void');
  await dialog(page).getByLabel('Reason').fill('Wrong prices');
  await pressIn(page, 'Void');
  await dialog(page).getByText('1 of 3 done').waitFor();
  await pressIn(page, 'Stop');
  await closed(page);
  release();
  const visitor = await signedIn(app, member);
  const statusOf = async (id: string | undefined) => (await visitor.get(`/documents/${id}`)).body.status;
  await eventually(
    () => statusOf(ids[1]),
    (status) => status === 'voided',
  );
  expect([await statusOf(ids[2]), await statusOf(ids[0])]).toEqual(['voided', 'draft']);
});

test('the signed PDFs of a selection are downloaded as a ZIP file', async () => {
  const company = await createCompany(app);
  const id = await createSent(app, company.key, { title: 'Lease' });
  await createDraft(app, company.key, { title: 'Draft' });
  const member = await addMember(app, company.id, 'member');
  await sign(app, company, id, 'Ada Lovelace');
  const visitor = await signedIn(app, member);
  await eventually(
    () => visitor.get(`/documents/${id}/sealed`),
    ({ status }) => status === 200,
  );
  const page = await openConsole('/documents', { browser, app, member, device: { ...desk, locale: 'es-ES' } });
  await page.getByRole('checkbox', { name: 'Seleccionar toda esta página' }).check();
  await page.getByText('1 de 2 tiene un PDF firmado').waitFor();
  await expectSound(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Descargar ZIP' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^documentos-.*\.zip$/);
  expect([...readZip(readFileSync(await download.path())).keys()]).toEqual(['Lease.pdf', 'No incluidos.txt']);
});
