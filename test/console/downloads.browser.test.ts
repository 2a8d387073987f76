import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { sealedDocument } from '../verify/sealed.ts';
import { closed, openConsole, press } from './open-console.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** A refused download is explained on the page, which stays. */
let app: TestService;
let browser: Browser;
let company: Company;
let member: Member;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  member = await addMember(app, company.id, 'owner');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

test.each([
  ['en-US', desk, 'More actions for this document', 'Complete certificate', 'A person was erased in this document'],
  ['es-ES', phone, 'Más acciones con este documento', 'Certificado completo', 'Se eliminaron los datos de una persona'],
] as const)(
  '%s: the complete certificate is downloaded, or the page says that a person was erased',
  async (locale, device, more, certificate, problem) => {
    const host = `${locale.toLowerCase()}.example`;
    const { id } = await sealedDocument(app, company, host);
    const page = await openConsole(`/documents/${id}`, { browser, app, member, device: { ...device, locale } });
    const choose = async () => {
      await press(page, more);
      await page.getByRole('menuitem', { name: certificate }).click();
    };
    const downloading = page.waitForEvent('download');
    await choose();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/ certific(ate|ado)\.pdf$/);
    expect(readFileSync(await download.path(), 'latin1')).toMatch(/^%PDF-/);
    await closed(page);
    const found = await findRecipients(app.db, { channel: 'email', address: `ada@${host}` }, company.id);
    await eraseRecipients(app.world, app.db, found, 'keep');
    await choose();
    await page.getByText(problem).waitFor();
    await expectSound(page);
    expect(new URL(page.url()).pathname).toBe(`/documents/${id}`);
  },
);

test('an export of a log that another tab’s company refuses is explained on the page', async () => {
  const other = await createCompany(app);
  await addMember(app, other.id, 'owner', member.email);
  const visitor = await signedIn(app, member);
  await visitor.post('/account', { account_id: company.id });
  const signIn = async () => visitor;
  const page = await openConsole('/settings/audit-log', { browser, app, member, device: desk, signIn });
  await page.getByText('signed in:').first().waitFor();
  await visitor.post('/account', { account_id: other.id });
  await press(page, 'Export as CSV');
  await page.getByText('Switch back at the top of the page, and try again.').waitFor();
  await expectSound(page);
  await press(page, 'Back to Acme Builders');
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export as CSV')]);
  expect(download.suggestedFilename()).toMatch(/^audit log-.*\.csv$/);
});

test.each([
  ['Download PDF', (id: string) => `/documents/${id}`],
  ['Export as CSV', () => '/documents'],
] as const)('after the session has ended, "%s" asks to sign in and saves no error as a file', async (name, pathOf) => {
  const { id } = await sealedDocument(app, company, `ended-${name.length}.example`);
  const page = await openConsole(pathOf(id), { browser, app, member, device: desk });
  let downloads = 0;
  page.on('download', () => downloads++);
  const link = page.getByRole('link', { name });
  await link.waitFor();
  await page.context().clearCookies();
  await link.click();
  const question = page.getByRole('dialog', { name: 'You are signed out' });
  await question.waitFor();
  await question.getByRole('button', { name: 'Close' }).click();
  expect(downloads).toBe(0);
});
