import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { sign } from './sample-company.ts';
import { addMember, type Member } from './visitor.ts';

/** Internal review, mirrors and restriction on the document's page. */
let app: TestService;
let company: Company;
let ruth: Member;
let grace: Member;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'member', 'ruth@example.com');
  grace = await addMember(app, company.id, 'admin', 'grace@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const open = (path: string, member: Member, device: BrowserContextOptions = desk) =>
  openConsole(path, { browser, app, member, device });

async function choose(page: Page, name: string): Promise<void> {
  await press(page, 'More actions for this document');
  const menu = await page.getByRole('menu').boundingBox();
  expect(menu?.x).toBeGreaterThanOrEqual(0);
  await page.getByRole('menuitem', { name, exact: true }).click();
}

test('a member submits a draft, an admin returns it with a note, and sends it the second time', async () => {
  const id = await createDraft(app, company.key, { title: 'Estimate: roof repair' });
  const member = await open(`/documents/${id}`, ruth, phone);
  await press(member, 'Submit for review');
  await expectSound(member);
  await pressIn(member, 'Submit for review');
  await member.getByText('An owner or admin will send it').waitFor();
  expect(await member.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0);
  expect(await member.getByRole('button', { name: 'Attach PDF' }).count()).toBe(0);
  await expectSound(member);

  const admin = await open('/documents', grace);
  await admin.getByRole('navigation', { name: 'Main' }).getByText('1', { exact: true }).waitFor();
  await expectSound(admin);
  await admin.getByRole('link', { name: 'Due for review (1)' }).click();
  await admin.waitForURL(/status=in_review/);
  await admin.getByRole('link', { name: 'Estimate: roof repair' }).click();
  await admin.getByText('ruth@example.com submitted this for review').waitFor();
  await press(admin, 'Return to draft');
  await pressIn(admin, 'Return to draft');
  await dialog(admin).getByText('Enter a note of up to 1000 characters.').waitFor();
  await expectSound(admin);
  await dialog(admin).getByLabel('Note').fill('The price is missing.');
  await pressIn(admin, 'Return to draft');
  await closed(admin);
  await admin.getByRole('navigation', { name: 'Main' }).getByText('1', { exact: true }).waitFor({ state: 'detached' });

  await member.getByText('grace@example.com returned this to draft').waitFor();
  await expect.poll(() => member.getByText('The price is missing.').count()).toBe(2);
  await expectSound(member);
  await press(member, 'Submit for review');
  await pressIn(member, 'Submit for review');
  await closed(member);
  await admin.getByText('Review it, then send it').waitFor();
  await press(admin, 'Send');
  await pressIn(admin, 'Send');
  await member.getByText('Sent', { exact: true }).first().waitFor();
  await Promise.all([member.context().close(), admin.context().close()]);
});

test('a mirror is made, says why it waits, and is sent when the other is completed', async () => {
  const id = await createDraft(app, company.key, { title: 'Pay application 3', type: 'pay_app' });
  const page = await open(`/documents/${id}`, ruth);
  await choose(page, 'Make a mirror');
  await expectSound(page);
  await pressIn(page, 'Make a mirror');
  await page.getByText('You can send it when that document is completed').waitFor();
  await expectSound(page);
  await press(page, 'Send');
  await pressIn(page, 'Send');
  await dialog(page).getByText('This document mirrors another one').waitFor();
  await page.keyboard.press('Escape');
  const mirror = page.url();

  await page.getByRole('article').getByRole('link', { name: 'Pay application 3' }).click();
  await page.waitForURL(new RegExp(id));
  await page.getByRole('heading', { name: 'Mirrors' }).waitFor();
  await expectSound(page);
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  await sign(app, company, id, 'Ada Lovelace');
  await page.getByRole('article').getByRole('link', { name: 'Pay application 3' }).click();
  await page.waitForURL(mirror);
  await page.getByText('That document is completed. You can send this one.').waitFor();
  await press(page, 'Send');
  await pressIn(page, 'Send');
  await closed(page);
  await page.getByText('Sent', { exact: true }).first().waitFor();
});

test('a paper is restricted while a member looks at it, and the restriction is lifted', async () => {
  const id = await createDraft(app, company.key, { title: 'Bank details' });
  const member = await open(`/documents/${id}`, ruth);
  const admin = await open(`/documents/${id}`, grace, phone);
  await choose(admin, 'Restrict');
  await dialog(admin).getByText('Only owners and admins of Acme Builders will see it').waitFor();
  await dialog(admin).getByText('Related documents aren’t restricted').waitFor();
  await dialog(admin).getByLabel('Why').selectOption('Bank details');
  await expectSound(admin);
  await pressIn(admin, 'Restrict');
  await admin.getByText('Restricted document. Only owners and admins can see it').waitFor();
  await expectSound(admin);
  await member.getByRole('heading', { level: 1, name: 'Bank details' }).waitFor({ state: 'detached' });
  await expectSound(member);
  const read = () => call(app, 'GET', `/documents/${id}`, { key: company.key });
  expect((await read()).status).toBe(404);

  await choose(admin, 'Lift restriction');
  await expectSound(admin);
  await pressIn(admin, 'Lift restriction');
  await admin.getByText('Restricted document').waitFor({ state: 'detached' });
  expect((await read()).status).toBe(200);
  await Promise.all([member.context().close(), admin.context().close()]);
});
