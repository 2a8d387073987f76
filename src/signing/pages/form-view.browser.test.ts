import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../../test/support/axe.ts';
import { launchBrowser } from '../../../test/support/browser.ts';
import { desk, phone } from '../../../test/support/devices.ts';
import { pageLanguages } from '../../page-texts/texts.ts';
import type { SigningPageView } from './signing-page.ts';
import { openPage } from './testing/open-page.ts';
import {
  choiceFields,
  noRules,
  sampleFields,
  sampleFile,
  sampleSigner,
  sampleView,
  valueFields,
} from './testing/sample-views.ts';

/** The view of a file's fields as a form. */
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Fields on two pages, of each kind, with the choices on the first. */
const allFields = [...sampleFields, ...valueFields, ...choiceFields];

const open = (options: BrowserContextOptions, changes: Partial<SigningPageView> = {}) =>
  openPage(browser, sampleView({ file: sampleFile({ fields: allFields }), ...changes }), options);
const form = (page: Page) => page.getByRole('region', { name: 'Fields for you to fill in' });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const left = (page: Page, words: string) => page.locator('#left').filter({ hasText: words }).waitFor();

/** A field of the form by the beginning of its name. */
const entry = (page: Page, name: string) => form(page).locator(`.control[aria-label^="${name}"]`);

async function openForm(page: Page): Promise<void> {
  await page.locator('#form-open').click();
  await page.locator('#form-view:not([hidden])').waitFor();
}

const rules = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'] };
const violations = (page: Page) => axeFindings(page, rules);

test.each([
  ['on a phone', phone],
  ['on a desk', desk],
])('%s: fields are filled in as a form and signed, with the same values on the pages', async (_where, options) => {
  await using opened = await open(options);
  const { page, served, complaints } = opened;
  await page.getByRole('textbox', { name: /^Company/ }).fill('Herrera Roofs');
  expect(served.requests.filter((request) => request.includes('form-view'))).toEqual([]);
  await openForm(page);
  expect(await page.evaluate('document.activeElement.id')).toBe('form-view-heading');
  expect(await page.locator('#file').isVisible()).toBe(false);

  const company = form(page).getByRole('textbox', { name: 'Company, Text, page 1, required' });
  expect(await company.inputValue()).toBe('Herrera Roofs');
  expect(await company.getAttribute('autocomplete')).toBe('organization');
  await form(page).locator('p', { hasText: 'C-1843 <b>' }).waitFor();
  await entry(page, 'Price').fill('99.5');
  await entry(page, 'Rhythm').selectOption('Yearly & more');
  expect(await form(page).getByText('Account', { exact: true }).isVisible()).toBe(false);
  await form(page)
    .getByRole('group', { name: /^Payment/ })
    .getByText('By bank')
    .click();
  await entry(page, 'Account').fill('ES12');
  await form(page).getByText('I have read section 4').click();
  await button(page, 'Signature, page 2, required').click();
  await page.locator('#signature-place').click();
  await button(page, 'Initials, page 1, required').click();
  await page.locator('#initials-place').click();
  await left(page, 'Ready to sign');

  // The pages have the same values, and so has the form again.
  await page.getByRole('button', { name: 'Show in the document: Price' }).click();
  expect(await form(page).isVisible()).toBe(false);
  const price = page.locator('.sheet').getByRole('textbox', { name: /^Price/ });
  expect(await price.inputValue()).toBe('99.50');
  await expect.poll(() => price.isVisible()).toBe(true);
  await price.fill('100');
  await button(page, 'Back to the form').click();
  expect(await entry(page, 'Price').inputValue()).toBe('100.00');
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Show in the document: Price');
  await button(page, 'Sign').click();
  await expect.poll(() => served.posts.filter(({ path }) => path === 'sign').length).toBe(1);
  expect(served.posts.find(({ path }) => path === 'sign')?.body).toMatchObject({
    shown: '0'.repeat(64),
    fields: {
      'f-company': 'Herrera Roofs',
      'f-retention': 'true',
      'f-signature': 'true',
      'f-initials': 'true',
      'By bank': 'true',
      Price: '100.00',
      Rhythm: 'Yearly & more',
      Account: 'ES12',
    },
  });
  expect(complaints).toEqual([]);
});

test('the view and unsaved entries outlive a reload, until the document is signed', async () => {
  await using opened = await open(phone);
  const { page, served } = opened;
  await openForm(page);
  await entry(page, 'Company').fill('Herrera');
  await page.locator('#saved').filter({ hasText: 'Saved' }).waitFor();
  await page.reload();
  await page.locator('#form-view:not([hidden])').waitFor();
  expect(await entry(page, 'Company').inputValue()).toBe('Herrera');
  await page.getByRole('button', { name: 'Read the whole document' }).first().click();
  expect(await page.evaluate('document.activeElement.id')).toBe('file-heading');
  await page.reload();
  await button(page, 'Back to the form').waitFor();
  expect(await form(page).isVisible()).toBe(false);
  await button(page, 'Back to the form').click();
  expect(await entry(page, 'Company').inputValue()).toBe('Herrera');

  served.view = sampleView({ file: sampleFile(), state: { kind: 'signed', at: new Date() } });
  await page.reload();
  await page.locator('#outcome').waitFor();
  expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
});

test('what is being saved when another field changes outlives a reload too', async () => {
  await using opened = await open(phone);
  const { page } = opened;
  await openForm(page);
  // The server never answers.
  await page.route('**/progress', () => {});
  const asked = page.waitForRequest('**/progress');
  await entry(page, 'Company').fill('Herrera');
  await asked;
  await entry(page, 'Price').fill('500');
  await page.reload();
  await page.locator('#form-view:not([hidden])').waitFor();
  expect(await entry(page, 'Company').inputValue()).toBe('Herrera');
  expect(await entry(page, 'Price').inputValue()).toMatch(/^500/);
});

test('Sign and leaving a number say at the field what is wrong, and Enter leads to the next field', async () => {
  await using opened = await open(phone);
  const { page, served } = opened;
  await openForm(page);
  await button(page, 'Sign').click();
  const error = (name: string) =>
    page.locator('.form-row', { has: page.locator(`.control[aria-label^="${name}"]`) }).locator('.error');
  await error('Rhythm').getByText('Choose an option.').waitFor();
  expect(await page.evaluate('document.activeElement.dataset.field')).toBe('Rhythm');
  await entry(page, 'Rhythm').selectOption('Monthly');
  expect(await error('Rhythm').textContent()).toBe('');
  await entry(page, 'Price').fill('5000');
  await entry(page, 'Price').press('Tab');
  await error('Price').getByText('Enter a number from 0.5 to 1000').waitFor();
  expect(await entry(page, 'Price').getAttribute('aria-describedby')).toContain('row-error');
  await entry(page, 'Price').fill('500');
  await expect.poll(() => error('Price').textContent()).toBe('');
  // Enter leads from a text box to the next field, whatever its kind.
  await entry(page, 'Price').press('Enter');
  expect(await page.evaluate('document.activeElement.dataset.field')).toBe('Count');
  expect(served.posts.some(({ path }) => path === 'sign')).toBe(false);
});

test('fields without a label are named by their kind and page, and what others filled in is shown, also when it arrives', async () => {
  const fields = [
    { ...noRules, id: 'a', type: 'text' as const, page: 2, x: 72, y: 100, width: 90, height: 20 },
    { ...noRules, id: 'b', type: 'text' as const, page: 2, x: 72, y: 140, width: 90, height: 20 },
  ].map((field) => ({ ...field, required: true, label: null, value: null }));
  const shown = { sha256: 'a', signers: [], isLive: true };
  await using opened = await open({ ...phone, reducedMotion: 'reduce' }, { file: sampleFile({ fields }), shown });
  const { page, served } = opened;
  await page.clock.install();
  await page.reload();
  await openForm(page);
  expect(await page.locator('label.form-label').allTextContents()).toEqual(['Text 1, page 2', 'Text 2, page 2']);
  expect(await page.locator('#form-others').isVisible()).toBe(false);
  await form(page).getByRole('textbox').first().fill('typed before');
  served.view = sampleView({
    file: sampleFile({ fields }),
    shown: { ...shown, sha256: 'b', signers: [sampleSigner()] },
  });
  await page.clock.runFor(16_000);
  await page.locator('#form-others').getByText('48,500 dollars').waitFor();
  expect(await form(page).getByRole('textbox').first().inputValue()).toBe('typed before');
});

test('no offer without a field to fill in, and when the script of the form fails, a message, and the form once it loads', async () => {
  await using opened = await open(phone, { file: sampleFile({ fields: [] }) });
  const { page, served } = opened;
  expect(await page.locator('#form-open').count()).toBe(0);
  served.view = sampleView({ file: sampleFile() });
  await page.route('**/form-view*.js', (route) => route.abort());
  await page.reload();
  await page.locator('#form-open').click();
  await page.locator('#sign-problem').getByText('The connection failed').waitFor();
  expect(await page.locator('#file').isVisible()).toBe(true);

  await page.unroute('**/form-view*.js');
  await page.locator('#form-open').click();
  await form(page).getByRole('textbox').first().waitFor();

  // That another script can't be loaded doesn't load this one twice.
  await page.getByRole('button', { name: 'Read the whole document' }).first().click();
  await page.route('**/signature-pad*', (route) => route.abort());
  await button(page, /^Signature, page 2/).click();
  await page.getByRole('tab', { name: 'Draw' }).click();
  await page.getByText('The drawing area could not be loaded.').waitFor();
  await button(page, 'Cancel').click();
  await page.locator('#form-open').click();
  await form(page).getByRole('textbox').first().waitFor();
  expect(await page.locator('#form-return').count()).toBe(1);
});

test('axe finds nothing in the form in any language, width and colour, and nothing scrolls sideways', async () => {
  await using opened = await openPage(browser, sampleView({ file: sampleFile({ fields: allFields }) }), {
    ...phone,
    bypassCSP: true,
  });
  const { page, served } = opened;
  const shown = { sha256: '', signers: [sampleSigner()], isLive: false };
  for (const language of pageLanguages) {
    served.view = sampleView({ language, file: sampleFile({ fields: allFields }), shown });
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await openForm(page);
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [480, 854],
      [844, 390],
      [640, 450],
      [1280, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      const where = `${language}, ${width} px`;
      expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBe(width);
      if (language !== 'en' && width !== 390) continue;
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page), `${where}, ${colorScheme}`).toEqual([]);
      }
    }
  }
});

test('no bar covers the focused control of the form', async () => {
  await using opened = await openPage(browser, sampleView({ file: sampleFile({ fields: allFields }) }));
  const { page } = opened;
  for (const [width, height] of [
    [320, 568],
    [390, 664],
    [844, 390],
    [640, 450],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await openForm(page);
    const covered: string[] = [];
    for (let pressed = 0; pressed < 60; pressed++) {
      await page.keyboard.press('Tab');
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      const found = (await page.evaluate(`(() => {
        const focused = document.activeElement;
        if (focused === document.body) return 'end';
        const { left, top, right, bottom } = focused.getBoundingClientRect();
        const bar = document.getElementById('action-bar');
        const over = bar.getBoundingClientRect();
        const isOver = !bar.contains(focused) && getComputedStyle(bar).position === 'sticky' && bottom > over.top + 1 && top < over.bottom;
        const isOut = bottom < 1 || top > innerHeight - 1;
        return isOver || isOut ? (focused.id || focused.outerHTML.slice(0, 90)) : '';
      })()`)) as string;
      if (found === 'end') break;
      if (found !== '') covered.push(found);
    }
    expect(covered, `${width} × ${height}`).toEqual([]);
  }
});
