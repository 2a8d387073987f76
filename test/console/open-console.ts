import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import type { TestService } from '../support/service.ts';
import { type Member, signedIn, type Visitor } from './visitor.ts';

/** Whose console to open, and on which device. English unless the device has another language. */
export interface Sitting {
  browser: Browser;
  app: TestService;
  member: Pick<Member, 'personId'>;
  device: BrowserContextOptions;
  /** The console's address, if it is not the service's. */
  origin?: string;
  /** Signs in. By default with a link alone. */
  signIn?(): Promise<Visitor>;
  /** Runs before the page is requested. */
  prepare?(page: Page): Promise<unknown>;
}

/**
 * Opens a page of the console for a person who is signed in, and waits for its heading. Exceptions and violations of the
 * content security policy fail the test. The page is closed when the test ends.
 */
export async function openConsole(path: string, { browser, app, member, device, ...more }: Sitting): Promise<Page> {
  const origin = more.origin ?? new URL(app.baseUrl).origin;
  const context = await browser.newContext({ locale: 'en-US', ...device });
  onTestFinished(() => context.close());
  const visitor = await (more.signIn?.() ?? signedIn(app, member));
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: origin })));
  const page = await context.newPage();
  await more.prepare?.(page);
  expectNoFaults(page);
  await page.goto(origin + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
export const dialog = (page: Page) => page.getByRole('dialog');
export const pressIn = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
export const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' });

/** Presses keys that must follow each other within a second. None waits until the one before has had its effect. */
export const pressTogether = (page: Page, ...keys: string[]) =>
  Promise.all(keys.map((key) => page.keyboard.press(key)));
