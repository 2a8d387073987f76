import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const findings = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))';

/** Returns what axe finds on a page, and whether it scrolls horizontally. */
export async function faultsOf(page: Page): Promise<unknown[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(findings)) as unknown[];
  const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  return fits ? found : [...found, 'scrolls horizontally'];
}

/** Expects no finding of axe and no horizontal scrolling, once the page has loaded all of its parts. */
export async function expectSound(page: Page): Promise<void> {
  await expect.poll(() => faultsOf(page)).toEqual([]);
}
