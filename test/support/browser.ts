import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell draws the same pages without a window around them, which costs half of the time of a test. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A headless Chromium that talks to nobody but the pages under test. The caller closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    args: [
      '--no-sandbox', // the tests may run as root
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
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
