import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formPages } from '../../src/pdf/pdfium/testing/form-page.ts';
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
  const list = page.getByRole('combobox', { name: 'What' });
  if (await list.isVisible()) await list.selectOption(type);
  else await page.getByRole('radio', { name: type, exact: true }).check();
  await press(page, 'Add to page 1');
}

test('a type of field is dragged from the palette to a page', async () => {
  const { id, page } = await openFields([]);
  const sheet = page.getByRole('img', { name: 'Page 1 of 1' });
  await page.getByRole('radio', { name: 'Date', exact: true }).dragTo(sheet, { targetPosition: { x: 200, y: 120 } });
  const field = page.getByRole('button', { name: 'Date of Ada Lovelace, page 1' });
  const [box, whole] = [await field.boundingBox(), await sheet.boundingBox()];
  const middle = [
    (box?.x ?? 0) + (box?.width ?? 0) / 2 - (whole?.x ?? 0),
    (box?.y ?? 0) + (box?.height ?? 0) / 2 - (whole?.y ?? 0),
  ];
  expect(middle.map((at) => Math.round(at / 4) * 4)).toEqual([200, 120]);
  const [saved] = await save(page, id);
  expect(saved).toMatchObject({ type: 'date', page: 1 });
  await page.context().close();
});

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

test.each([
  ['on a desk', desk],
  ['on a phone', phone],
])('%s: a date gets a format, and the next one begins with it', async (_where, device) => {
  const { id, page } = await openFields([], device);
  const panel = page.getByRole('group', { name: 'Selected field' });
  await add(page, 'Date');
  const format = panel.getByLabel('Date format');
  expect(await format.inputValue()).toBe('YYYY-MM-DD');
  await format.selectOption('31 December 2026');
  await panel.getByLabel('Prefilled value').fill('2026-03-09');
  await page.getByRole('button', { name: 'Date of Ada Lovelace' }).getByText('9 March 2026').waitFor();
  await expectSound(page);
  await add(page, 'Date');
  expect(await format.inputValue()).toBe('D MMMM YYYY');
  await panel.getByLabel('Read-only').check();
  await page.getByRole('button', { name: 'Date of Ada Lovelace' }).getByText('Date of signing').waitFor();
  const saved = await save(page, id);
  expect(saved.map(({ date_format, preset, is_fixed }) => [date_format, preset, is_fixed])).toEqual([
    ['D MMMM YYYY', '2026-03-09', false],
    ['D MMMM YYYY', null, true],
  ]);
  await page.context().close();
});

test.each([
  ['on a desk', desk],
  ['on a phone', phone],
])('%s: a text gets a format, and the prefilled value must have it', async (_where, device) => {
  const { id, page } = await openFields([], device);
  const panel = page.getByRole('group', { name: 'Selected field' });
  await add(page, 'Text');
  const format = panel.getByLabel('Text format');
  expect(await format.inputValue()).toBe('');
  await format.selectOption('E-mail address');
  await panel.getByLabel('Prefilled value').fill('BX1843');
  await panel.getByText('The prefilled value doesn’t match the format.').waitFor();
  await format.selectOption('Pattern');
  await panel.getByText('Enter a pattern with at least one 9, A or *, up to 50 characters.').waitFor();
  await panel.getByLabel('Pattern', { exact: true }).fill('AA-9999');
  await panel.getByText('Recipients are told to enter it like “AB-1234”.').waitFor();
  await expectSound(page);
  const saved = await save(page, id);
  expect(saved.map(({ text_format, preset }) => [text_format, preset])).toEqual([['AA-9999', 'BX-1843']]);
  await page.context().close();
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

test.each([
  ['on a desk', desk],
  ['on a phone', phone],
])('%s: radio buttons make groups, and fields depend on others in chains', async (_where, device) => {
  const { id, page } = await openFields([], device);
  const panel = page.getByRole('group', { name: 'Selected field' });
  await add(page, 'Radio button');
  await panel.getByRole('alert').getByText('Place 2 to 20 buttons in this group.').waitFor();
  await panel.getByLabel('Option').fill('By bank');
  await add(page, 'Radio button');
  expect(await panel.getByLabel('Group').inputValue()).toBe('Group 1');
  await panel.getByLabel('Group').fill('Payment');
  await panel.getByLabel('Option').fill('By bank');
  await panel.getByRole('alert').getByText('“By bank” is there twice').waitFor();
  await panel.getByLabel('Option').fill('In cash');
  await panel.getByLabel('Required').uncheck();
  expect(await panel.getByLabel('Show only if').count()).toBe(0);

  await add(page, 'Checkbox');
  await panel.getByLabel('Label').fill('Dog');
  await panel.getByLabel('Show only if').selectOption('Payment: In cash');
  await expectSound(page);
  await add(page, 'Text');
  await panel.getByLabel('Show only if').selectOption('Dog');
  await panel.getByLabel('Is', { exact: true }).selectOption('not ticked');
  await expectSound(page);
  const saved = await save(page, id);
  expect(saved.map((field) => [field.type, field.group_name, field.label, field.required])).toEqual([
    ['radio', 'Payment', 'By bank', false],
    ['radio', 'Payment', 'In cash', false],
    ['checkbox', null, 'Dog', false],
    ['text', null, null, true],
  ]);
  expect(saved.map((field) => [field.condition_position, field.condition_value])).toEqual([
    [null, null],
    [null, null],
    [1, 'true'],
    [2, 'false'],
  ]);

  // Read again, conditions are there, and none can make a circle.
  await page.goto(`${new URL(page.url()).origin}/documents/${id}/fields`);
  await page.getByRole('button', { name: 'Checkbox of Ada Lovelace, page 1' }).focus();
  const conditions = panel.getByLabel('Show only if');
  await expect
    .poll(() => conditions.locator('option').allTextContents())
    .toEqual(['Always shown', 'Payment: By bank', 'Payment: In cash']);
  await page.getByRole('button', { name: 'Radio button of Ada Lovelace, page 1' }).first().focus();
  await panel.getByLabel('Group').waitFor();
  await expect.poll(() => conditions.count()).toBe(0);
});

test('the name of a group counts when another of its buttons is clicked, which can then be dragged', async () => {
  const button = { recipient: 1, type: 'radio', group: 'Payment' } as const;
  const { id, page } = await openFields([
    { ...button, label: 'By bank' },
    { ...button, label: 'In cash' },
  ]);
  const buttons = page.getByRole('button', { name: 'Radio button of Ada Lovelace, page 1' });
  await buttons.first().click();
  const group = page.getByRole('group', { name: 'Selected field' }).getByLabel('Group');
  await group.fill('How to pay');
  await buttons.last().hover();
  await page.mouse.down();
  await expect.poll(() => group.inputValue()).toBe('How to pay');
  await page.mouse.move(300, 300, { steps: 3 });
  await page.mouse.up();
  const saved = await save(page, id);
  expect(saved.map(({ label, group_name }) => [label, group_name])).toEqual([
    ['By bank', 'How to pay'],
    ['In cash', 'How to pay'],
  ]);
  await page.context().close();
});

test('the focus stays on the page when fields are removed', async () => {
  const { id, page } = await openFields(['A', 'B', 'C', 'D'].map((label) => ({ recipient: 1, type: 'text', label })));
  const fields = page.getByRole('button', { name: 'Text of Ada Lovelace, page 1' });
  const focused = () => page.evaluate('document.activeElement.textContent');
  await fields.nth(1).focus();
  await page.keyboard.press('Delete');
  expect(await focused()).toContain('C · Ada');
  await fields.nth(2).focus();
  await page.keyboard.down('Backspace');
  await page.keyboard.down('Backspace'); // held down, it repeats
  await page.keyboard.up('Backspace');
  expect(await focused()).toContain('C · Ada');
  const panel = page.getByRole('group', { name: 'Selected field' });
  await panel.getByRole('button', { name: 'Remove field' }).click();
  expect(await focused()).toBe('Add to page 1');
  expect((await save(page, id)).map(({ label }) => label)).toEqual(['A']);
  await page.context().close();
});

test('a field is duplicated with Ctrl+D and copied to chosen pages and to all', async () => {
  const { id, page } = await openFields([{ recipient: 1, type: 'text', label: 'Name', value: 'Ada' }], desk, 4);
  const panel = page.getByRole('group', { name: 'Selected field' });
  await page.getByRole('button', { name: 'Text of Ada Lovelace, page 1' }).focus();
  await page.keyboard.press('Control+d');
  await expect.poll(() => page.locator('button[aria-keyshortcuts]').count()).toBe(2);
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-keyshortcuts")')).toBe('Control+D');
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Text of Ada Lovelace, page 1' }).focus();
  await panel.getByLabel('Copy to pages').fill('2-9');
  expect(await panel.getByRole('button', { name: 'Copy to these pages' }).isDisabled()).toBe(true);
  await panel.getByLabel('Copy to pages').fill('3, 1');
  await panel.getByRole('button', { name: 'Copy to these pages' }).click();
  await panel.getByRole('status').getByText('Copied to one page.').waitFor();
  await expectSound(page);
  await add(page, 'Initials');
  await panel.getByRole('button', { name: 'Copy to all pages' }).click();
  await panel.getByRole('status').getByText('Copied to 3 pages.').waitFor();
  const saved = await save(page, id);
  expect(saved.map(({ type, page, preset }) => [type, page, preset])).toEqual([
    ['text', 1, 'Ada'],
    ['text', 3, 'Ada'],
    ...[1, 2, 3, 4].map((page) => ['initials', page, null]),
  ]);
  expect(saved[1]).toMatchObject({ x: 72, y: 100, label: 'Name' });
});

test('a field that is dragged aligns with another one, except with Alt', async () => {
  const { id, page } = await openFields([
    { recipient: 1, type: 'text' },
    { recipient: 1, type: 'text' },
  ]);
  const second = page.getByRole('button', { name: 'Text of Ada Lovelace, page 1' }).nth(1);
  const sheet = (await page.getByRole('img').first().boundingBox()) as { width: number };
  const points = sheet.width / 612;
  const drag = async (x: number, y: number) => {
    const box = (await second.boundingBox()) as { x: number; y: number; width: number; height: number };
    const [fromX, fromY] = [box.x + box.width / 3, box.y + box.height / 2];
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.mouse.move(fromX + x * points, fromY + y * points, { steps: 5 });
  };
  const top = async () => (await second.boundingBox())?.y ?? 0;
  const before = await top();
  await drag(2.5, 60);
  await expect.poll(() => page.locator('[data-guide]').count()).toBe(1);
  await page.mouse.up();
  await expect.poll(() => page.locator('[data-guide]').count()).toBe(0);
  // More than after the last step but one.
  await expect.poll(async () => (await top()) - before).toBeGreaterThan(52 * points);
  await page.keyboard.down('Alt');
  await drag(2.5, 30);
  expect(await page.locator('[data-guide]').count()).toBe(0);
  await page.mouse.up();
  await page.keyboard.up('Alt');
  const [first, moved] = await save(page, id);
  expect(first?.x).toBe(72);
  expect(moved?.x).toBeCloseTo(74.5, 0);
  expect(moved?.y).toBeGreaterThan(220);
});

test('fields cannot be changed while they are being saved', async () => {
  const { id, page } = await openFields([{ recipient: 1, type: 'text', label: 'A' }]);
  const field = page.getByRole('button', { name: 'Text of Ada Lovelace, page 1' });
  await field.click();
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/fields', async (route) => {
    if (route.request().method() === 'POST') await isHeld;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/fields'));
  await press(page, 'Save fields');
  await asked;
  const place = await field.boundingBox();
  await page.mouse.move((place?.x ?? 0) + 5, (place?.y ?? 0) + 5);
  await page.mouse.down();
  await page.mouse.move((place?.x ?? 0) + 90, (place?.y ?? 0) + 90, { steps: 3 });
  await page.mouse.up();
  expect(await field.boundingBox()).toEqual(place);
  release();
  await page.getByRole('heading', { level: 1, name: 'Lease' }).waitFor();
  expect(await fieldsOf(app, company, id)).toMatchObject([{ label: 'A' }]);
  await page.context().close();
});

test('copying stops at 500 fields', async () => {
  const fields = Array.from({ length: 498 }, (): FieldToPlace => ({ recipient: 1, type: 'checkbox', y: 100 }));
  const { id, page } = await openFields(fields, desk, 4);
  const panel = page.getByRole('group', { name: 'Selected field' });
  await page.getByRole('button', { name: 'Checkbox of Ada Lovelace, page 1' }).first().focus();
  await panel.getByRole('button', { name: 'Copy to all pages' }).click();
  await panel.getByRole('status').getByText('A document can have up to 500 fields.').waitFor();
  await panel.getByLabel('Copy to pages').fill('2-3');
  await panel.getByRole('button', { name: 'Copy to these pages' }).click();
  await panel.getByRole('status').getByText('Copied to 2 pages.').waitFor();
  expect(await save(page, id)).toHaveLength(500);
});

test('fields that someone else adds and removes meanwhile are added to and removed from one’s own', async () => {
  const text = (label: string, y: number): FieldToPlace => ({ recipient: 1, type: 'text', label, y });
  const { id, page } = await openFields([text('Kept', 100), text('Removed', 150), text('Renamed', 200)]);
  await page.getByRole('button', { name: 'Text of Ada Lovelace, page 1' }).nth(2).click();
  await page.getByRole('group', { name: 'Selected field' }).getByLabel('Label').fill('Own name');
  await placeOn(app, company, id, [text('Kept', 100), text('Renamed', 200), text('Colleague', 250)]);
  await press(page, 'Save fields');
  await press(page, 'Load the latest version');
  await page.getByText('Fields of the latest version: 1 added, 1 removed.').waitFor();
  const saved = await save(page, id);
  expect(saved.map(({ label }) => label)).toEqual(['Kept', 'Own name', 'Colleague']);
});

const rentalForm = formPages([
  [
    { entries: '/FT /Tx /T (Full name) /Ff 2', rectangle: [72, 680, 300, 700] },
    { entries: '/FT /Btn /Ff 32768 /T (Pets)', state: 'Yes', rectangle: [72, 640, 92, 660] },
    { entries: '/FT /Btn /Ff 32768 /T (Pets)', state: 'No', rectangle: [102, 640, 122, 660] },
    { entries: '/FT /Sig /T (Landlord)', rectangle: [72, 580, 300, 620] },
    { entries: '/FT /Tx /T (Address) /V (1 Main Street)', rectangle: [72, 540, 300, 560] },
  ],
]);

test.each([
  ['on a desk', desk],
  ['on a phone', phone],
])('%s: the fields of a form are placed at once, and given to others', async (_where, device) => {
  const ada = 'Ada $& Lovelace';
  const recipients = [
    { name: ada, email: 'ada@example.com' },
    { name: 'Grace Hopper', email: 'grace@example.com' },
  ];
  const id = await createDraft(app, company.key, { title: 'Lease', recipients });
  await attachPdf(app, company, id, rentalForm);
  const page = await openConsole(`/documents/${id}/fields`, { browser, app, member: ruth, device });
  const panel = page.getByRole('group', { name: 'Selected field' });
  await press(page, 'Use the form’s 4 fields');
  await page.getByRole('status').getByText(`4 fields of the form were placed for ${ada}. One stays`).waitFor();
  await page
    .getByRole('button', { name: `Text of ${ada}, page 1` })
    .and(page.locator(':focus'))
    .waitFor();
  expect(await page.getByRole('button', { name: /Use the form/ }).count()).toBe(0);
  await expectSound(page);

  await page.getByRole('button', { name: `Signature of ${ada}, page 1` }).focus();
  await panel.getByLabel('For', { exact: true }).selectOption('Grace Hopper');
  await page
    .getByRole('button', { name: `Radio button of ${ada}, page 1` })
    .first()
    .focus();
  await panel.getByLabel('For', { exact: true }).selectOption('Grace Hopper');
  await page.getByRole('button', { name: `Text of ${ada}, page 1` }).focus();
  await page.keyboard.press('Delete');
  await press(page, 'Use the form’s field');
  const saved = await save(page, id);
  const adaId = saved.find(({ type }) => type === 'text')?.recipient_id;
  expect(saved.map(({ recipient_id, type, required }) => [recipient_id === adaId, type, required])).toEqual([
    [false, 'radio', false],
    [false, 'radio', false],
    [false, 'signature', true],
    [true, 'text', true],
  ]);
  await page.context().close();
});
