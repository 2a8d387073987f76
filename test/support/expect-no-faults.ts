import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** Makes the current test fail at its end if the page threw an error or broke its content security policy. */
export function expectNoFaults(page: Page): void {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) faults.push(message.text());
  });
  onTestFinished(() => expect(faults, `faults of ${page.url()}`).toEqual([]));
}
