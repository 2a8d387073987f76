import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '../imports/a-pdf.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import {
  type Company,
  call,
  createCompany,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { openConsole } from './open-console.ts';
import { addMember, type Member } from './visitor.ts';

/** Uploading files in the console, on a phone and on a desktop: what people see during and after. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'member', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const open = (device: BrowserContextOptions = desk, member: Member = ruth) =>
  openConsole('/imports', { browser, app, member, device });

const pdfs = (...names: string[]) =>
  names.map((name) => ({ name, mimeType: 'application/pdf', buffer: aPdf({ bytes: 40_000 }) }));

async function choose(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  await page.getByRole('button', { name: /^(Import files|Importar archivos)$/ }).click();
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(files);
}

const importThem = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Import|Importar)$/ })
    .click();

/** Holds uploads until the returned function is called. */
async function hold(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/items/*/file', async (route) => {
    await promise;
    await route.continue().catch(() => {}); // cancelled in the meantime
  });
  return resolve;
}

const newest = async ({ key }: Company = company) => (await call(app, 'GET', '/imports?limit=1', { key })).body.data[0];

test.each([
  ['a telephone in the dark, in Spanish', { ...phone, colorScheme: 'dark', locale: 'es-ES' }],
  ['a desk', desk],
] as [string, BrowserContextOptions][])(
  'choosing, sending and what came of it are sound on %s',
  async (_device, device) => {
    const page = await open(device);
    const letGo = await hold(page);
    await choose(page, [
      ...pdfs('Lease of the house by the harbour.pdf', 'Plan.pdf'),
      { name: `${'Notes_'.repeat(30)}.txt`, mimeType: 'text/plain', buffer: Buffer.from('Call.') },
    ]);
    await expectSound(page);
    await importThem(page);
    await page.getByRole('progressbar', { name: /Lease/ }).waitFor();
    await expectSound(page);
    letGo();
    await page.getByRole('progressbar', { name: /Lease/ }).waitFor({ state: 'detached' });
    await page.getByText(/2 (imported|importados) · 1/).waitFor();
    await expectSound(page);
    await page.context().close();
  },
);

test('files that are dropped on the page come in, and each says what became of it', async () => {
  const page = await open();
  const known = aPdf();
  await choose(page, [{ name: 'House rules.pdf', mimeType: 'application/pdf', buffer: known }]);
  await page.getByRole('dialog').getByText('House rules.pdf').waitFor();
  await importThem(page);
  await page.getByText('1 imported').waitFor();
  await page.getByRole('link', { name: 'Imports' }).first().click();

  const contents = [known, Buffer.from('%PDF-1.4\nit ends here')].map((bytes) => bytes.toString('base64'));
  const dropped = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    const [copy, cut] = ${JSON.stringify(contents)}.map((text) => Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)));
    transfer.items.add(new File([copy], 'House rules (copy).pdf'));
    transfer.items.add(new File([cut], 'Cut.pdf'));
    return transfer;
  })()`);
  // As browsers do, it says again and again that a file is over the page, which may not be ready for it at first.
  await expect
    .poll(async () => {
      await page.dispatchEvent('main', 'dragover', { dataTransfer: dropped });
      return page.getByText('Drop the files to import them').count();
    })
    .toBe(1);
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
  await page.getByRole('dialog').getByText('2 files').waitFor();
  await importThem(page);
  const says = (name: RegExp, text: string) => page.getByRole('row', { name }).getByText(text).waitFor();
  await says(/copy/, 'Already imported');
  await says(/Cut/, 'damaged or protected with a password');
  await page.getByRole('link', { name: /^Failed 1/ }).click();
  await page.getByRole('row', { name: /copy/ }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^All 2/ }).click();
  await page.getByRole('row', { name: /copy/ }).getByRole('link', { name: 'House rules' }).click();
  await page.getByRole('heading', { level: 1, name: 'House rules' }).waitFor();
});

test('one is cancelled, then all; they are sent again, and leaving is warned about meanwhile', async () => {
  const page = await open();
  const letGo = await hold(page);
  await choose(page, pdfs('A.pdf', 'B.pdf', 'C.pdf', 'D.pdf', 'E.pdf'));
  await importThem(page);
  await page.getByText('5 files to send').waitFor();
  await page.getByRole('button', { name: 'Cancel B.pdf' }).click();
  await page.getByText('4 files to send').waitFor();
  await eventually(newest, ({ failed }) => failed === 1);

  const warned = page.waitForEvent('dialog');
  await page.evaluate('void setTimeout(() => location.reload())');
  const dialog = await warned;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();

  await page.getByRole('button', { name: 'Cancel all' }).click();
  await page.getByText('5 files were not sent').waitFor();
  expect(await eventually(newest, ({ status }) => status === 'finished')).toMatchObject({ filed: 0, failed: 5 });
  letGo();
  await page.getByRole('button', { name: 'Send again: A.pdf' }).click();
  await page
    .getByRole('row', { name: /A\.pdf/ })
    .getByText('Imported')
    .waitFor();
  await page
    .getByRole('region', { name: 'Sending files' })
    .getByRole('button', { name: 'Send again', exact: true })
    .click();
  await page.getByText('5 imported').waitFor();
  expect(await newest()).toMatchObject({ status: 'finished', filed: 5, failed: 0 });
});

test('a line that breaks is tried again by itself, and what stays failed can be sent again by hand', async () => {
  const page = await open();
  let tries = 0;
  let isDown = true;
  await page.route('**/items/*/file', async (route) => {
    tries += 1;
    await (isDown ? route.abort('connectionreset') : route.continue());
  });
  await page.clock.install();
  await choose(page, pdfs('Lease.pdf'));
  await importThem(page);
  await page.getByRole('progressbar', { name: /Lease/ }).waitFor();
  await eventually(
    async () => {
      await page.clock.runFor(5000);
      return page.getByText('We can’t reach the service').count();
    },
    (count) => count > 0,
  );
  expect(tries).toBe(5);
  expect(await eventually(newest, ({ status }) => status === 'finished')).toMatchObject({ filed: 0, failed: 1 });
  isDown = false;
  await page.getByRole('button', { name: 'Send again: Lease.pdf' }).click();
  await eventually(newest, ({ filed }) => filed === 1);
});

test('a page that is closed gives up what it has not sent, at once', async () => {
  const page = await open();
  await hold(page);
  await choose(page, pdfs('A.pdf', 'B.pdf'));
  await importThem(page);
  await page.getByText('2 files to send').waitFor();
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto('about:blank');
  expect(await eventually(newest, ({ status }) => status === 'finished')).toMatchObject({ filed: 0, failed: 2 });
});

test('what the plan does not allow is said before anything is sent', async () => {
  const starter = await createCompany(app, 'starter');
  const page = await open(phone, await addMember(app, starter.id, 'owner'));
  await page.getByRole('button', { name: 'Import files' }).click();
  await importThem(page);
  await page.getByRole('dialog').getByText('Choose at least one file').waitFor();
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(pdfs('A.pdf'));
  await importThem(page);
  await page.getByRole('dialog').getByText('Your company’s plan doesn’t include imports').waitFor();
  expect((await call(app, 'GET', '/imports', { key: starter.key })).body.data).toEqual([]);
});
