import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { desk, phone } from '../../../test/support/devices.ts';
import { openPage } from './testing/open-page.ts';
import { choiceFields, sampleFile, sampleView } from './testing/sample-views.ts';

/** Radio buttons, and fields that are shown only while another field has a value, on the signing page. */
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const open = (options: BrowserContextOptions) =>
  openPage(browser, sampleView({ file: sampleFile({ fields: choiceFields, pageCount: 1 }) }), options);
const left = (page: Page, words: string) => page.locator('#left').filter({ hasText: words }).waitFor();
const focused = (page: Page) => page.evaluate('document.activeElement.dataset.field') as Promise<string>;

test('radio buttons are one stop for the keyboard, the arrows choose, and they count once', async () => {
  await using opened = await open(desk);
  const { page, served } = opened;
  const bank = page.getByRole('radio', { name: 'By bank, Payment, Option, page 1, required' });
  const cash = page.getByRole('radio', { name: 'In cash, Payment, Option, page 1, required' });
  await left(page, '0 of 1 fields');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect.poll(() => focused(page)).toBe('By bank');
  await page.keyboard.press('Space');
  expect(await bank.isChecked()).toBe(true);
  await left(page, '1 of 2 fields'); // the account appears
  await page.keyboard.press('ArrowDown');
  expect([await bank.isChecked(), await cash.isChecked(), await focused(page)]).toEqual([false, true, 'In cash']);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Dog');
  await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
  await left(page, 'Ready to sign');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect.poll(() => served.posts.filter(({ path }) => path === 'sign').length).toBe(1);
  expect(served.posts.find(({ path }) => path === 'sign')?.body).toMatchObject({
    fields: { 'By bank': '', 'In cash': 'true', Account: '', Dog: 'false' },
  });
});

test.each([
  ['on a phone', phone],
  ['on a desk', desk],
])(
  '%s: fields appear and disappear in a chain, and what is hidden is neither asked for nor sent',
  async (_where, options) => {
    await using opened = await open(options);
    const { page, served, complaints } = opened;
    const account = page.getByRole('textbox', { name: /^Account/ });
    const dog = page.getByRole('checkbox', { name: /^Dog/ });
    const size = page.getByRole('combobox', { name: /^Size/ });
    const breed = page.getByRole('textbox', { name: /^Breed/ });
    const fence = page.getByText('set by the sender: A fence is needed');
    const sign = page.getByRole('button', { name: 'Sign', exact: true });
    const visible = async () =>
      Promise.all([account, size, breed, page.locator('.slot-fixed')].map((one) => one.isVisible()));
    expect(await visible()).toEqual([false, false, false, false]);
    await dog.check();
    expect(await visible()).toEqual([false, true, false, true]);
    expect(await page.locator('#progress').textContent()).toBe('Fields shown: 2. Fields hidden: 0.');
    await fence.waitFor({ state: 'attached' });
    await size.selectOption('Large');
    await breed.fill('Poodle');
    await page.getByRole('radio', { name: /^By bank/ }).check();
    await account.fill('ES91');

    await size.selectOption('');
    expect(await visible()).toEqual([true, true, false, true]);
    await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
    await sign.click();
    await page.locator('#sign-problem').getByText('One field is left to fill in: Size, page 1.').waitFor();
    await dog.uncheck();
    expect(await visible()).toEqual([true, false, false, false]);
    await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López Herrera');
    await left(page, 'Ready to sign');
    await sign.click();
    await expect.poll(() => served.posts.filter(({ path }) => path === 'sign').length).toBe(1);
    const signed = served.posts.find(({ path }) => path === 'sign')?.body as { fields: Record<string, string> };
    expect(signed.fields).toEqual({
      ...{ 'By bank': 'true', 'In cash': '', Account: 'ES91', Dog: 'false', Size: '', Breed: '' },
    });
    expect(complaints).toEqual([]);
  },
);

test('choices that are empty here are sent, so that another tab’s show nothing that this one has hidden', async () => {
  const fields = choiceFields.map((field) => ({ ...field, required: false }));
  const view = sampleView({ file: sampleFile({ fields, pageCount: 1 }) });
  await using opened = await openPage(browser, view, desk);
  const { page, served } = opened;
  await page.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect.poll(() => served.posts.filter(({ path }) => path === 'sign').length).toBe(1);
  const signed = served.posts.find(({ path }) => path === 'sign')?.body as { fields: Record<string, string> };
  expect(signed.fields).toEqual({ 'By bank': '', 'In cash': '', Dog: 'false' });
});
