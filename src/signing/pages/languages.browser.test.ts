import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../../test/support/axe.ts';
import { launchBrowser } from '../../../test/support/browser.ts';
import { pageLanguages, texts } from '../../page-texts/texts.ts';
import { openPage } from './testing/open-page.ts';
import { sampleFile, sampleLockedView, sampleView, valueFields } from './testing/sample-views.ts';

/** The languages that documents don't have, and the menu. `accessibility.browser.test.ts` has English and Spanish. */
const languages = pageLanguages.filter((language) => language !== 'en' && language !== 'es');
const widths = [320, 1280];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Returns what axe finds, and whether the page scrolls sideways or cuts a button's words. */
async function faultsOf(page: Page): Promise<unknown> {
  // The bar at the bottom covers something at nearly every place, which axe takes for a small target.
  await page.evaluate(`scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })`);
  const found = await axeFindings(page, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] });
  const misfits: string[] = await page.evaluate(`[
    ...(document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : []),
    ...[...document.querySelectorAll('.button, .tabs button, summary')].filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => 'cut: ' + one.textContent),
  ]`);
  return [...found, ...misfits];
}

for (const language of languages) {
  test(`the main states have no fault and fit the screen: ${language}`, async () => {
    const text = texts[language];
    for (const width of widths) {
      const options = { viewport: { width, height: 800 }, bypassCSP: true };
      await using open = await openPage(browser, sampleView({ language, mayDelegate: true }), options);
      const { page, served, complaints } = open;
      const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
      const found = async (state: string) => expect(await faultsOf(page), `${state}, ${width} px`).toEqual([]);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await found('start');
      await page.locator('#languages summary').click();
      await found('menu');
      await page.locator('#languages summary').click();
      await click(text.start);
      await page.getByRole('tab', { name: text.draw, exact: true }).click();
      await page.locator('#drawing').waitFor();
      await found('draw');
      await page.getByRole('button', { name: text.decline, exact: true }).click();
      await click(text.declineToSign);
      await page.getByText(text.script.reasonMissing, { exact: true }).waitFor();
      await found('decline');

      served.view = sampleView({ language, file: sampleFile({ fields: valueFields }) });
      await page.reload();
      await found('fields');
      served.view = sampleView({ language, file: sampleFile() });
      await page.reload();
      await page.locator('[data-type="signature"]').click();
      await page.getByRole('dialog', { name: text.file.signatureDialog }).waitFor();
      await found('dialog');

      served.view = sampleView({ language, state: { kind: 'completed', at: new Date(0), copy: 'ready' } });
      await page.reload();
      await found('completed');
      await click(text.finish);
      await page.getByText(text.script.closedText, { exact: true }).waitFor();
      await found('finished');

      served.view = sampleLockedView({ language });
      await page.goto(served.url);
      await found('code');
      served.answer = { status: 429, code: 'too_many_codes', retryAfterSeconds: 700 };
      await click(text.sendCode);
      const minutes = new Intl.RelativeTimeFormat(language).format(12, 'minute');
      await page.getByText(text.script.codeNext.replace('{when}', minutes), { exact: true }).waitFor();
      await found('throttled');
      expect(complaints).toEqual([]);
    }
  });
}

test('the texts of the document keep its language, and times and numbers have that of the page', async () => {
  const view = sampleView({
    language: 'fr',
    file: sampleFile({ fields: valueFields }),
    consentStatement: 'I agree to use electronic records and signatures.',
  });
  await using open = await openPage(browser, view, { locale: 'fr-FR', timezoneId: 'Europe/Paris' });
  const { page } = open;
  for (const part of ['#title', '.message', '.disclosure', 'label[for="consent"]', '#file-heading']) {
    expect(await page.locator(part).first().getAttribute('lang'), part).toBe('en');
  }
  await page.getByText('Contrat', { exact: true }).waitFor();
  await page.getByText('20 mars 2026 à 16:20 UTC+1').first().waitFor();
  const price = page.getByRole('textbox', { name: 'Price, Nombre, page 1, obligatoire' });
  expect(await price.inputValue()).toBe('12,50');
  await price.fill('0,5');
  await price.press('Tab');
  expect(await price.inputValue()).toBe('0,50');
  await price.fill('1.200');
  await price.press('Tab');
  await page.getByText(`Price, page 1: ${texts.fr.file.numberRule('0,5', '1000', 2)}`).waitFor();
});

test('the menu is used with the keyboard, and its targets are large enough for a finger', async () => {
  await using open = await openPage(browser, sampleView(), { viewport: { width: 320, height: 640 } });
  const { page } = open;
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const links = page.locator('#languages a');
  await links.first().waitFor();
  for (const target of [page.locator('#languages summary'), ...(await links.all())]) {
    const box = await target.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.width).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  }
  expect(await links.allTextContents()).toEqual(pageLanguages.map((language) => texts[language].name));
  expect(await page.locator('#languages [aria-current]').textContent()).toBe('English');
  for (const _ of ['English', 'Español', 'Deutsch']) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Starten' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(new URL(page.url()).search).toBe('');
});

const choose = async (page: Page, name: string) => {
  await page.locator('#languages summary').click();
  await page.getByRole('link', { name, exact: true }).click();
};

test('another language keeps what was entered into a document without a file', async () => {
  const consentStatement = 'I agree to use electronic records and signatures.';
  await using open = await openPage(browser, sampleView({ consentStatement }));
  const { page, served } = open;
  await page.getByRole('textbox', { name: 'Full name' }).fill('Mary Herrera');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Clause 4\nis wrong');
  await choose(page, 'Français');
  const reason = page.getByRole('textbox', { name: 'Motif' });
  await reason.waitFor();
  expect(await reason.inputValue()).toBe('Clause 4\nis wrong');
  await page.getByRole('button', { name: 'Annuler' }).click();
  expect(await page.getByRole('textbox', { name: texts.fr.fullName }).inputValue()).toBe('Mary Herrera');
  expect(await page.getByRole('checkbox').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Signer', exact: true }).click();
  await expect
    .poll(() => served.posts.find(({ path }) => path === 'sign')?.body)
    .toMatchObject({ full_name: 'Mary Herrera', consent: true, language: 'fr' });
});

test('another language keeps a code that was typed', async () => {
  await using open = await openPage(browser, sampleLockedView({ language: 'it' }));
  const { page } = open;
  await page.getByRole('textbox', { name: 'Codice di verifica' }).fill('123');
  await choose(page, 'Português');
  // The script fills it in when the page has loaded.
  await expect.poll(() => page.getByRole('textbox', { name: 'Código de verificação' }).inputValue()).toBe('123');
});

test('another language saves fields first, and a number that was refused is named and not read in another way', async () => {
  const file = sampleFile({ fields: valueFields.map((field) => ({ ...field, value: null, isFixed: false })) });
  await using open = await openPage(browser, sampleView({ language: 'de', file }));
  const { page, served } = open;
  const fieldCalled = (name: string, role: 'textbox' | 'combobox' = 'textbox') =>
    page.getByRole(role, { name: new RegExp(`^${name}, `) });
  await fieldCalled('Contract').fill('C-7');
  await fieldCalled('Price').fill('99,5');
  await fieldCalled('Count').fill('1.200');
  await fieldCalled('Rhythm', 'combobox').selectOption('Monthly');
  await choose(page, 'English');
  await page.getByRole('button', { name: 'Next' }).waitFor();
  const saved = Object.assign({}, ...served.posts.map(({ body }) => (body as { fields?: object }).fields));
  expect(saved).toMatchObject({ Contract: 'C-7', Price: '99.50', Count: null, Rhythm: 'Monthly' });
  // 1.200 would be a decimal in English.
  expect(await fieldCalled('Count').inputValue()).toBe('');
  expect(await fieldCalled('Count').getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('alert').getByText('You typed: 1.200').waitFor();
});

test('without a connection for saving, what was entered stays in the tab', async () => {
  const file = sampleFile({ fields: valueFields });
  await using open = await openPage(browser, sampleView({ file }));
  const { page, served } = open;
  served.answer = 'hang up';
  await page.getByRole('textbox', { name: /^Price, / }).fill('7.25');
  await choose(page, 'Italiano');
  await page.getByRole('button', { name: 'Avanti' }).waitFor();
  expect(await page.getByRole('textbox', { name: /^Price, / }).inputValue()).toBe('7,25');
});

test('a preview has no menu', async () => {
  await using open = await openPage(browser, sampleView({ isPreview: true }));
  await open.page.getByRole('button', { name: 'Start' }).waitFor();
  expect(await open.page.locator('#languages').count()).toBe(0);
});
