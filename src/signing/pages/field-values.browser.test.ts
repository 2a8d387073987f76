import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { desk, phone } from '../../../test/support/devices.ts';
import { expectSound } from '../../../test/support/expect-sound.ts';
import type { PageField } from './signing-page-view.ts';
import { openPage } from './testing/open-page.ts';
import {
  calculatedFields,
  choiceFields,
  formattedFields,
  sampleFile,
  sampleView,
  textFields,
  valueFields,
} from './testing/sample-views.ts';

/** Numbers, drop-down lists and values of the sender on the signing page. */
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const open = (options: BrowserContextOptions, language: 'en' | 'es' = 'en') =>
  openPage(browser, sampleView({ language, file: sampleFile({ fields: valueFields, pageCount: 1 }) }), options);
const problem = (page: Page) => page.locator('#sign-problem');
const left = (page: Page, words: string) => page.locator('#left').filter({ hasText: words }).waitFor();

test.each([
  ['on a phone', phone],
  ['on a desk', desk],
])(
  '%s: numbers are checked as they are left, and everything is signed in its canonical form',
  async (_where, options) => {
    await using opened = await open(options);
    const { page, served, complaints } = opened;
    const price = page.getByRole('textbox', { name: 'Price, Number, page 1, required' });
    const count = page.getByRole('textbox', { name: 'Count, Number, page 1, optional' });
    const rhythm = page.getByRole('combobox', { name: 'Rhythm, List, page 1, required' });
    await left(page, '1 of 2 fields');
    expect(await price.getAttribute('inputmode')).toBe('decimal');
    expect(await count.getAttribute('inputmode')).toBe('text');
    expect(await price.inputValue()).toBe('12.50');

    await price.fill('1000.01');
    await price.press('Tab');
    await problem(page)
      .getByText('Price, page 1: Enter a number from 0.5 to 1000 with up to 2 decimal places.')
      .waitFor();
    expect(await price.getAttribute('aria-invalid')).toBe('true');
    await left(page, '0 of 2 fields');
    await price.fill('1000');
    await price.press('Tab');
    expect(await price.inputValue()).toBe('1000.00');
    expect(await problem(page).textContent()).toBe('');
    expect(await price.getAttribute('aria-invalid')).toBe(null);

    // An optional number is refused too while it is wrong.
    await count.fill('-6');
    await rhythm.selectOption('Yearly & more');
    await left(page, '2 of 3 fields');
    await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await problem(page).getByText('Count, page 1: Enter a whole number of at least -5.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.dataset.field')).toBe('Count');
    await count.fill('-5');
    await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López Herrera');
    await left(page, 'Ready to sign');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await expect.poll(() => served.posts.filter(({ path }) => path === 'sign').length).toBe(1);
    expect(served.posts.find(({ path }) => path === 'sign')?.body).toMatchObject({
      fields: { Price: '1000.00', Count: '-5', Rhythm: 'Yearly & more' },
    });
    expect(JSON.stringify(served.posts)).not.toContain('C-1843');
    expect(complaints).toEqual([]);
  },
);

test('a value of the sender is where the sealed PDF will show it, can be read aloud, and takes no focus', async () => {
  await using opened = await open(phone);
  const { page } = opened;
  await page.getByText('Contract, Text, page 1, set by the sender: C-1843 <b>').waitFor({ state: 'attached' });
  await page.getByText('Agreed, Checkbox, page 1, set by the sender: ticked').waitFor({ state: 'attached' });
  await page.getByText('Fee, Number, page 1, set by the sender: 7.00').waitFor({ state: 'attached' });
  const drawn = await page.locator('#field-1 svg').boundingBox();
  const sheet = await page.locator('#page-1').boundingBox();
  expect(((drawn?.x ?? 0) - (sheet?.x ?? 0)) / (sheet?.width ?? 1)).toBeCloseTo(72 / 612, 2);
  expect(((drawn?.y ?? 0) - (sheet?.y ?? 0)) / (sheet?.height ?? 1)).toBeCloseTo(100 / 792, 2);
  expect((drawn?.height ?? 0) / (sheet?.height ?? 1)).toBeCloseTo(20 / 792, 2);
  expect(await page.locator('#field-1 :is(input, button, [tabindex])').count()).toBe(0);
});

test('a required result blocks the signature as long as the recipient can bring it about, and not for others', async () => {
  const view = sampleView({ language: 'en', file: sampleFile({ fields: calculatedFields, pageCount: 1 }) });
  await using opened = await openPage(browser, view, phone);
  const { page, served, complaints } = opened;
  const [ofOthers, own] = ['Per day', 'Price'].map((name) =>
    page.getByRole('textbox', { name: new RegExp(`^${name}`) }),
  );
  await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
  const sign = page.getByRole('button', { name: 'Sign', exact: true });
  await sign.click();
  await problem(page).getByText('Calculated once these are filled in: Rate.').waitFor();
  await page.getByRole('textbox', { name: /^Rate/ }).fill('8');
  expect(await ofOthers?.getAttribute('title')).toBe('Can’t be calculated, because these were left empty: Days.');
  expect([await own?.inputValue(), await ofOthers?.inputValue()]).toEqual(['16.00', '']);
  await sign.click();
  await expect.poll(() => served.posts.filter(({ path }) => path === 'sign').length).toBe(1);
  expect(complaints).toEqual([]);
});

test('a result says that a number is missing only while the page asks for the number', async () => {
  const [rate, , price] = calculatedFields as [PageField, PageField, PageField];
  const dog = choiceFields[3] as PageField;
  const fields = [dog, { ...rate, condition: { position: dog.position, value: 'true' } }, price];
  const view = sampleView({ language: 'en', file: sampleFile({ fields, pageCount: 1 }) });
  await using opened = await openPage(browser, view, desk);
  const { page } = opened;
  const reason = () => page.getByRole('textbox', { name: /^Price/ }).getAttribute('title');
  await expect.poll(reason).toBe('Can’t be calculated, because these were left empty: Rate.');
  await page.getByRole('checkbox', { name: /^Dog/ }).check();
  await expect.poll(reason).toBe('Calculated once these are filled in: Rate.');
  await page.getByRole('textbox', { name: /^Rate/ }).fill('8');
  await expect.poll(reason).toBe('');
  await page.getByRole('checkbox', { name: /^Dog/ }).uncheck();
  await expect.poll(reason).toBe('Can’t be calculated, because these were left empty: Rate.');
});

test.each([
  ['sent where results depend on it', calculatedFields, { Rate: '' }],
  ['left to other tabs elsewhere', calculatedFields.slice(0, 1), {}],
])('a number that is empty here is %s', async (_what, given, sent) => {
  const fields = given.map((field) => ({ ...field, required: false }));
  const view = sampleView({ language: 'en', file: sampleFile({ fields, pageCount: 1 }) });
  await using opened = await openPage(browser, view, desk);
  const { page, served } = opened;
  await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect.poll(() => served.posts.filter(({ path }) => path === 'sign').length).toBe(1);
  const signed = served.posts.find(({ path }) => path === 'sign')?.body as { fields: object };
  expect(signed.fields).toEqual(sent);
});

test('in English, a comma is the decimal sign too, which the keyboards of some phones have alone', async () => {
  await using opened = await open(phone);
  const { page, served } = opened;
  const price = page.getByRole('textbox', { name: 'Price, Number, page 1, required' });
  await price.fill('99,5');
  await price.press('Tab');
  expect(await price.inputValue()).toBe('99.50');
  await expect
    .poll(() => served.posts.filter(({ path }) => path === 'progress').map(({ body }) => body))
    .toEqual([{ fields: { Price: '99.50' } }]);
});

test('a missing field is named as it is called, whatever is in its name', async () => {
  const [field] = textFields as [PageField];
  const label = "Rent in 'US$' and $$";
  const fields = [{ ...field, id: 'Rent', label, value: null }];
  await using opened = await openPage(browser, sampleView({ file: sampleFile({ fields, pageCount: 1 }) }), desk);
  const { page } = opened;
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await problem(page).getByText(`One field is left to fill in: ${label}, page 1.`, { exact: true }).waitFor();
});

test('in Spanish, a number is entered and shown with a comma, and sent with a point', async () => {
  await using opened = await open(desk, 'es');
  const { page, served } = opened;
  const price = page.getByRole('textbox', { name: 'Price, Número, página 1, obligatorio' });
  expect(await price.inputValue()).toBe('12,50');
  await page.getByText('Fee, Número, página 1, fijado por el remitente: 7,00').waitFor({ state: 'attached' });
  await price.fill('99,5');
  await price.press('Tab');
  expect(await price.inputValue()).toBe('99,50');
  await expect
    .poll(() => served.posts.filter(({ path }) => path === 'progress').map(({ body }) => body))
    .toEqual([{ fields: { Price: '99.50' } }]);
  await page.reload();
  await price.fill('0.4');
  await price.press('Tab');
  await problem(page)
    .getByText('Price, página 1: Escriba un número entre 0,5 y 1000 con 2 decimales como máximo.')
    .waitFor();
});

test.each([
  ['on a phone', phone],
  ['on a desk', desk],
])(
  '%s: a tall text field takes several lines, on its page and in the form, where Enter breaks the line',
  async (_where, options) => {
    await using opened = await openPage(
      browser,
      sampleView({ file: sampleFile({ fields: textFields, pageCount: 1 }) }),
      options,
    );
    const { page, served, complaints } = opened;
    const address = page.getByRole('textbox', { name: 'Address, Text, page 1, required' });
    await address.fill('12 Elm Street');
    await address.press('End');
    await address.press('Enter');
    await address.pressSequentially('Springfield');
    expect(await address.inputValue()).toBe('12 Elm Street\nSpringfield');
    const isSeen = 'document.activeElement.scrollHeight <= document.activeElement.clientHeight + 1';
    expect(await page.evaluate(isSeen)).toBe(true);

    await page.locator('#form-open').click();
    await page.locator('#form-view:not([hidden])').waitFor();
    await address.press('Control+End');
    await address.press('Enter');
    expect(await page.evaluate(isSeen)).toBe(true);
    await address.pressSequentially('IL 62701');
    await expectSound(page);
    const city = page.getByRole('textbox', { name: /^City/ });
    await city.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');

    await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await expect.poll(() => served.posts.filter(({ path }) => path === 'sign').length).toBe(1);
    expect(served.posts.find(({ path }) => path === 'sign')?.body).toMatchObject({
      fields: { City: 'Chicago', Address: '12 Elm Street\nSpringfield\nIL 62701' },
    });
    expect(complaints).toEqual([]);
  },
);

test.each([
  ['on a phone', phone],
  ['on a desk', desk],
])(
  '%s: a text with a format is checked as it is left, written as its format has it, and signed so',
  async (_, options) => {
    const view = sampleView({ file: sampleFile({ fields: formattedFields, pageCount: 1 }) });
    await using opened = await openPage(browser, view, options);
    const { page, served, complaints } = opened;
    const [plate, mobile, customer] = ['Plate', 'Mobile', 'Customer'].map((name) =>
      page.locator(`[data-field="${name}"]`),
    );
    expect(await plate?.evaluate((box) => (box as unknown as { type: string }).type)).toBe('text');
    const keyboards = await Promise.all([plate, mobile, customer].map((box) => box?.getAttribute('inputmode')));
    expect(keyboards).toEqual([null, 'tel', 'numeric']);
    const rule = 'Enter it like this: “AB-1234”.';
    await plate?.fill('bx 18');
    await plate?.press('Tab');
    await problem(page).getByText(`Plate, page 1: ${rule}`, { exact: true }).waitFor();
    expect(await plate?.getAttribute('aria-invalid')).toBe('true');
    await plate?.fill(' bx1843');
    await plate?.press('Tab');
    expect(await plate?.inputValue()).toBe('bx-1843');
    expect(await problem(page).textContent()).toBe('');

    // An optional text is refused too while it is wrong, and stays in the box when the page loads again.
    await mobile?.fill('at home');
    await left(page, '1 of 2 fields');
    await page.reload();
    expect(await mobile?.inputValue()).toBe('at home');
    expect(served.posts.some(({ body }) => JSON.stringify(body).includes('at home'))).toBe(false);
    await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await problem(page).getByText('Mobile, page 1: Enter a phone number of 5 to 15 digits.').waitFor();
    await page.locator('#form-open').click();
    const form = page.locator('#form-view:not([hidden])');
    await form.getByText(rule, { exact: true }).waitFor();
    await expectSound(page);
    await mobile?.fill('(202) 555-0123');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await expect.poll(() => served.posts.filter(({ path }) => path === 'sign').length).toBe(1);
    expect(served.posts.find(({ path }) => path === 'sign')?.body).toMatchObject({
      fields: { Plate: 'bx-1843', Mobile: '(202) 555-0123' },
    });
    expect(complaints).toEqual([]);
  },
);

test.each([
  ['text with too many characters', 'x'.repeat(501), 'Remarks, page 1: Enter at most 500 characters.'],
  ['date with a year of six digits', '12026-03-09', 'Remarks, page 1: Enter a date whose year has four digits.'],
])('a %s is named and not sent, and the other fields are saved', async (_what, value, words) => {
  const [city] = textFields as [PageField];
  const type = value.startsWith('x') ? ('text' as const) : ('date' as const);
  const remarks: PageField = { ...city, id: 'Remarks', label: 'Remarks', type, y: 150, value: null, required: false };
  const view = sampleView({ file: sampleFile({ fields: [city, remarks], pageCount: 1 }) });
  await using opened = await openPage(browser, view, phone);
  const { page, served, complaints } = opened;
  const sent = (path: string) => served.posts.filter((post) => post.path === path).map(({ body }) => body);
  const box = page.locator('[data-field="Remarks"]');
  await box.evaluate((box, text) => {
    (box as unknown as { value: string }).value = text;
    for (const type of ['input', 'change']) box.dispatchEvent(new Event(type, { bubbles: true }));
  }, value);
  await problem(page).getByText(words, { exact: true }).waitFor();
  expect(await box.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('textbox', { name: /^City/ }).fill('Springfield');
  await expect.poll(() => sent('progress')).toEqual([{ fields: { City: 'Springfield' } }]);
  await left(page, '1 of 2 fields');
  await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
  await page.reload();
  expect(await box.inputValue()).toBe(value);
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await problem(page).getByText(words, { exact: true }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.dataset.field')).toBe('Remarks');
  expect(sent('sign')).toEqual([]);
  await page.locator('#form-open').click();
  await page.locator('.form-row .error').getByText(words.slice('Remarks, page 1: '.length), { exact: true }).waitFor();

  await box.fill(type === 'text' ? 'None' : '2026-03-09');
  await page.locator('#saved').getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect.poll(() => sent('sign').length).toBe(1);
  expect(complaints).toEqual([]);
});
