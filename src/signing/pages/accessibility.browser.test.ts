import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../../test/support/axe.ts';
import { launchBrowser } from '../../../test/support/browser.ts';
import {
  type PageRecipient,
  renderErrorPage,
  renderFinishedPage,
  renderReassignedLinkPage,
  renderUnknownAddressPage,
  renderUnknownLinkPage,
  type SigningState,
} from './signing-page.ts';
import type { PageField } from './signing-page-view.ts';
import { type OpenPage, openPage } from './testing/open-page.ts';
import {
  choiceFields,
  hostileView,
  lockedStates,
  noPageBrand,
  noRules,
  sampleFile,
  sampleLockedView,
  sampleSigner,
  sampleView,
  states,
  valueFields,
} from './testing/sample-views.ts';
import type { PageView } from './testing/serve-page.ts';

const schemes = ['light', 'dark'] as const;

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };

let browser: Browser;
/** One window for all views of a language: a fresh profile for each would take longer than the looking. */
let windows: Array<{ language: 'en' | 'es'; open: OpenPage }>;
beforeAll(async () => {
  browser = await launchBrowser();
  const open = (viewport: typeof phone) => openPage(browser, sampleView(), { viewport, bypassCSP: true });
  windows = [
    { language: 'en', open: await open(phone) },
    { language: 'es', open: await open(desk) },
  ];
});
afterAll(async () => {
  for (const { open } of windows) await open[Symbol.asyncDispose]();
  await browser.close();
});

/** WCAG 2.0 to 2.2 AA and good practice: not only what is serious. */
const everyRule = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // These tags leave out an experimental rule, and one that is off by default.
  rules: { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } },
};
const contrastOnly = { runOnly: { type: 'rule', values: ['color-contrast'] } };

const violations = (page: Page) => axeFindings(page, everyRule);

/** As a sender may place them: small checkboxes in front of a text field and behind it. */
const closeFields: PageField[] = [
  { ...place(72, 600, 10, 10), id: 'f-1', type: 'checkbox', required: false, label: 'Agrees', value: null },
  { ...place(84, 598, 180, 14), id: 'f-2', type: 'text', required: true, label: 'Reason', value: null },
  { ...place(266, 600, 10, 10), id: 'f-3', type: 'checkbox', required: false, label: 'Disagrees', value: null },
];

function place(x: number, y: number, width: number, height: number) {
  return { page: 1, x, y, width, height, ...noRules };
}

const views = new Map<string, (language: 'en' | 'es') => PageView>([
  ...Object.entries(states).map(
    ([name, state]) => [name, (language: 'en' | 'es') => sampleView({ language, state, testMode: true })] as const,
  ),
  ['hand over', (language: 'en' | 'es') => sampleView({ language, handOver: true, isInPerson: true })],
  [
    'hand back',
    (language: 'en' | 'es') => sampleView({ language, isInPerson: true, state: states.signed as SigningState }),
  ],
  ...['open', 'signed', 'completed'].map(
    (name) =>
      [
        `file, ${name}`,
        (language: 'en' | 'es') => sampleView({ language, file: sampleFile(), state: states[name] as SigningState }),
      ] as const,
  ),
  [
    'file, open, a checkbox next to a text field',
    (language: 'en' | 'es') => sampleView({ language, file: sampleFile({ fields: closeFields }) }),
  ],
  [
    'file, open, numbers, a list and values of the sender',
    (language: 'en' | 'es') => sampleView({ language, file: sampleFile({ fields: valueFields }) }),
  ],
  [
    'file, open, radio buttons and fields that depend on others',
    (language: 'en' | 'es') => sampleView({ language, file: sampleFile({ fields: choiceFields }) }),
  ],
  ['open, someone else may sign', (language: 'en' | 'es') => sampleView({ language, mayDelegate: true })],
  [
    'file, open, someone else may sign',
    (language: 'en' | 'es') => sampleView({ language, file: sampleFile(), mayDelegate: true }),
  ],
  [
    'completed, sealed pages',
    (language: 'en' | 'es') =>
      sampleView({
        language,
        file: sampleFile({ part: 'sealed', fields: [] }),
        state: states.completed as SigningState,
      }),
  ],
  [
    'file, open, after another signed',
    (language: 'en' | 'es') =>
      sampleView({ language, file: sampleFile(), shown: { sha256: '', signers: [sampleSigner()], isLive: true } }),
  ],
  [
    'open, after another signed',
    (language: 'en' | 'es') => {
      const signed = sampleSigner({ fields: [], signature: { kind: 'typed', text: 'Dana M. Whitfield' } });
      const [dana, ...others] = sampleView().recipients as [PageRecipient, ...PageRecipient[]];
      return sampleView({ language, recipients: [{ ...dana, signed }, ...others] });
    },
  ],
  ...Object.entries(lockedStates).map(
    ([name, state]) =>
      [name, (language: 'en' | 'es') => sampleLockedView({ language, state, testMode: true })] as const,
  ),
]);

for (const [name, viewIn] of views) {
  test(`axe finds nothing: ${name}`, async () => {
    for (const { language, open } of windows) {
      const { page, served } = open;
      served.view = viewIn(language);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.reload();
      expect(await violations(page), language).toEqual([]);
      // In the dark only the colours are others.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeFindings(page, contrastOnly), `${language}, dark`).toEqual([]);
    }
  });
}

test('axe finds nothing at any width, nor in names of fields that hold a signature', async () => {
  await using open = await openPage(browser, sampleView({ file: sampleFile() }), { bypassCSP: true });
  const { page, served } = open;
  const click = (name: string | RegExp) => page.getByRole('button', { name }).click();
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    await click(/^Signature, page 2/);
    expect(await violations(page), `dialog, ${width} px`).toEqual([]);
    await click('Place signature');
    await click(/^Initials, page 1/);
    await click('Place initials');
    expect(await violations(page), `placed, ${width} px`).toEqual([]);
    await page.evaluate('sessionStorage.clear()');
  }
  served.view = sampleLockedView({ state: { kind: 'needs_account', opens: 'document' } });
  await page.setViewportSize(phone);
  await page.reload();
  expect(await violations(page), 'sign-in').toEqual([]);
});

test('axe finds nothing while one draws, errs, declines, or has finished', async () => {
  for (const colorScheme of schemes) {
    await using open = await openPage(browser, sampleView(), { colorScheme, bypassCSP: true });
    const { page, served } = open;
    const click = (name: string) => page.getByRole('button', { name }).click();
    await page.getByRole('tab', { name: 'Draw' }).click();
    await click('Sign');
    await page.getByRole('textbox', { name: 'Full name' }).fill('Maria');
    expect(await violations(page), 'drawing').toEqual([]);
    await page.getByRole('tab', { name: 'Type' }).click();
    served.answer = 'hang up';
    await click('Sign');
    await page.getByText('The connection failed').waitFor();
    expect(await violations(page), 'connection failed').toEqual([]);
    await click('Decline');
    await click('Decline to sign');
    expect(await violations(page), 'declining').toEqual([]);

    served.view = sampleView({ state: { kind: 'signed', at: new Date() } });
    await page.reload();
    await click('Finish');
    expect(await violations(page), 'finished').toEqual([]);
  }
});

test('axe finds nothing after a code was shown, refused, or asked for too often', async () => {
  for (const colorScheme of schemes) {
    await using open = await openPage(browser, sampleLockedView({ testMode: true }), { colorScheme, bypassCSP: true });
    const { page, served } = open;
    served.answerBody = { code: '123456' };
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('your code is 123456').waitFor();
    expect(await violations(page), 'shown').toEqual([]);
    served.answer = { status: 400, code: 'invalid_code' };
    await page.getByRole('textbox').fill('000000');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('This code does not open').waitFor();
    expect(await violations(page), 'refused').toEqual([]);
    served.answer = { status: 429, code: 'too_many_codes', retryAfterSeconds: 700 };
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('Five codes were sent').waitFor();
    expect(await violations(page), 'throttled').toEqual([]);
  }
});

test('axe finds nothing in hostile text, nor on a page for a wrong link or a failing service', async () => {
  for (const colorScheme of schemes) {
    await using open = await openPage(browser, hostileView(), { colorScheme, bypassCSP: true });
    expect(await violations(open.page)).toEqual([]);
    const notices = [
      renderUnknownLinkPage('en'),
      renderReassignedLinkPage('es', 'Acme', noPageBrand),
      renderUnknownAddressPage('es'),
      renderErrorPage('es'),
      renderFinishedPage('en'),
    ];
    for (const notice of notices) {
      await open.page.route('**/notice', (route) => route.fulfill({ contentType: 'text/html', body: notice }));
      await open.page.goto(`${new URL(open.served.url).origin}/notice`);
      expect(await violations(open.page)).toEqual([]);
      await open.page.unroute('**/notice');
    }
  }
});

test('no page scrolls sideways on the narrowest screen, at 200 % zoom, or on a phone held sideways', async () => {
  const sizes = [
    { width: 320, height: 568 },
    { width: 640, height: 450 },
    { width: 844, height: 390 },
  ];
  await using open = await openPage(browser, sampleView());
  const { page, served } = open;
  for (const [name, viewIn] of views) {
    served.view = viewIn('es');
    await page.reload();
    for (const viewport of sizes) {
      await page.setViewportSize(viewport);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width, `${name} at ${viewport.width} px`).toBe(viewport.width);
    }
  }
});

test('the focus is never hidden under a bar', async () => {
  await using open = await openPage(browser, sampleView(), { viewport: { width: 360, height: 640 } });
  const { page } = open;
  for (let tab = 0; tab < 6; tab++) {
    await page.keyboard.press('Tab');
    const isOnTop = await page.evaluate(`(() => {
      const focused = document.activeElement;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      return seen !== null && (focused.contains(seen) || seen.contains(focused));
    })()`);
    expect(isOnTop, await page.evaluate('document.activeElement.outerHTML')).toBe(true);
  }
});
