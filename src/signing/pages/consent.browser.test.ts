import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { expectSound } from '../../../test/support/expect-sound.ts';
import { consentStatement } from '../disclosure.ts';
import { openPage } from './testing/open-page.ts';
import { sampleFile, sampleView } from './testing/sample-views.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const statement = consentStatement.en;
const asked = (changes = {}) => sampleView({ consentStatement: statement, ...changes });
const box = (page: Page) => page.getByRole('checkbox', { name: statement });
const missing = 'Tick the box to agree before you continue.';

test.each([
  ['Sign', asked()],
  ['Approve', asked({ recipient: { name: 'Theo Brandt', kind: 'approver' } })],
])('%s asks for the tick, which is not there at first, and sends it', async (name, view) => {
  await using open = await openPage(browser, view);
  const { page, served } = open;
  expect(await box(page).isChecked()).toBe(false);
  await page.getByText('You need not sign electronically.').waitFor();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByText(missing).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('consent');
  expect(served.posts.filter(({ path }) => path === 'sign')).toEqual([]);
  await box(page).check();
  expect(await page.getByText(missing).count()).toBe(0);
  await page.getByRole('button', { name, exact: true }).click();
  await expect.poll(() => served.posts.find(({ path }) => path === 'sign')?.body).toMatchObject({ consent: true });
  expect(open.complaints).toEqual([]);
});

test('on a file, Next leads to the box when nothing else is left, and Sign asks for it', async () => {
  const view = asked({ file: sampleFile({ fields: [] }) });
  await using open = await openPage(browser, view);
  const { page, served } = open;
  const start = page.getByRole('button', { name: /Start|Next/ });
  await start.click();
  await page.getByText('Tick the box to agree').waitFor();
  await start.click();
  expect(await page.evaluate('document.activeElement.id')).toBe('consent');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText(missing).waitFor();
  expect(served.posts.filter(({ path }) => path === 'sign')).toEqual([]);
  await page.keyboard.press('Space');
  await page.getByText('Ready to sign').waitFor();
  expect(await start.isHidden()).toBe(true);
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect.poll(() => served.posts.find(({ path }) => path === 'sign')?.body).toMatchObject({ consent: true });
});

test('a server that wants the tick is explained, and a reload does not tick the box again', async () => {
  await using open = await openPage(browser, asked());
  const { page, served } = open;
  await box(page).check();
  served.answer = { status: 400, code: 'consent_required' };
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText(missing).waitFor();
  await page.reload();
  expect(await box(page).isChecked()).toBe(false);
});

test.each([
  [320, 'light', 'en'],
  [320, 'dark', 'es'],
  [390, 'dark', 'en'],
  [390, 'light', 'es'],
  [1280, 'light', 'es'],
  [1280, 'dark', 'en'],
] as const)('axe finds nothing with the box: %i pixels, %s, %s', async (width, colorScheme, language) => {
  for (const file of [null, sampleFile()]) {
    const view = sampleView({ language, consentStatement: consentStatement[language], file });
    const options = { viewport: { width, height: 844 }, colorScheme, bypassCSP: true } as const;
    await using open = await openPage(browser, view, options);
    await expectSound(open.page);
    const target = process.env.CONSENT_SCREENSHOTS;
    if (target !== undefined) {
      const path = `${target}/${file === null ? 'page' : 'file'}-${width}-${colorScheme}-${language}.png`;
      await open.page.locator('#consent').scrollIntoViewIfNeeded();
      await open.page.screenshot({ path, fullPage: file === null });
    }
  }
});
