import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { openPage } from './testing/open-page.ts';
import { sampleFile, sampleView } from './testing/sample-views.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const widths = [320, 390, 768, 1280];
const heights = [510, 560, 640, 720];

/**
 * Returns what covers the focused control, or null. A control may be larger than the screen, so only what lies inside the
 * screen counts, and at least some of it must.
 */
const coverOfFocus = `(() => {
  const focused = document.activeElement;
  if (focused === document.body) return 'end';
  const box = focused.getBoundingClientRect();
  const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
  const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
  if (bottom - top < 2 || right - left < 2) return 'outside of the screen';
  for (const bar of document.querySelectorAll('.bar, .file-tools, .masthead')) {
    if (bar.contains(focused) || getComputedStyle(bar).position !== 'sticky') continue;
    const over = bar.getBoundingClientRect();
    if (over.height > 0 && over.top < bottom - 0.5 && over.bottom > top + 0.5 && over.left < right && over.right > left)
      return bar.className;
  }
  for (const [x, y] of [[0.5, 0.5], [0.5, 0.05], [0.5, 0.95], [0.05, 0.5], [0.95, 0.5]]) {
    const seen = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
    if (seen === null || !(focused.contains(seen) || seen.contains(focused))) return seen?.outerHTML.slice(0, 80) ?? 'nothing';
  }
  return null;
})()`;

async function coveredWhileTabbing(page: Page): Promise<string[]> {
  const covered: string[] = [];
  for (let pressed = 0; pressed < 60; pressed++) {
    await page.keyboard.press('Tab');
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const cover = await page.evaluate(coverOfFocus);
    if (cover === 'end') break;
    if (cover === null) continue;
    covered.push(`${await page.evaluate('document.activeElement.id || document.activeElement.outerHTML')}: ${cover}`);
  }
  return covered;
}

test.each([
  ['with a file', sampleView({ file: sampleFile() })],
  ['without a file', sampleView()],
])('no bar ever covers the focused control on a page %s', async (_which, view) => {
  await using open = await openPage(browser, view);
  const { page } = open;
  const found: Record<string, string[]> = {};
  await page.evaluate("history.scrollRestoration = 'manual'");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 720 });
    await page.reload();
    // The tools of the file are behind the bottom bar at such heights, until the page is scrolled.
    const tools = await page.evaluate('document.getElementById("file-tools")?.getBoundingClientRect().bottom ?? null');
    const behind = typeof tools === 'number' ? [tools, tools + 40] : [];
    for (const height of [...heights, ...behind.map(Math.round)]) {
      await page.setViewportSize({ width, height });
      await page.reload();
      const covered = await coveredWhileTabbing(page);
      if (covered.length > 0) found[`${width} × ${height}`] = covered;
    }
  }
  expect(found).toEqual({});
});
