import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/**
 * Makes the current test fail at its end if the page threw an error or broke its content security policy. If the test fails for
 * another reason, the page's content is added to its errors.
 */
export function expectNoFaults(page: Page): void {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) faults.push(message.text());
  });
  onTestFinished(async ({ task }) => {
    expect(faults, `faults of ${page.url()}`).toEqual([]);
    if (task.result?.state === 'fail') throw new Error(`${page.url()} showed at the end:\n${await contentOf(page)}`);
  });
}

const contentMax = 4000;

async function contentOf(page: Page): Promise<string> {
  try {
    return (await page.locator('body').ariaSnapshot({ timeout: 5000 })).slice(0, contentMax);
  } catch (error) {
    return String(error);
  }
}
