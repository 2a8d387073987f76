import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { openConsole, press } from './open-console.ts';
import { addMember, type Member } from './visitor.ts';

/** Placing fields in the browser: their values, their rules, and copies of them. */
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

async function openFields(
  fields: readonly FieldToPlace[],
  device: BrowserContextOptions = desk,
  pageCount = 1,
): Promise<{ id: string; page: Page }> {
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  const id = await createDraft(app, company.key, { title: 'Lease', recipients });
  await attachPdf(app, company, id, { pages: Array.from({ length: pageCount }, () => ({ text: 'The lease' })) });
  await placeOn(app, company, id, fields);
  return { id, page: await openConsole(`/documents/${id}/fields`, { browser, app, member: ruth, device }) };
}

async function save(page: Page, id: string) {
  await press(page, /Save fields|Guardar campos/);
  await page.getByRole('heading', { level: 1, name: 'Lease' }).waitFor();
  return fieldsOf(app, company, id);
}

async function add(page: Page, type: string): Promise<void> {
  await page.getByLabel('What').selectOption(type);
  await press(page, 'Add to page 1');
}

test.each([
  ['on a desk', desk],
  ['on a phone', phone],
])('%s: numbers get limits, lists get options, and each a value of the sender', async (_where, device) => {
  const { id, page } = await openFields([], device);
  const panel = page.getByRole('group', { name: 'Selected field' });
  await add(page, 'Number');
  await panel.getByLabel('Label').fill('Rent');
  await panel.getByLabel('Minimum').fill('10');
  await panel.getByLabel('Maximum').fill('9,5');
  await panel.getByRole('alert').getByText('Enter numbers with digits and a decimal point only.').waitFor();
  await panel.getByLabel('Maximum').fill('9.5');
  await panel.getByRole('alert').getByText('The maximum must not be smaller').waitFor();
  await panel.getByLabel('Maximum').fill('1000');
  await panel.getByLabel('Decimal places').selectOption('2');
  await panel.getByLabel('Prefilled value').fill('1000.5');
  await panel.getByRole('alert').getByText('The value must keep to the limits').waitFor();
  await expectSound(page);

  await add(page, 'Drop-down list');
  expect(await panel.getByLabel('Options').inputValue()).toBe('Option 1\nOption 2');
  await panel.getByLabel('Options').fill('Monthly\n\n Yearly \nMonthly');
  await panel.getByRole('alert').getByText('“Monthly” is there twice').waitFor();
  await panel.getByLabel('Options').fill('Monthly\n\n Yearly ');
  await panel.getByLabel('Prefilled value').selectOption('Yearly');
  await expectSound(page);

  await add(page, 'Checkbox');
  await panel.getByLabel('Read-only').check();
  await add(page, 'Text');
  await panel.getByLabel('Read-only').check();
  await panel.getByRole('alert').getByText('Enter the value that the recipient sees.').waitFor();
  await panel.getByLabel('Prefilled value').fill('C-1843');

  // The number is still wrong: saving shows it.
  await press(page, 'Save fields');
  await panel.getByRole('alert').getByText('The value must keep to the limits').waitFor();
  await panel.getByLabel('Prefilled value').fill('999.5');
  const saved = await save(page, id);
  expect(saved.map(({ type, preset, is_fixed }) => [type, preset, is_fixed])).toEqual([
    ['number', '999.50', false],
    ['dropdown', 'Yearly', false],
    ['checkbox', 'false', true],
    ['text', 'C-1843', true],
  ]);
  expect(saved[0]).toMatchObject({ label: 'Rent', number_min: '10', number_max: '1000', decimals: 2 });
  expect(saved[1]?.options).toEqual(['Monthly', 'Yearly']);
});

test('in Spanish, numbers are entered and shown with a comma', async () => {
  const number = { recipient: 1, type: 'number', min: '0.5', value: '7.25' } as const;
  const { id, page } = await openFields([number], { ...desk, locale: 'es-ES' });
  await page.getByRole('button', { name: 'Número de Ada Lovelace, página 1' }).click();
  const panel = page.getByRole('group', { name: 'Campo seleccionado' });
  expect(await panel.getByLabel('Mínimo').inputValue()).toBe('0,5');
  expect(await panel.getByLabel('Valor predefinido').inputValue()).toBe('7,25');
  await panel.getByLabel('Valor predefinido').fill('8,5');
  await expectSound(page);
  expect(await save(page, id)).toMatchObject([{ number_min: '0.5', preset: '8.5' }]);
});
