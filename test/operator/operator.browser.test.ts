import { PgBoss } from 'pg-boss';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeAt } from '../../src/identity/totp.ts';
import { measureStorage } from '../../src/operators/measure-storage.ts';
import { closed, dialog, openConsole, press, pressIn } from '../console/open-console.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { attachPdf } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { createOperator, operatorSignedIn, type TestOperator } from './operator-company.ts';

/** An operator looks at companies and queues, changes a plan and retries a job. */
let app: TestService;
let company: Company;
let ops: TestOperator;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app, 'pro');
  await app.db.query({
    name: '',
    text: `update accounts set display_name = 'Rose & Sons' where id = $1`,
    values: [company.id],
  });
  ops = await createOperator(app);
  const draft = await createDraft(app, company.key);
  await attachPdf(app, company, draft);
  await measureStorage(app.world, app.db);
  await app.db.query({
    name: '',
    text: 'update documents set seal_changed_page = 2 where id = $1',
    values: [draft],
  });
  await failJobs();
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

/** Two jobs that do nothing when they are retried, because what they are about does not exist. */
async function failJobs(): Promise<void> {
  const boss = new PgBoss({
    connectionString: app.databaseUrl,
    schema: 'jobs',
    migrate: false,
    supervise: false,
    max: 1,
  });
  boss.on('error', () => {});
  await boss.start();
  const data = { name: 'ask-owner', accountId: company.id, memberId: app.world.newId(), messageId: app.world.newId() };
  for (let made = 0; made < 2; made++) {
    const id = await boss.send('ask-owner', data, { startAfter: 3600 });
    await app.db.query({
      name: '',
      text: `update jobs.job set state = 'failed', completed_on = now(), retry_count = 20, started_on = now(), start_after = now(),
               output = '{"message": "connect ECONNREFUSED 127.0.0.1:25"}' where name = 'ask-owner' and id = $1`,
      values: [id],
    });
  }
  await boss.stop({ graceful: false });
}

const prepare = (page: Page) => page.clock.install({ time: app.clock.now() });
const open = (path: string, device: BrowserContextOptions = desk) =>
  openConsole(path, { browser, app, member: ops, device, prepare, signIn: () => operatorSignedIn(app, ops) });

test('the menu leads to the page, and only for operators', async () => {
  const page = await open('/documents');
  await press(page, /^Your menu/);
  await page.getByRole('menuitem', { name: 'Operator' }).click();
  await page.getByRole('heading', { level: 1, name: 'Operator' }).waitFor();
  await page.getByRole('link', { name: 'Rose & Sons' }).waitFor();
  await expect.poll(() => page.title()).toBe('Companies · Operator · Countersign');

  const member = await addMember(app, company.id, 'owner');
  const other = await openConsole('/operator', { browser, app, member, device: desk });
  await other.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await press(other, /^Your menu/);
  await other.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  expect(await other.getByRole('menuitem', { name: 'Operator' }).count()).toBe(0);
});

test('a company is found, its plan is changed after confirming who it is, and credits are added', async () => {
  const page = await open('/operator/companies');
  await page.getByLabel('Search by name or ID').fill('rose');
  await page.clock.runFor(300);
  await page.getByRole('table').getByRole('link', { name: 'Acme Builders' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Rose & Sons' }).click();
  await page.getByRole('heading', { name: 'Rose & Sons' }).waitFor();
  expect(await page.getByText('in 1 file (').count()).toBe(1);

  app.clock.advance({ minutes: 16 });
  await press(page, 'Change plan');
  await dialog(page).getByLabel('Plan').selectOption('team');
  await pressIn(page, 'Change plan');
  const confirm = dialog(page).filter({ hasText: 'Confirm it’s you' });
  await confirm.waitFor();
  await confirm.getByRole('textbox').first().fill(codeAt(ops.secret, app.clock.now()));
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('The plan was changed.').waitFor();
  await closed(page);

  await press(page, 'Add credits');
  await dialog(page).getByLabel('Credits to add').fill('0');
  await pressIn(page, 'Add credits');
  await dialog(page).getByText('Enter a whole number').waitFor();
  await dialog(page).getByLabel('Credits to add').fill('40');
  await pressIn(page, 'Add credits');
  await page.getByText('40 credits added.').waitFor();
  await page.getByRole('link', { name: 'Operator log' }).click();
  await page.getByText('Changed the plan from Pro to Team').waitFor();
  await page.getByText('Added 40 credits').waitFor();

  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  expect((await owner.get('/usage')).body).toMatchObject({ tier: 'team', credits: { balance: 40 } });
});

test.each([
  ['a telephone', phone],
  ['a desk in the dark, in Spanish', { ...desk, colorScheme: 'dark', locale: 'es-ES' }],
] as [string, BrowserContextOptions][])('every part is sound on %s', async (_device, device) => {
  const page = await open('/operator', device);
  await page.getByRole('link', { name: 'Rose & Sons' }).waitFor();
  await expectSound(page);
  const parts = ['plans', 'queues', 'storage', 'service', 'log', `companies/${company.id}`];
  for (const part of parts) {
    await page.goto(`${new URL(app.baseUrl).origin}/operator/${part}`);
    await page.locator('main').locator('table, dl').first().waitFor();
    await expectSound(page);
  }
});

test('a failed job is retried, and then all of its queue', async () => {
  const page = await open('/operator/queues');
  const rows = page.getByRole('row').filter({ hasText: 'ECONNREFUSED' });
  await rows.first().waitFor();
  expect(await rows.count()).toBe(2);
  await rows.first().getByRole('button', { name: 'Retry' }).click();
  await page.getByText('1 job is being retried.').waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByLabel('Queue', { exact: true }).selectOption('ask-owner');
  await press(page, 'Retry all');
  await pressIn(page, 'Retry all');
  await closed(page);
  await page.getByText('No failed jobs.').waitFor();
});
