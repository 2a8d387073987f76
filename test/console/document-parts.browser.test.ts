import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member, signedIn, type Visitor } from './visitor.ts';

/** Several files of one document in the console. */
let app: TestService;
let browser: Browser;
let company: Company;
let member: Member;
let visitor: Visitor;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  member = await addMember(app, company.id, 'member');
  visitor = await signedIn(app, member);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const pdf = (name: string, ...texts: string[]) => ({
  name,
  mimeType: 'application/pdf',
  buffer: makePdf({ pages: texts.map((text) => ({ text })) }),
});
const contract = pdf('Contract.pdf', 'Contract 1', 'Contract 2');
const terms = pdf('Terms & <b>conditions</b>.pdf', 'Terms 1');
const annex = pdf('Annex.pdf', 'Annex 1');

const draft = () =>
  createDraft(app, company.key, { title: 'Lease', recipients: [{ name: 'Ada', email: 'ada@example.com' }] });
const open = (id: string, device: BrowserContextOptions = desk) =>
  openConsole(`/documents/${id}`, { browser, app, member, device });
const rows = (page: Page) => dialog(page).getByRole('listitem').locator('p:first-child');
const named = async (page: Page, names: string[]) => {
  await expect.poll(() => rows(page).allInnerTexts()).toEqual(names);
};
/** Waits until a change is over. Until then, the buttons do nothing. */
const settled = (page: Page) => expect.poll(() => dialog(page).locator('[aria-busy]').count()).toBe(0);

test.each([
  ['a desk', desk],
  ['a phone', phone],
])('on %s: several PDFs at once, another order with the keyboard, and one is removed', async (_name, device) => {
  const id = await draft();
  const page = await open(id, device);
  await page.getByLabel('Attach PDF').setInputFiles([contract, terms, annex]);
  await named(page, ['Contract.pdf', 'Terms & <b>conditions</b>.pdf', 'Annex.pdf']);
  await dialog(page).getByText('2 pages').waitFor();
  await expectSound(page);

  await settled(page);
  await dialog(page).getByRole('button', { name: 'Move Annex.pdf up' }).focus();
  await page.keyboard.press('Enter');
  await named(page, ['Contract.pdf', 'Annex.pdf', 'Terms & <b>conditions</b>.pdf']);
  await dialog(page).getByText('Annex.pdf is now file 2 of 3').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Move Annex.pdf up');
  await settled(page);
  await page.keyboard.press('Enter');
  await named(page, ['Annex.pdf', 'Contract.pdf', 'Terms & <b>conditions</b>.pdf']);

  await placeOn(app, company, id, [
    { recipient: 1, type: 'signature', page: 2 },
    { recipient: 1, type: 'text', page: 3 },
  ]);
  await page.reload();
  await press(page, 'Files');
  await dialog(page).getByRole('button', { name: 'Remove Contract.pdf' }).click();
  await dialog(page).getByText('2 fields on its pages are removed too.').waitFor();
  await expectSound(page);
  await pressIn(page, 'Cancel');
  await named(page, ['Annex.pdf', 'Contract.pdf', 'Terms & <b>conditions</b>.pdf']);
  await dialog(page).getByRole('button', { name: 'Remove Contract.pdf' }).click();
  await pressIn(page, 'Remove');
  await named(page, ['Annex.pdf', 'Terms & <b>conditions</b>.pdf']);
  await pressIn(page, 'Done');
  await closed(page);
  const { file } = (await visitor.get(`/documents/${id}`)).body;
  expect(file.parts.map(({ title }: { title: string }) => title)).toEqual(['Annex', 'Terms & <b>conditions</b>']);
  expect((await visitor.get(`/documents/${id}/fields`)).body.data).toEqual([]);
});

test('a file that is refused is named with the reason, and the others are added', async () => {
  const page = await open(await draft());
  const broken = { name: 'Broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('not a PDF') };
  await page.getByLabel('Attach PDF').setInputFiles([contract, broken, annex]);
  await dialog(page).getByText('Broken.pdf: This file isn’t a PDF, or it is damaged.').waitFor();
  await named(page, ['Contract.pdf', 'Annex.pdf']);
  await expectSound(page);
});

test('files that are chosen while another one moves are added when it has', async () => {
  const page = await open(await draft());
  await page.getByLabel('Attach PDF').setInputFiles([contract, terms]);
  await named(page, ['Contract.pdf', 'Terms & <b>conditions</b>.pdf']);
  await settled(page);
  const { promise: chosen, resolve: go } = Promise.withResolvers<void>();
  await page.route('**/parts/order', async (route) => {
    await chosen;
    await route.continue();
  });
  const asked = page.waitForRequest('**/parts/order');
  await pressIn(page, 'Move Contract.pdf down');
  await asked;
  await dialog(page).getByLabel('Add PDFs').setInputFiles([annex]);
  go();
  await named(page, ['Terms & <b>conditions</b>.pdf', 'Contract.pdf', 'Annex.pdf']);
});

test('a file that someone else moves while its removal is confirmed is not mistaken for another', async () => {
  const id = await draft();
  const page = await open(id);
  await page.getByLabel('Attach PDF').setInputFiles([contract, terms]);
  await named(page, ['Contract.pdf', 'Terms & <b>conditions</b>.pdf']);
  await settled(page);
  await pressIn(page, 'Remove Contract.pdf');
  await dialog(page).getByText('Remove Contract.pdf?').waitFor();
  const { version } = (await visitor.get(`/documents/${id}/parts`)).body;
  expect((await visitor.post(`/documents/${id}/parts/order`, { version, parts: [2, 1] })).status).toBe(200);
  await named(page, ['Terms & <b>conditions</b>.pdf', 'Contract.pdf']);
});

test('a file is dragged to another place', async () => {
  const page = await open(await draft());
  await page.getByLabel('Attach PDF').setInputFiles([contract, terms, annex]);
  await named(page, ['Contract.pdf', 'Terms & <b>conditions</b>.pdf', 'Annex.pdf']);
  await settled(page);
  await rows(page).nth(2).dragTo(rows(page).nth(0));
  await named(page, ['Annex.pdf', 'Contract.pdf', 'Terms & <b>conditions</b>.pdf']);
});

test('one PDF is attached as before, and others are added to it', async () => {
  const page = await open(await draft());
  await page.getByLabel('Attach PDF').setInputFiles([contract]);
  await page.getByRole('button', { name: 'Replace PDF' }).waitFor();
  await press(page, 'Files');
  await named(page, ['Contract.pdf']);
  await dialog(page).getByLabel('Add PDFs').setInputFiles([annex]);
  await named(page, ['Contract.pdf', 'Annex.pdf']);
  await pressIn(page, 'Done');
  await closed(page);
  await page.getByRole('button', { name: 'Replace PDF' }).waitFor({ state: 'detached' });
  await page.getByText('Contract.pdf, Annex.pdf').first().waitFor();
});

test('a PDF that replaces another keeps the fields that fit, and others are removed only after a question', async () => {
  const id = await draft();
  const page = await open(id);
  await page.getByLabel('Attach PDF').setInputFiles([contract]);
  await page.getByRole('button', { name: 'Replace PDF' }).waitFor();
  await placeOn(app, company, id, [
    { recipient: 1, type: 'signature', page: 2 },
    { recipient: 1, type: 'text', page: 1 },
  ]);
  await page.reload();
  await page.getByLabel('Attach PDF').setInputFiles([pdf('Corrected.pdf', 'Contract 1', 'Corrected 2')]);
  await page.getByText('Its 2 fields kept their places').waitFor();
  await expectSound(page);

  await page.getByLabel('Attach PDF').setInputFiles([terms]);
  await dialog(page).getByText('One field doesn’t fit on the new PDF').waitFor();
  await expectSound(page);
  await pressIn(page, 'Cancel');
  await closed(page);
  expect((await visitor.get(`/documents/${id}/fields`)).body.data).toHaveLength(2);
  await page.getByLabel('Attach PDF').setInputFiles([terms]);
  await pressIn(page, 'Replace PDF');
  await closed(page);
  await page.getByText('Its field kept its place').waitFor();
  expect((await visitor.get(`/documents/${id}/fields`)).body.data).toMatchObject([{ type: 'text', page: 1 }]);
});

test('several PDFs of a new document are added on its page, once', async () => {
  const page = await openConsole('/documents/new', { browser, app, member, device: phone });
  await page.getByLabel('Title').fill('Lease of the mill');
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.locator('input[type=file]').setInputFiles([contract, terms]);
  await page.getByText('Contract.pdf, Terms').waitFor();
  await press(page, 'Create draft');
  await named(page, ['Contract.pdf', 'Terms & <b>conditions</b>.pdf']);
  await pressIn(page, 'Done');
  await closed(page);
  await page.goBack();
  await page.goForward();
  await page.getByRole('button', { name: 'Files' }).waitFor();
  expect(await dialog(page).count()).toBe(0);
});

/** Holds the requests to an address until the returned function is called. */
async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() === 'POST') await promise;
    await route.continue();
  });
  return resolve;
}

const mayClose = (page: Page) =>
  page.evaluate('dispatchEvent(new Event("beforeunload", { cancelable: true }))') as Promise<boolean>;

test('a document is not sent while its PDF is on its way', async () => {
  const id = await draft();
  const page = await open(id);
  const go = await hold(page, '**/file?*');
  await page.getByLabel('Attach PDF').setInputFiles([contract]);
  await page.getByText('Uploading Contract.pdf…').waitFor();
  await press(page, 'Send');
  expect(await dialog(page).count()).toBe(0);
  expect(await mayClose(page)).toBe(false);
  go();
  await page.getByRole('button', { name: 'Replace PDF' }).waitFor();
  await page.getByText('Uploading Contract.pdf…').waitFor({ state: 'detached' });
  expect(await mayClose(page)).toBe(true);
  await press(page, 'Send');
  await pressIn(page, 'Send');
  await closed(page);
  expect((await visitor.get(`/documents/${id}`)).body).toMatchObject({
    status: 'sent',
    file: { name: 'Contract.pdf' },
  });
});

test('a document is not copied, and a template not used, while its PDF is on its way', async () => {
  const admin = await addMember(app, company.id, 'admin');
  const page = await openConsole(`/documents/${await draft()}`, { browser, app, member: admin, device: desk });
  const menu = async () => {
    await press(page, 'More actions for this document');
    await page.getByRole('menu').waitFor();
    const items = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');
    return items;
  };
  const go = await hold(page, '**/file?*');
  await page.getByLabel('Attach PDF').setInputFiles([contract]);
  await page.getByText('Uploading Contract.pdf…').waitFor();
  const copies = ['Copy', 'Save as template', 'Make a mirror'];
  expect((await menu()).filter((item) => copies.includes(item))).toEqual([]);
  go();
  await page.getByText('Uploading Contract.pdf…').waitFor({ state: 'detached' });
  expect((await menu()).filter((item) => copies.includes(item))).toEqual(copies);

  const { body: template } = await visitor.post('/templates', { title: 'Lease', recipients: [{ name: 'Tenant' }] });
  await page.goto(`${new URL(app.baseUrl).origin}/templates/${template.id}`);
  const send = await hold(page, '**/file?*');
  await page.getByLabel('Attach PDF').setInputFiles([contract]);
  await page.getByText('Uploading Contract.pdf…').waitFor();
  const busy = page.locator('main [aria-busy=true]');
  await expect
    .poll(() => busy.allInnerTexts())
    .toEqual(['Use template', 'Send in bulk', 'Public links', 'Attach PDF', 'Duplicate']);
  await expectSound(page);
  for (const name of ['Use template', 'Send in bulk', 'Public links']) {
    const link = page.getByRole('link', { name, exact: true });
    expect(await link.getAttribute('href')).toBe(null);
    await link.dispatchEvent('click');
  }
  expect(new URL(page.url()).pathname).toBe(`/templates/${template.id}`);
  send();
  await page.getByText('Uploading Contract.pdf…').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Send in bulk' }).click();
  await page.getByRole('heading', { level: 1, name: 'Send in bulk' }).waitFor();
});

test('a PDF that arrives after the document was sent elsewhere is refused on the page', async () => {
  const id = await draft();
  const page = await open(id);
  const go = await hold(page, '**/file?*');
  await page.getByLabel('Attach PDF').setInputFiles([contract]);
  await page.getByText('Uploading Contract.pdf…').waitFor();
  expect((await visitor.post(`/documents/${id}/send`, {})).status).toBe(200);
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor({ state: 'detached' });
  go();
  await page.getByRole('alert').filter({ hasText: 'already sent, so you can’t replace its PDF' }).waitFor();
});

test('files that are refused after the dialog was closed are named on the page, once', async () => {
  const page = await open(await draft());
  const go = await hold(page, '**/parts?*');
  const broken = { name: 'Broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('not a PDF') };
  await page.getByLabel('Attach PDF').setInputFiles([contract, broken, annex]);
  await dialog(page).getByText('Adding Contract.pdf (1 of 3)…').waitFor();
  await pressIn(page, 'Done');
  await closed(page);
  await page.getByText('Adding Contract.pdf (1 of 3)…').waitFor();
  await press(page, 'Send');
  expect(await dialog(page).count()).toBe(0);
  expect(await mayClose(page)).toBe(false);
  await page.getByRole('link', { name: 'All documents' }).click();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  go();
  await expect.poll(() => mayClose(page)).toBe(true);
  await page.goBack();
  const alert = page.getByRole('alert').filter({ hasText: 'Broken.pdf: This file isn’t a PDF, or it is damaged.' });
  await alert.waitFor();
  await expectSound(page);
  await page.getByText('Contract.pdf, Annex.pdf').first().waitFor();
  await page.goForward();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Files' }).waitFor();
  expect(await alert.count()).toBe(0);
});
