import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { texts } from '../../page-texts/texts.ts';
import { openPage } from './testing/open-page.ts';
import { sampleFile, sampleView, states } from './testing/sample-views.ts';
import type { ServedPage } from './testing/serve-page.ts';

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 3 } as const;
const desk = { viewport: { width: 1280, height: 900 } } as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const images = (served: ServedPage) => served.requests.filter((request) => /pages\/\d+\?/.test(request));
const pagesOf = (served: ServedPage) =>
  new Set(images(served).map((request) => Number(request.match(/pages\/(\d+)/)?.[1])));
const sheet = (page: Page, number: number) => page.locator(`#page-${number}`);
const box = async (page: Page, number: number) => {
  const found = await sheet(page, number).boundingBox();
  if (found === null) throw new Error(`there is no page ${number}`);
  return found;
};

test('of eighty pages those near the screen are loaded, and each has its place before', async () => {
  await using open = await openPage(browser, sampleView({ file: sampleFile({ pageCount: 80 }) }), phone);
  const { page, served } = open;
  await expect.poll(() => pagesOf(served).has(1)).toBe(true);
  await page.waitForLoadState('networkidle');
  expect(pagesOf(served).size).toBeLessThan(16);
  const { width, height } = await box(page, 70);
  expect(height / width).toBeCloseTo(792 / 612, 2);
  const { y } = await box(page, 80);

  await sheet(page, 60).scrollIntoViewIfNeeded();
  await expect.poll(() => pagesOf(served).has(60)).toBe(true);
  expect(pagesOf(served).has(30)).toBe(false);
  await page.getByText('Page 60 of 80').first().waitFor();
  const scrolled = (await page.evaluate('scrollY')) as number;
  expect((await box(page, 80)).y + scrolled).toBeCloseTo(y, 0); // nothing moved when the images came
  expect(open.complaints).toEqual([]);
});

test('an image is as wide as the screen has pixels for it, and wider when one zooms in', async () => {
  for (const [options, atFirst, zoomed] of [
    [phone, 'width=1200', 'width=1800'],
    [desk, 'width=900', 'width=1200'],
  ] as const) {
    await using open = await openPage(browser, sampleView({ file: sampleFile() }), options);
    const { page, served } = open;
    await sheet(page, 1).scrollIntoViewIfNeeded();
    await expect.poll(() => images(served).some((request) => request.includes(atFirst))).toBe(true);
    expect(images(served).every((request) => request.includes(atFirst))).toBe(true);
    const before = await box(page, 1);
    for (let step = 0; step < 2; step++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByText('150%').waitFor();
    expect((await box(page, 1)).width).toBeCloseTo(before.width * 1.5, 0);
    await expect.poll(() => images(served).some((request) => request.includes(zoomed))).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width);

    for (let step = 0; step < 2; step++) await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.getByText('100%').waitFor();
    expect((await box(page, 1)).width).toBeCloseTo(before.width, 0);
  }
});

test('zooming keeps in sight what one was reading, and the enlarged page scrolls with the keyboard', async () => {
  await using open = await openPage(browser, sampleView({ file: sampleFile({ pageCount: 8 }) }), phone);
  const { page } = open;
  await sheet(page, 6).scrollIntoViewIfNeeded();
  await page.evaluate('document.getElementById("page-6").scrollIntoView({ block: "center" })');
  const middleOf = async () => {
    const { y, height } = await box(page, 6);
    return (phone.viewport.height / 2 - y) / height;
  };
  const before = await middleOf();
  for (let step = 0; step < 4; step++) await page.getByRole('button', { name: 'Zoom in' }).click();
  expect(await middleOf()).toBeCloseTo(before, 1);
  await page.locator('#sheets').focus();
  const left = () => page.evaluate('document.getElementById("sheets").scrollLeft') as Promise<number>;
  const start = await left();
  await page.keyboard.press('ArrowRight');
  await expect.poll(left).toBeGreaterThan(start);
});

test('nothing keeps the browser from zooming itself', async () => {
  await using open = await openPage(browser, sampleView({ file: sampleFile() }), phone);
  const viewport = await open.page.locator('meta[name="viewport"]').getAttribute('content');
  expect(viewport).not.toMatch(/user-scalable|maximum-scale/);
  const touch = await open.page.evaluate("getComputedStyle(document.querySelector('.sheet')).touchAction");
  expect(touch).toBe('auto');
});

test('the text of a page comes with its image, and a page without text says so', async () => {
  await using open = await openPage(browser, sampleView({ file: sampleFile({ pageCount: 40 }) }), phone);
  const { page, served } = open;
  await page.getByRole('heading', { level: 3, name: 'Page 2 of 40' }).waitFor();
  await page.getByText('Section 2. Scope of work').waitFor();
  await page.getByText('holds no text that could be read aloud').waitFor();
  expect(served.requests.some((request) => request.endsWith('/pages/30/text'))).toBe(false);
  expect(served.requests.filter((request) => request.endsWith('/pages/1/text'))).toHaveLength(1);

  // It lies where the picture shows it.
  const line = await page.getByText('Section 2. Scope of work').boundingBox();
  const around = await box(page, 2);
  expect(((line?.y ?? 0) - around.y) / around.height).toBeCloseTo(72 / 792, 2);
  expect(((line?.x ?? 0) - around.x) / around.width).toBeCloseTo(72 / 612, 2);
});

test('a page that fails says so, and comes when one asks again or is online again', async () => {
  for (const language of ['en', 'es'] as const) {
    const text = texts[language];
    await using open = await openPage(browser, sampleView({ language, file: sampleFile() }), phone);
    const { page, served } = open;
    served.failsImages = true;
    await page.reload();
    const failure = page.getByText(text.file.script.pageFailed);
    await expect.poll(() => failure.count()).toBe(3);
    served.failsImages = false;
    await sheet(page, 1).getByRole('button', { name: text.script.tryAgain }).click();
    await expect.poll(() => sheet(page, 1).locator('.sheet-problem').isVisible()).toBe(false);
    await page.getByText('Section 1. Scope of work').waitFor();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await expect.poll(() => page.locator('.sheet-problem:visible').count()).toBe(0);
  }
});

test('who has signed can read on, without fields; who may not yet read sees no page', async () => {
  await using open = await openPage(
    browser,
    sampleView({ file: sampleFile(), state: states.signed ?? { kind: 'open' } }),
  );
  const { page, served } = open;
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  await page.getByText('Section 1. Scope of work').waitFor();
  expect(await page.locator('.slot, #action-bar, dialog').count()).toBe(0);
  expect(open.complaints).toEqual([]);

  for (const name of ['waiting', 'voided', 'expired', 'declined by another']) {
    served.view = sampleView({ file: sampleFile(), state: states[name] ?? { kind: 'open' } });
    await page.reload();
    await page.locator('#outcome').waitFor();
    expect(await page.locator('.sheet').count(), name).toBe(0);
  }
});

test('without JavaScript the pages can be read, and the page leads to the form that needs no script', async () => {
  await using open = await openPage(browser, sampleView({ file: sampleFile() }), { javaScriptEnabled: false });
  const { page, served } = open;
  await expect.poll(() => pagesOf(served).size).toBe(3);
  expect(await page.locator('noscript a').getAttribute('href')).toBe(`${sampleView().address}/form`);
  expect(await page.getByRole('button', { name: 'Start' }).count()).toBe(0);
  expect(await page.locator('.slot:visible').count()).toBe(0);
});
