import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLinkOf } from '../signing/signer.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { openConsole, press } from './open-console.ts';
import { addMember, type Member } from './visitor.ts';

/** Calculated fields in browsers: the formula in the console, the result on the signing page and on the page without script. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'owner', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const numbers: FieldToPlace[] = [
  { recipient: 1, type: 'number', label: 'Quantity', decimals: 0 },
  { recipient: 1, type: 'number', label: 'Price', decimals: 2 },
];
const total: FieldToPlace = { recipient: 1, type: 'number', label: 'Total', decimals: 2, formula: '{1} * {2} * 1.21' };

async function draft(fields: readonly FieldToPlace[], changes: object = {}): Promise<string> {
  const id = await createDraft(app, company.key, { title: 'Order', recipients: [ada], ...changes });
  await attachPdf(app, company, id);
  await placeOn(app, company, id, fields);
  return id;
}

async function sent(fields: readonly FieldToPlace[], changes: object = {}) {
  const id = await draft(fields, changes);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  return { id, link: (await openLinkOf(app, company, id, ada.name)).link };
}

const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);

test.each([
  ['on a desk', desk],
  ['on a phone', phone],
])('%s: a formula is made by keyboard from the list of fields, with errors at once', async (_where, device) => {
  const id = await draft([...numbers, { recipient: 1, type: 'number', label: 'Total', max: '5' }]);
  const page = await openConsole(`/documents/${id}/fields`, { browser, app, member: ruth, device });
  await page.getByRole('button', { name: 'Number of Ada Lovelace, page 1' }).nth(2).focus();
  const panel = page.getByRole('group', { name: 'Selected field' });
  await panel.getByLabel('Value', { exact: true }).selectOption('Calculated');
  const alert = panel.getByRole('alert');
  await alert.getByText('Enter a formula.').waitFor();
  expect(await panel.getByLabel('Maximum').count()).toBe(0);
  const formula = panel.getByLabel('Formula');
  const list = panel.getByRole('list', { name: 'Insert a field' });
  await expect.poll(() => list.getByRole('button').allTextContents()).toEqual(['Quantity', 'Price']);
  await list.getByRole('button', { name: 'Quantity' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type(' * ');
  await alert.getByText('The formula isn’t finished.').waitFor();
  await list.getByRole('button', { name: 'Price' }).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => formula.inputValue()).toBe('{Quantity} * {Price}');
  await alert.waitFor({ state: 'hidden' });
  await formula.fill('{Quantity} * {Prise}');
  await alert.getByText('No number field is called “Prise”.').waitFor();
  await press(page, 'Save fields');
  await alert.getByText('No number field is called “Prise”.').waitFor();
  await expectSound(page);
  await formula.fill('{Quantity} * {price} * 1.21');
  await press(page, 'Save fields');
  await page.getByRole('heading', { level: 1, name: 'Order' }).waitFor();
  const [, , saved] = await fieldsOf(app, company, id);
  expect(saved).toMatchObject({ formula: '{0} * {1} * 1.21', number_max: null });
  await page.context().close();
});

test('in Spanish, a formula is shown and read with a comma', async () => {
  const id = await draft([...numbers, total]);
  const page = await openConsole(`/documents/${id}/fields`, {
    browser,
    app,
    member: ruth,
    device: { ...desk, locale: 'es-ES' },
  });
  await page.getByRole('button', { name: 'Número de Ada Lovelace, página 1' }).nth(2).click();
  const formula = page.getByRole('group', { name: 'Campo seleccionado' }).getByLabel('Fórmula');
  expect(await formula.inputValue()).toBe('{Quantity} * {Price} * 1,21');
  await formula.fill('suma({Quantity}; {Price}) * 1,5');
  await expectSound(page);
  await press(page, 'Guardar campos');
  await page.getByRole('heading', { level: 1, name: 'Order' }).waitFor();
  expect((await fieldsOf(app, company, id))[2]?.formula).toBe('sum({0}, {1}) * 1.5');
  await page.context().close();
});

async function open(link: string, device = desk, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({ ...device, javaScriptEnabled, bypassCSP: true });
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

test.each([
  ['on a desk', desk],
  ['on a phone', phone],
])('%s: the signer sees the result live, and why there is none', async (_where, device) => {
  const { id, link } = await sent([...numbers, { ...total, formula: '{1} * {2} / ({1} - 1)' }]);
  const page = await open(link, device);
  const result = page.getByRole('textbox', { name: 'Total, Number, page 1, calculated' });
  const described = async () => {
    const ids = (await result.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = await Promise.all(ids.map((id) => page.locator(`#${id}`).textContent()));
    return texts.join('').trim();
  };
  expect(await described()).toBe('Calculated once these are filled in: Quantity, Price.');
  expect(await result.isEditable()).toBe(false);
  const quantity = page.getByRole('textbox', { name: /^Quantity/ });
  await quantity.fill('1');
  expect(await described()).toBe('Calculated once these are filled in: Price.');
  await page.getByRole('textbox', { name: /^Price/ }).fill('9.99');
  expect(await described()).toBe('Can’t be calculated, because it would divide by zero.');
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  const sign = page.getByRole('button', { name: 'Sign', exact: true });
  await sign.click();
  await page
    .locator('#sign-problem')
    .getByText('Total, page 1: Can’t be calculated, because it would divide by zero.')
    .waitFor();
  await expectSound(page);
  await quantity.fill('3');
  expect(await result.inputValue()).toBe('14.99');
  await quantity.blur();
  await page.locator('#progress').getByText('Total, page 1: 14.99').waitFor({ state: 'attached' });
  // "Saved" may still be said of the earlier number.
  await expect.poll(() => valuesOf(id)).toEqual(['3', '9.99', null]);
  await page.reload();
  expect(await result.inputValue()).toBe('14.99');

  await page.getByRole('button', { name: 'Fill in as a form' }).click();
  const row = page.locator('.form-row', { has: result });
  await row.waitFor(); // the field that is filled in next moves there too
  await quantity.fill('');
  await row.getByText('Calculated once these are filled in: Quantity.').first().waitFor();
  await quantity.fill('2');
  expect(await result.inputValue()).toBe('19.98');
  await expectSound(page);
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  await sign.click();
  await page.locator('#outcome').waitFor();
  expect(await valuesOf(id)).toEqual(['2', '9.99', '19.98']);
  await page.context().close();
});

test('without script, only a result that was shown is signed', async () => {
  const fixed: FieldToPlace = {
    recipient: 1,
    type: 'number',
    label: 'IVA',
    decimals: 3,
    value: '1.21',
    read_only: true,
  };
  const { id, link } = await sent([...numbers, total, fixed], { primary_language: 'es' });
  const page = await open(`${link}/form`, phone, false);
  const result = page.locator('.field', { hasText: 'Total, página 1, calculado' });
  await result.getByText('Se calculará cuando se rellene: Quantity, Price.').waitFor();
  await page.getByRole('textbox', { name: 'Quantity' }).fill('3');
  const sign = page.getByRole('button', { name: 'Firmar', exact: true });
  await sign.click();
  const problems = page.getByRole('alert').getByRole('link');
  await expect
    .poll(() => problems.allTextContents())
    .toEqual(['Rellene: Price, página 1', 'Total, página 1: Se calculará cuando se rellene: Price.']);
  await page.getByRole('textbox', { name: 'Price' }).fill('9,99');
  await sign.click();
  await expect
    .poll(() => problems.allTextContents())
    .toEqual(['Compruebe el resultado y envíe el formulario de nuevo: Total, página 1']);
  await expect.poll(() => result.locator('strong').textContent()).toBe('36,26');
  expect(await valuesOf(id)).toEqual([null, null, null, '1.210']);
  await page.getByRole('textbox', { name: 'Quantity' }).fill('4');
  await sign.click();
  await expect.poll(() => result.locator('strong').textContent()).toBe('48,35');
  await sign.click();
  await page.locator('#outcome').waitFor();
  expect(await valuesOf(id)).toEqual(['4', '9.99', '48.35', '1.210']);
  await page.context().close();
});

test.each([
  ['with script', '', true],
  ['without script', '/form', false],
])('%s, a required result that only a hidden number lacks holds up no signature', async (_how, path, hasScript) => {
  const { id, link } = await sent([
    { recipient: 1, type: 'checkbox', label: 'Weekend', required: false },
    { recipient: 1, type: 'number', label: 'Days', required: false },
    { recipient: 1, type: 'number', label: 'Sundays', required: false, shown_if: { field: 1, value: 'true' } },
    { ...total, label: 'Twice', formula: '{3} * 2' },
    { ...total, label: 'Rate', formula: '100 / sum({2}, {3})' },
  ]);
  const page = await open(`${link}${path}`, desk, hasScript);
  const sign = page.getByRole('button', { name: 'Sign', exact: true });
  const problems = page.locator('#sign-problem, [role=alert] li');
  const refused = async (field: string) => {
    await sign.click();
    await expect
      .poll(async () => (await problems.allTextContents()).filter((text) => text !== ''))
      .toEqual([expect.stringContaining(`${field}, page 1: Can’t be calculated`)]);
  };
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  const days = page.getByRole('textbox', { name: /^Days/ });
  await days.fill('0');
  await refused('Rate');
  await days.fill('5');
  await sign.click();
  if (!hasScript) {
    await page.getByText('20.00').waitFor();
    await sign.click();
  }
  await page.locator('#outcome').waitFor();
  expect(await valuesOf(id)).toEqual(['false', '5', null, null, '20.00']);
  await page.context().close();
});
