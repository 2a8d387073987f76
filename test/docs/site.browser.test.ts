import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { navigation } from '../../docs/site/navigation.ts';
import { launchBrowser } from '../support/browser.ts';
import { expectSound } from '../support/expect-sound.ts';
import { startTestService, type TestService } from '../support/service.ts';

let app: TestService;
let browser: Browser;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  app = await startTestService();
  browser = await launchBrowser();
  page = await browser.newPage();
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const search = () => page.getByRole('searchbox', { name: 'Search the documentation' });
const results = () => page.locator('#results a');

test('a search on the service leads to the section, by keyboard', async () => {
  await page.goto(`${app.service.origin}/docs/guides/send.html`);
  await page.keyboard.press('/');
  await page.keyboard.type('document_not_completed');
  await expect.poll(() => results().first().textContent()).toContain('document_not_completed');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${app.service.origin}/docs#document_not_completed`);

  await page.goto(`${app.service.origin}/docs/operate/install.html`);
  await search().fill('reconcile');
  await expect.poll(() => results().allTextContents()).toContain('Reconcile by polling');
  await search().fill('zzzzqqqq');
  await expect.poll(() => page.locator('#results').textContent()).toBe('No results');
  await search().fill('<img src=x>');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('#results').isHidden()).toBe(true);
  expect(faults).toEqual([]);
});

test('the site works from a disk, without a server', async () => {
  const dist = resolve(import.meta.dirname, '../../docs/site/dist');
  await page.goto(pathToFileURL(`${dist}/index.html`).href);
  await search().fill('rolled secret');
  await expect.poll(() => results().count()).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Send documents' }).first().click();
  await expect.poll(() => page.title()).toBe('Send documents · Countersign');
  await page.getByRole('link', { name: 'API reference' }).click();
  await expect.poll(() => page.locator('#invalid_title').count()).toBe(1);
  expect(faults).toEqual([]);
});

test.each(['light', 'dark'] as const)('pages are readable for everyone, on a phone, in %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width: 390, height: 800 });
  for (const name of ['index', 'start/concepts', 'guides/receivers', 'operate/performance']) {
    await page.goto(`${app.service.origin}/docs/${name}.html`);
    await expectSound(page);
  }
});

test('no page of the site is wider than a phone', async () => {
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const wide = [];
  for (const path of navigation.flatMap(({ pages }) => pages)) {
    await phone.goto(`${app.service.origin}/docs/${path.replace('README.md', 'index.md').replace(/\.md$/, '.html')}`);
    if (await phone.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(path);
  }
  await phone.close();
  expect(wide).toEqual([]);
});
