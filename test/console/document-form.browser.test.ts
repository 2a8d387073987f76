import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { openConsole, press } from './open-console.ts';
import { addMember, type Member } from './visitor.ts';

/** The form of a document: its messages at the inputs, its types, and the question before it is left. */
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

const open = (path: string, device: BrowserContextOptions = desk) =>
  openConsole(path, { browser, app, member: ruth, device });

const title = (page: Page) => page.getByLabel('Title', { exact: true });
const fullName = (page: Page) => page.getByLabel('Name', { exact: true });
const email = (page: Page) => page.getByLabel('E-mail address');
const isFocused = (input: Locator) => input.evaluate((element) => element.matches(':focus'));
/** Whether an input is entirely in sight. */
async function isInSight(input: Locator): Promise<boolean> {
  const box = await input.boundingBox();
  const height = input.page().viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

/** Returns the texts that describe an invalid input, or null for one that is not marked invalid. */
async function messageOf(input: Locator): Promise<string | null> {
  if ((await input.getAttribute('aria-invalid')) !== 'true') return null;
  const ids = (await input.getAttribute('aria-describedby')) ?? '';
  const texts = ids.split(' ').map((id) => input.page().locator(`[id="${id}"]`).innerText());
  return (await Promise.all(texts)).join(' ');
}

test.each([
  ['a phone', phone],
  ['a desktop', desk],
])('on %s, each faulty input of an empty form has its message, and the first has the focus', async (_, device) => {
  const page = await open('/documents/new', device);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await press(page, 'Create draft');
  await expect.poll(() => messageOf(title(page))).toBe('Enter a title.');
  expect(await messageOf(fullName(page))).toBe('Enter a name.');
  expect(await messageOf(email(page))).toBe('Enter an e-mail address.');
  expect(await isFocused(title(page))).toBe(true);
  expect(await isInSight(title(page))).toBe(true);
  expect(await page.getByText('Check the title.').count()).toBe(0);
  await expectSound(page);
  expect(asked).not.toContain('POST /console/api/documents');

  await title(page).fill('Lease');
  expect(await messageOf(title(page))).toBe(null);
  expect(await messageOf(fullName(page))).toBe('Enter a name.');
  await fullName(page).fill('Ada Lovelace');
  await email(page).fill('ada@');
  await page.getByLabel('Expires after').fill('500');
  await press(page, 'Create draft');
  await expect.poll(() => messageOf(email(page))).toBe('Enter a full e-mail address, such as ada@example.com.');
  expect(await messageOf(page.getByLabel('Expires after'))).toBe('Enter a number of days from 1 to 365.');
  expect(await isFocused(email(page))).toBe(true);
  expect(await isInSight(email(page))).toBe(true);

  await page.getByLabel('Identity check').selectOption('With a code by SMS');
  expect(await messageOf(email(page))).toBe(null);
  await email(page).fill('ada@example.com');
  await page.getByLabel('Expires after').fill('30');
  await press(page, 'Create draft');
  await expect.poll(() => messageOf(page.getByLabel('Phone number'))).toBe('Enter a phone number.');
  await page.getByLabel('Phone number').fill('+1 555 0100');
  await press(page, 'Create draft');
  await page.getByRole('heading', { level: 1, name: 'Lease' }).waitFor();
});

test('a text that is too long is kept whole, and its input says how much fits', async () => {
  const page = await open('/documents/new');
  const message = page.getByLabel('Message');
  const paste = async (input: Locator, text: string) => {
    await input.focus();
    await page.keyboard.insertText(text);
  };
  const long = `${'x'.repeat(1990)} unless we agree otherwise.`;
  await paste(title(page), '😀'.repeat(201));
  await paste(message, long);
  await paste(fullName(page), 'n'.repeat(121));
  await email(page).fill('ada@example.com');
  await press(page, 'Create draft');
  await expect.poll(() => messageOf(message)).toBe('Enter at most 2000 characters.');
  expect(await message.inputValue()).toBe(long);
  expect(await messageOf(title(page))).toBe('Enter at most 200 characters.');
  expect(await messageOf(fullName(page))).toBe('Enter at most 120 characters.');
  await expectSound(page);

  await title(page).fill('😀'.repeat(200));
  await message.fill('x'.repeat(2000));
  await fullName(page).fill('n'.repeat(120));
  await press(page, 'Create draft');
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
});

test('in Spanish, the messages are Spanish', async () => {
  const page = await open('/documents/new', { ...desk, locale: 'es-ES' });
  await press(page, 'Crear borrador');
  await expect.poll(() => messageOf(page.getByLabel('Título', { exact: true }))).toBe('Escriba un título.');
  expect(await messageOf(page.getByLabel('Nombre', { exact: true }))).toBe('Escriba un nombre.');
});

test.each([
  ['title', 'Enter a title.', title],
  ['recipients[0].email', 'Enter a full e-mail address, such as ada@example.com.', email],
  [
    'content.expires_in_days',
    'Enter a number of days from 1 to 365.',
    (page: Page) => page.getByLabel('Expires after'),
  ],
])('an input that the server refuses, %s, has its message and the focus', async (param, message, input) => {
  const page = await open('/documents/new', phone);
  await title(page).fill('Lease');
  await fullName(page).fill('Ada Lovelace');
  await email(page).fill('ada@example.com');
  await page.route('**/console/api/documents', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 'invalid_input', message: 'No.', param } } }),
  );
  await press(page, 'Create draft');
  await expect.poll(() => messageOf(input(page))).toBe(message);
  await expect.poll(() => isFocused(input(page))).toBe(true);
  expect(await isInSight(input(page))).toBe(true);
  expect(await page.getByText('Check the').count()).toBe(0);
});

test('nothing can be typed while a draft is being created, and the focus returns when that fails', async () => {
  const page = await open('/documents/new');
  await fullName(page).fill('Ada Lovelace');
  await email(page).fill('ada@example.com');
  await title(page).fill('Lease');
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/console/api/documents', async (route) => {
    await isHeld;
    await route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'No.' } } });
  });
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/documents'));
  await page.keyboard.press('Enter');
  await asked;
  await page.keyboard.type(' of the house');
  expect(await title(page).inputValue()).toBe('Lease');
  release();
  await expect.poll(() => isFocused(title(page))).toBe(true);
  await page.keyboard.press('End');
  await page.keyboard.type(' of the house');
  expect(await title(page).inputValue()).toBe('Lease of the house');
});

test('a refusal that is about none of the inputs is shown at the button', async () => {
  const page = await open('/documents/new');
  await title(page).fill('Lease');
  await fullName(page).fill('Ada Lovelace');
  await email(page).fill('ada@example.com');
  await page.route('**/console/api/documents', (route) =>
    route.fulfill({
      status: 400,
      json: { error: { code: 'invalid_input', message: 'No.', param: 'recipients[0].role' } },
    }),
  );
  await press(page, 'Create draft');
  await page.getByRole('alert').filter({ hasText: 'Recipient 1: check the part.' }).waitFor();
});

test.each([
  ['en-US', 'Type', 'Filters', ['General document', 'Other document']],
  ['es-ES', 'Tipo', 'Filtros', ['Documento general', 'Otro documento']],
])(
  'in %s, no two types have the same name, in the form and in the filter',
  async (locale, label, filters, [general, other]) => {
    const page = await open('/documents/new', { ...desk, locale });
    const types = page.getByLabel(label, { exact: true }).locator('option');
    await expect.poll(() => types.count()).toBe(23);
    const names = await types.allTextContents();
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([general, other]));
    await page.goto(new URL('/documents', page.url()).href);
    await press(page, filters);
    await expect.poll(() => page.locator('option[value=general]').allTextContents()).toEqual([general]);
    expect(await page.locator('option[value=other]').allTextContents()).toEqual([other]);
  },
);

/** Answers the questions of a page, and returns those that were asked. */
function answerQuestions(page: Page, answer: 'stay' | 'leave'): string[] {
  const asked: string[] = [];
  page.on('dialog', (question) => {
    asked.push(question.message());
    void (answer === 'stay' ? question.dismiss() : question.accept());
  });
  return asked;
}

const leave = (page: Page) => page.getByRole('link', { name: 'a template' }).click();
const question = 'Leave without saving your changes?';

test('leaving the page of a new document asks once something was entered, and stays if told so', async () => {
  const page = await open('/documents/new');
  const asked = answerQuestions(page, 'stay');
  await title(page).fill('Half a title');
  await leave(page);
  await expect.poll(() => asked).toEqual([question]);
  expect(await title(page).inputValue()).toBe('Half a title');
  expect(new URL(page.url()).pathname).toBe('/documents/new');

  await title(page).fill('');
  await leave(page);
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
  expect(asked).toEqual([question]);
});

test.each<[string, (page: Page) => Promise<unknown>]>([
  ['the name of a recipient', (page) => fullName(page).fill('Ada')],
  ['another type', (page) => page.getByLabel('Type', { exact: true }).selectOption('Form')],
  ['a recipient', (page) => press(page, 'Add recipient')],
  [
    'a PDF',
    (page) =>
      page.locator('input[type=file]').setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: makePdf() }),
  ],
])('leaving the page of a new document asks about %s, and leaves if told so', async (_, enter) => {
  const page = await open('/documents/new');
  const asked = answerQuestions(page, 'leave');
  await enter(page);
  await leave(page);
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
  expect(asked).toEqual([question]);
});

test('the page of a new document asks nothing when nothing was entered, nor after the document was created', async () => {
  const page = await open('/documents/new');
  const asked = answerQuestions(page, 'stay');
  await leave(page);
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
  await page.goBack();
  await title(page).fill('Created');
  await fullName(page).fill('Ada Lovelace');
  await email(page).fill('ada@example.com');
  await press(page, 'Create draft');
  await page.getByRole('heading', { level: 1, name: 'Created' }).waitFor();
  await page.getByRole('link', { name: 'All documents' }).click();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  expect(asked).toEqual([]);
});

test('reloading the page of a new document asks once something was entered', async () => {
  const page = await open('/documents/new');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  await title(page).pressSequentially('Half');
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
});

test('leaving the page on which a draft is edited asks once something was changed', async () => {
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  const id = await createDraft(app, company.key, { title: 'Edited', recipients });
  const page = await open(`/documents/${id}/edit`);
  const asked = answerQuestions(page, 'stay');
  await title(page).fill('Edited again');
  await page.getByRole('link', { name: 'Documents', exact: true }).click();
  await expect.poll(() => asked).toEqual([question]);
  await press(page, 'Save');
  await page.getByRole('heading', { level: 1, name: 'Edited again' }).waitFor();

  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Edit draft' }).waitFor();
  await page.getByRole('link', { name: 'Documents', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  expect(asked).toEqual([question]);
});

test('nobody is looked for with more letters of a text with which nobody begins', async () => {
  const page = await open('/documents/new');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/contacts')) asked.push(searchParams.get('q') ?? '');
  });
  const answer = () => page.waitForResponse(/contacts/);
  await Promise.all([answer(), fullName(page).fill('Zuz')]);
  await fullName(page).fill('Zuzana');
  await page.waitForTimeout(1000);
  await Promise.all([answer(), fullName(page).fill('Ru')]);
  expect(asked).toEqual(['Zuz', 'Ru']);
});
