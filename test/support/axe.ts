import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Makes `axe` available to what is evaluated in a page. Only the first call after a page was loaded costs something. */
export async function loadAxe(page: Page): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(script);
}

/** Returns the violations that `axe.run` finds with these options, each with its elements. */
export async function axeFindings(page: Page, options: object = {}): Promise<string[]> {
  await loadAxe(page);
  const settings = JSON.stringify({ resultTypes: ['violations'], ...options });
  return page.evaluate(`axe.run(${settings}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`);
}
