import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type PageView, type ServedPage, servePage } from './serve-page.ts';

export interface OpenPage {
  page: Page;
  served: ServedPage;
  /** What the browser complained about: errors, and everything the content security policy refused. */
  complaints: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A served page in a fresh browser profile, both gone at the end of the scope. */
export async function openPage(
  browser: Browser,
  view: PageView,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const served = await servePage(view);
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  await page.goto(served.url);
  return {
    page,
    served,
    complaints,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await served.close();
    },
  };
}
