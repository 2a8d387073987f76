import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell renders the same pages without a window, in half of the time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** How long actions on a page wait: twice Playwright's default, for slow machines. */
const patientMs = 60_000;

/**
 * Starts a headless Chromium that connects only to the pages under test. The caller closes it. `args`: more arguments, such as
 * which names lead to this machine.
 */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [
      '--no-sandbox', // the tests may run as root
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });
  browser.on('context', (context) => context.setDefaultTimeout(patientMs));
  return browser;
}

/** Throws one line that says what to install. */
export function findBrowser(): string {
  const found = places.find(isExecutable);
  if (found === undefined) {
    throw new Error(
      `The browser tests need Chromium: install it with "apt-get install -y chromium-headless-shell". Looked at ${places.join(', ')}.`,
    );
  }
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
