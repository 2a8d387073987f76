import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFindings } from './axe.ts';

/** Returns what axe finds on a page, and whether it scrolls horizontally. */
export async function faultsOf(page: Page): Promise<string[]> {
  const found = await axeFindings(page);
  const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  return fits ? found : [...found, 'scrolls horizontally'];
}

/** Expects no finding of axe and no horizontal scrolling, once the page has loaded all of its parts. */
export async function expectSound(page: Page): Promise<void> {
  await expect.poll(() => faultsOf(page)).toEqual([]);
}
