import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fill, finished, startMigration } from '../esign/migrate.ts';
import { connectCompany } from '../esign/vendor/connect-company.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { dialog, openConsole, press, pressTogether } from './open-console.ts';
import { createSampleImports, type ImportOrigins, type SampleImports, startImportOrigins } from './sample-imports.ts';
import { addMember, type Member } from './visitor.ts';

/** Imports as members see them and admins start them, on a phone and on a desktop. */
let app: TestService;
let origins: ImportOrigins;
let company: Company;
let ruth: Member;
let browser: Browser;
let samples: SampleImports;

beforeAll(async () => {
  origins = await startImportOrigins();
  [app, browser] = await Promise.all([startTestService({ env: origins.env }), launchBrowser()]);
  company = await createCompany(app);
  samples = await createSampleImports(app, company, origins);
  ruth = await addMember(app, company.id, 'admin', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await origins.stop();
});

const origin = () => new URL(app.baseUrl).origin;

const open = (path: string, device: BrowserContextOptions = desk, member: Member = ruth) =>
  openConsole(path, { browser, app, member, device });

test.each([
  ['a telephone in the dark, in Spanish', { ...phone, colorScheme: 'dark', locale: 'es-ES' }],
  ['a desk in the dark', { ...desk, colorScheme: 'dark' }],
  ['a desk, in Spanish', { ...desk, locale: 'es-ES' }],
] as [string, BrowserContextOptions][])('every page is sound on %s', async (_device, device) => {
  const page = await open('/imports', device);
  for (const [path, row] of [
    ['/imports', 3],
    [`/imports/${samples.links}`, 5],
    [`/imports/${samples.links}?show=failed`, 3],
    [`/imports/${samples.migration}`, 3],
  ] as const) {
    await page.goto(origin() + path);
    await page.getByRole('row').nth(row).waitFor();
    await expectSound(page);
  }
  await page.goto(`${origin()}/imports/nothing`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectSound(page);
});

test('each file says what became of it, and leads to its document', async () => {
  const page = await open('/documents');
  await page.getByRole('link', { name: 'Imports' }).click();
  await page.getByRole('link', { name: 'Cloud file store' }).first().click();
  await page.getByText('2 imported · 3 failed').waitFor();
  const says = (name: RegExp, text: string) => page.getByRole('row', { name }).getByText(text).waitFor();
  await says(/^Plans/, '3 pages unlocked · 3 credits');
  await says(/copy/, 'Already imported');
  await says(/Notes\.txt/, 'This type of file can’t be imported');
  await says(/Estimate/, 'damaged or protected with a password, is an XFA form');
  await says(/Invoice/, 'The link expired');

  await page.getByRole('link', { name: 'Failed 3', exact: true }).click();
  await page.getByRole('row', { name: /^Plans/ }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('row').count()).toBe(4);
  await page.getByRole('link', { name: 'All 5', exact: true }).click();
  await page.getByRole('row', { name: /copy/ }).getByRole('link', { name: 'House rules' }).click();
  await page.getByRole('heading', { level: 1, name: 'House rules' }).waitFor();
});

test('a vendor that can’t be read yet, or at all, is said in the dialog', async () => {
  const page = await open('/imports');
  const held = Promise.withResolvers<void>();
  await page.route('**/console/api/connections', async (route) => {
    await held.promise;
    await route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'no' } } });
  });
  await press(page, 'Import from vendor');
  await dialog(page).getByText('Loading…').waitFor();
  held.resolve();
  await dialog(page).getByText('You don’t have permission to do this.').waitFor();
  await expectSound(page);
  await page.unroute('**/console/api/connections');
  await page.keyboard.press('Escape');
  await press(page, 'Import from vendor');
  await dialog(page).getByLabel('Completed since').fill('2024-01-01');
});

test('a migration is started, watched while it runs, and seen to finish', async () => {
  const envelopes = fill(origins.vendor.api, 4, 1000);
  const release = origins.hold();
  const page = await open('/imports');
  await press(page, 'Import from vendor');
  await dialog(page).getByLabel('Completed since').fill('2024-01-01');
  await expectSound(page);
  await dialog(page).getByRole('button', { name: 'Import from vendor' }).click();
  await page.getByRole('heading', { level: 1, name: 'E-signature vendor' }).waitFor();
  await page.getByRole('article').getByText('ruth@example.com').waitFor();
  await page.getByText('3 imported · 4 remaining').waitFor();
  await page.getByText('Importing').first().waitFor();
  await expectSound(page);

  await page.goto(`${origin()}/imports`);
  await press(page, 'Import from vendor');
  await dialog(page).getByRole('button', { name: 'Import from vendor' }).click();
  await dialog(page).getByText('A vendor import is already running').waitFor();
  await page.keyboard.press('Escape');
  const running = page.getByRole('row', { name: /Running/ });
  await running.getByRole('link').click();
  await page.getByText('3 imported · 4 remaining').waitFor();

  release();
  await page.getByText('7 imported').waitFor();
  await page.getByText('Finished', { exact: true }).waitFor();
  await page.getByRole('link', { name: envelopes[3]?.subject ?? '' }).waitFor();
});

test('a migration that waits for its connection says so', async () => {
  const waiting = await createCompany(app);
  await connectCompany(app, waiting.id);
  fill(origins.vendor.api, 1, 2000);
  const release = origins.hold();
  const { body } = await startMigration(app, waiting);
  const refuse = (at: Date | null) =>
    app.db.query({
      name: '',
      text: 'update esign_connections set refused_at = $2 where account_id = $1',
      values: [waiting.id, at],
    });
  await refuse(app.clock.now());
  const page = await open(`/imports/${body.id}`, phone, await addMember(app, waiting.id, 'admin'));
  await page.getByText('Import paused').waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Reconnect in Settings' }).click();
  await page.getByRole('heading', { name: 'E-signature vendor' }).waitFor();
  await refuse(null);
  release();
  await finished(app, waiting, body.id);
});

test('a company without imports is shown how the first one is made', async () => {
  const fresh = await createCompany(app);
  const page = await open('/imports', phone, await addMember(app, fresh.id, 'admin'));
  await page.getByText(`curl ${origin()}/api/v1/imports`).waitFor();
  await expectSound(page);
  await press(page, 'Import from vendor');
  await dialog(page).getByRole('heading', { name: 'Connect the vendor first' }).waitFor();
  await expectSound(page);
  await dialog(page).getByRole('link', { name: 'Go to Connections' }).click();
  await page.getByRole('heading', { name: 'E-signature vendor' }).waitFor();
});

test('a member sees what comes in, and starts nothing', async () => {
  const page = await open('/imports', desk, await addMember(app, company.id, 'member'));
  await page.getByRole('link', { name: 'Cloud file store' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Import from vendor' }).count()).toBe(0);
  await pressTogether(page, 'g', 'd');
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await pressTogether(page, 'g', 'i');
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
});

/** Creates an import in which only every hundredth file succeeded. */
async function longImport(files: number): Promise<string> {
  const [id, now] = [app.world.newId(), app.clock.now()];
  const run = (text: string, values: unknown[]) => app.db.query({ name: '', text, values });
  const filed = Math.floor(files / 100);
  await run(
    `insert into imports (id, account_id, source, status, unlock_doc, total_files, filed, failed, created_at, finished_at)
     values ($1, $2, 'upload', 'finished', false, $3, $4, $5, $6, $6)`,
    [id, company.id, files, filed, files - filed, now],
  );
  await run(
    `insert into import_items (id, account_id, import_id, name, status, reason, document_id, reserved_bytes, created_at,
       finished_at)
     select ids.id, $2, $1, 'File ' || ids.n, case when ids.n % 100 = 0 then 'filed' else 'failed' end,
       case when ids.n % 100 > 0 then 'invalid_pdf' end,
       case when ids.n % 100 = 0 then (select id from documents where account_id = $2 limit 1) end, 0, $3, $3
     from unnest($4::uuid[]) with ordinality as ids (id, n)`,
    [id, company.id, now, Array.from({ length: files }, () => app.world.newId())],
  );
  return id;
}

test('an import of many files is shown a page at a time, there and back', async () => {
  const id = await longImport(120);
  const page = await open(`/imports/${id}`);
  const shows = async (range: string, first: string) => {
    await page.getByText(range).waitFor();
    await page.getByRole('row').nth(1).getByText(first, { exact: true }).waitFor();
  };
  await shows('1–50 of 120', 'File 1');
  await press(page, 'Next');
  await shows('51–100 of 120', 'File 51');
  await press(page, 'Next');
  await shows('101–120 of 120', 'File 101');
  await expect.poll(() => page.getByRole('row').count()).toBe(21);
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await expectSound(page);
  await press(page, 'Previous');
  await shows('51–100 of 120', 'File 51');

  const alone = await page.context().newPage();
  await alone.goto(page.url());
  await alone.getByText('51–100 of 120').waitFor();
  await press(alone, 'First page');
  await alone.getByText('1–50 of 120').waitFor();
  await alone.close();

  await page.getByRole('link', { name: 'Imported 1' }).click();
  await page.getByRole('row', { name: /File 51/ }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /File 100/ }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.goBack();
  await shows('51–100 of 120', 'File 51');
});
