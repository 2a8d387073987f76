import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member, signedIn, type Visitor } from './visitor.ts';

/** Cc lists in the console: their settings, and adding them in the forms for documents and templates. */
let app: TestService;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

async function scene(): Promise<{ company: Company; owner: Member; console: Visitor }> {
  const company = await createCompany(app);
  const owner = await addMember(app, company.id, 'owner');
  return { company, owner, console: await signedIn(app, owner) };
}

const open = (path: string, member: Member, device: BrowserContextOptions = desk) =>
  openConsole(path, { browser, app, member, device });
const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@bücher.example' };
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `Person ${n}`, email: `person-${n}@example.com` }));

async function create(console: Visitor, name: string, people: object[], is_default = false): Promise<void> {
  const { status, text } = await console.post('/cc-lists', { name, people, is_default });
  expect(status, text).toBe(200);
}

/** The e-mail addresses and parts of the recipients in the form. */
async function recipientsIn(page: Page): Promise<string[]> {
  const emails = page.getByLabel('E-mail address');
  const parts = page.getByLabel('Part', { exact: true });
  const count = await emails.count();
  const found = Array.from({ length: count }, async (_, n) => {
    return `${await emails.nth(n).inputValue()} ${await parts.nth(n).inputValue()}`;
  });
  return Promise.all(found);
}

test('an owner creates a list, is told which line is wrong, edits it and deletes it', async () => {
  const { owner, console } = await scene();
  const page = await open('/settings/sending', owner);
  await page.getByText('No lists yet.').waitFor();
  await press(page, 'New list');
  await dialog(page).getByLabel('Name').fill('Legal & <b>board</b>');
  await dialog(page).getByLabel('People', { exact: true }).fill('Ada Lovelace <ada@example.com>\n\nGrace Hopper');
  await pressIn(page, 'Create list');
  await dialog(page).getByText('Check line 3 of the people').waitFor();
  await dialog(page).getByLabel('People', { exact: true }).fill('Ada Lovelace <ada@example.com>;\n\nben@example.com,');
  await dialog(page).getByLabel('Add to every new document').check();
  await expectSound(page);
  await pressIn(page, 'Create list');
  await closed(page);
  await page.getByRole('cell', { name: 'Ada Lovelace, ben@example.com' }).waitFor();
  await page.getByText('Every new document').waitFor();

  await press(page, 'More actions for Legal & <b>board</b>');
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  expect(await dialog(page).getByLabel('People', { exact: true }).inputValue()).toBe(
    'Ada Lovelace <ada@example.com>\nben@example.com <ben@example.com>',
  );
  await dialog(page).getByLabel('Name').fill('Board');
  await dialog(page).getByLabel('Add to every new document').uncheck();
  await pressIn(page, 'Save');
  await closed(page);
  await page.getByRole('cell', { name: 'Board', exact: true }).waitFor();
  expect((await console.get('/cc-lists')).body.data).toMatchObject([{ name: 'Board', is_default: false, version: 2 }]);
  await expectSound(page);

  await press(page, 'More actions for Board');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await pressIn(page, 'Delete');
  await closed(page);
  await page.getByText('No lists yet.').waitFor();
});

test('a new document begins with the default lists, and another list leaves out who is a recipient', async () => {
  const { company, owner, console } = await scene();
  await create(console, 'Archive', [ada], true);
  await create(console, 'Board', [{ name: 'A. L.', email: 'ADA@example.com' }, grace]);
  const member = await addMember(app, company.id, 'member');
  const page = await open('/documents/new', member);
  await page.getByText('1 person from “Archive” gets a copy.').waitFor();
  expect(await recipientsIn(page)).toEqual([' signer', 'ada@example.com cc']);
  await page.getByLabel('Cc list', { exact: true }).selectOption('Board (2 people)');
  await press(page, 'Add the list');
  await page.getByText('1 person from “Board” gets a copy. 1 person from “Board” is a recipient already.').waitFor();
  expect(await recipientsIn(page)).toEqual([' signer', 'ada@example.com cc', 'grace@bücher.example cc']);
  await press(page, 'Add the list');
  await page.getByText('2 people from “Board” are recipients already.').waitFor();
  expect(await recipientsIn(page)).toHaveLength(3);
  await expectSound(page);

  await page.getByLabel('Title').fill('Lease');
  await page.getByLabel('Name', { exact: true }).first().fill('Eve');
  await page.getByLabel('E-mail address').first().fill('eve@example.com');
  await press(page, 'Create draft');
  await page.getByRole('heading', { level: 1, name: 'Lease' }).waitFor();
  const [{ id }] = (await console.get('/documents')).body.data;
  const { recipients } = (await console.get(`/documents/${id}`)).body;
  expect(recipients).toMatchObject([
    { email: 'eve@example.com', kind: 'signer' },
    { email: 'ada@example.com', kind: 'cc', name: 'Ada Lovelace' },
    { email: 'grace@bücher.example', kind: 'cc' },
  ]);
  expect(owner.personId).not.toBe(member.personId);
});

test('a list is added to a draft and a template, which have no default lists, and never over 20 recipients', async () => {
  const { company, owner, console } = await scene();
  await create(console, 'Archive', [ada], true);
  await create(console, 'Everyone', numbered(19));
  const draft = await createDraft(app, company.key, { title: 'Lease', recipients: [ada, grace] });
  const page = await open(`/documents/${draft}/edit`, owner, phone);
  await page.getByLabel('Cc list', { exact: true }).selectOption('Everyone (19 people)');
  await press(page, 'Add the list');
  await page.getByText('there is room for 18, and the list has 19 more').waitFor();
  expect(await recipientsIn(page)).toHaveLength(2);
  await expectSound(page);
  await press(page, 'Remove recipient 2');
  await press(page, 'Add the list');
  await page.getByText('19 people from “Everyone” get a copy.').waitFor();
  expect(await recipientsIn(page)).toHaveLength(20);
  await press(page, 'Save');
  await page.getByRole('heading', { level: 1, name: 'Lease' }).waitFor();
  await expect.poll(async () => (await console.get(`/documents/${draft}`)).body.recipients.length).toBe(20);

  const template = await open('/templates/new', owner);
  await template.getByLabel('Cc list', { exact: true }).waitFor();
  expect(await recipientsIn(template)).toEqual([' signer']);
});
