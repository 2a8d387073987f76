import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachPdf } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { createDataExport, withUnpacked } from '../support/data-export.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** An owner exports everything, downloads the archive and deletes it. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'owner', 'ruth@example.com');
  await attachPdf(app, company, await createDraft(app, company.key));
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const prepare = (page: Page) => page.clock.install({ time: app.clock.now() });
const open = (device: BrowserContextOptions = desk) =>
  openConsole('/settings/data-export', { browser, app, member: ruth, device, prepare });

test('an export is created, downloaded and deleted', async () => {
  const page = await open();
  await page.getByText('No data exports').waitFor();
  await press(page, 'Export data');
  await dialog(page).getByText('restricted documents').waitFor();
  await pressIn(page, 'Export data');
  await closed(page);
  const row = page.getByRole('row').filter({ hasText: 'ruth@example.com' });
  await row.waitFor();
  // The page reads the state again every two seconds, by the clock that the test holds.
  await expect
    .poll(async () => {
      await page.clock.fastForward(2000);
      return row.getByText('Ready', { exact: true }).isVisible();
    })
    .toBe(true);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('data-export-2026-03-10.zip');
  await withUnpacked(await download.path(), async (directory) => {
    expect(JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')).counts.documents).toBe(1);
  });
  await row.getByRole('button', { name: 'Delete' }).click();
  await dialog(page).getByText('Your data stays as it is').waitFor();
  await pressIn(page, 'Delete the export');
  await closed(page);
  await page.getByText('No data exports').waitFor();
});

test('a second export is refused while one is created', async () => {
  const page = await open();
  await page.getByText('No data exports').waitFor();
  await app.db.query({
    name: '',
    // A worker holds it for longer than the test takes.
    text: `insert into data_exports (id, account_id, requested_by, requested_at, language, status, attempts, lease_id, leased_until, files_done, files_total)
           values ($1, $2, $3, $4, 'en', 'running', 1, $1, $5, 12, 40)`,
    values: [
      app.world.newId(),
      company.id,
      ruth.personId,
      app.clock.now(),
      new Date(app.clock.now().getTime() + 3_600_000),
    ],
  });
  await press(page, 'Export data');
  await pressIn(page, 'Export data');
  await dialog(page).getByText('already being created').waitFor();
  await pressIn(page, 'Cancel');
  await closed(page);
  await page.reload();
  await page.getByText('12 of 40 files').waitFor();
  await press(page, 'Cancel');
  await pressIn(page, 'Cancel the export');
  await closed(page);
  await page.getByText('No data exports').waitFor();
});

test.each([
  ['a telephone', phone],
  ['a desk in the dark, in Spanish', { ...desk, colorScheme: 'dark', locale: 'es-ES' }],
] as [string, BrowserContextOptions][])('every state is sound on %s', async (_device, device) => {
  const owner = await signedIn(app, ruth);
  const id = await createDataExport(owner);
  await app.db.query({ name: '', text: 'update data_exports set missing_files = 2 where id = $1', values: [id] });
  const insert = (status: string, columns: string, values: string) =>
    app.db.query({
      name: '',
      text: `insert into data_exports (id, account_id, requested_by, requested_at, language, status, attempts${columns})
             values ($1, $2, $3, $4, 'en', '${status}', 1${values})`,
      values: [app.world.newId(), company.id, ruth.personId, app.clock.now()],
    });
  await insert('failed', ', failure, expires_at', `, 'no_space', '2026-03-17T12:00:00Z'`);
  await insert('running', ', lease_id, leased_until, files_total', `, $1, '2026-03-11T12:00:00Z', 1200`);
  const page = await open(device);
  await page.getByText(/Failed|Fallida/).waitFor();
  await page.getByText(/Ready|Lista/).waitFor();
  await expectSound(page);
  await page.getByRole('button', { name: /Export data|Exportar datos/ }).click();
  await dialog(page).waitFor();
  await expectSound(page);
  await app.db.query({ name: '', text: 'delete from data_exports where account_id = $1', values: [company.id] });
});
