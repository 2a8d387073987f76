import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member, signedIn, type Visitor } from './visitor.ts';

/** Folders in the console: their settings, the lists of documents and templates, and moving. */
let app: TestService;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

interface Scene {
  company: Company;
  owner: Member;
  ruth: Member;
  console: Visitor;
  folder: string;
}

/** A company with a private folder "Personnel" and a member Ruth, who is not in it. */
async function scene(): Promise<Scene> {
  const company = await createCompany(app);
  const owner = await addMember(app, company.id, 'owner');
  const ruth = await addMember(app, company.id, 'member', `ruth-${company.id}@example.com`);
  const console = await signedIn(app, owner);
  const folder = (await console.post('/folders', { name: 'Personnel', is_open: false })).body.id;
  return { company, owner, ruth, console, folder };
}

const open = (path: string, member: Member, device: BrowserContextOptions = desk) =>
  openConsole(path, { browser, app, member, device });
const draft = ({ company }: Scene, title: string) => createDraft(app, company.key, { title });

test('an owner creates a folder, renames it, adds a member with one access and another, and deletes it', async () => {
  const { owner, ruth, console } = await scene();
  const page = await open('/settings/folders', owner);
  await press(page, 'New folder');
  await dialog(page).getByLabel('Name').fill('personnel');
  await pressIn(page, 'Create folder');
  await dialog(page).getByText('A folder with this name exists already.').waitFor();
  await dialog(page).getByLabel('Name').fill('Legal & <b>board</b>');
  await pressIn(page, 'Create folder');
  await page.getByRole('heading', { level: 2, name: 'Legal & <b>board</b>' }).waitFor();
  await page.getByText('No members yet.').waitFor();
  await press(page, 'Add member');
  await dialog(page).getByLabel('Member').selectOption({ label: ruth.email });
  await pressIn(page, 'Add member');
  await closed(page);
  await page.getByRole('cell', { name: ruth.email, exact: true }).waitFor();
  await press(page, `More actions for ${ruth.email}`);
  await page.getByRole('menuitem', { name: 'Change access' }).click();
  await dialog(page).getByLabel('Access').selectOption('editor');
  await pressIn(page, 'Save');
  await closed(page);
  await page.getByRole('cell', { name: 'Editor' }).waitFor();
  await expectSound(page);
  await press(page, 'Open to everyone');
  await pressIn(page, 'Open to everyone');
  await page.getByText('Everyone in the company sees and edits what is in this folder.').waitFor();
  await page.getByRole('link', { name: 'All folders' }).click();
  await press(page, 'More actions for Legal & <b>board</b>');
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog(page).getByLabel('Name').fill('Board');
  await pressIn(page, 'Save');
  await closed(page);
  await press(page, 'More actions for Board');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await pressIn(page, 'Delete');
  await closed(page);
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await expectSound(page);
  expect((await console.get('/folders')).body.data).toMatchObject([{ name: 'Personnel' }]);
});

test('members that can’t be read are an error, which is asked for once, and never “no others”', async () => {
  const made = await scene();
  const page = await open(`/settings/folders/${made.folder}`, made.owner);
  const failed = { status: 403, json: { error: { code: 'forbidden', message: 'no' } } };
  let requests = 0;
  await page.route(/\/members\?limit=100/, async (route) => {
    requests += 1;
    await route.fulfill(failed);
  });
  await press(page, 'Add member');
  await dialog(page).getByText('You don’t have permission to do this.').waitFor();
  expect(await dialog(page).getByText('Every member of the company').count()).toBe(0);
  await pressIn(page, 'Cancel');
  await page.unroute(/\/members\?limit=100/);

  requests = 0;
  await page.route(/\/members\?limit=100/, async (route) => {
    if (route.request().url().includes('starting_after')) {
      requests += 1;
      return route.fulfill(failed);
    }
    const answer = await (await route.fetch()).json();
    return route.fulfill({ json: { ...answer, has_more: true, next_cursor: made.owner.id } });
  });
  await press(page, 'Add member');
  await dialog(page).getByText('You don’t have permission to do this.').waitFor();
  await dialog(page).getByLabel('Member').selectOption({ label: made.ruth.email });
  await page.waitForTimeout(500);
  expect(requests).toBe(1);
});

test('folders that can’t be read are an error', async () => {
  const made = await scene();
  const page = await open('/settings/usage', made.owner);
  const failed = { status: 403, json: { error: { code: 'forbidden', message: 'no' } } };
  await page.route('**/console/api/folders', (route) => route.fulfill(failed));
  const origin = new URL(app.baseUrl).origin;
  for (const path of ['/settings/folders', `/settings/folders/${made.folder}`]) {
    await page.goto(origin + path);
    await page.getByText('You don’t have permission to do this.').waitFor();
    expect(await page.getByText('Loading…').count()).toBe(0);
  }
});

test('many documents are moved from the list, and what only some saw needs a second confirmation to be everyone’s', async () => {
  const made = await scene();
  for (const title of ['One', 'Two', 'Three']) await draft(made, title);
  const page = await open('/documents', made.owner);
  await page.getByRole('checkbox', { name: 'Select One', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Select Two', exact: true }).check();
  await press(page, 'Move to folder…');
  await dialog(page).getByLabel('Move to').selectOption({ label: 'Personnel' });
  await pressIn(page, 'Move');
  await closed(page);
  await page.getByLabel('Folder').selectOption({ label: 'Personnel' });
  await page.getByRole('heading', { level: 1, name: 'Personnel' }).waitFor();
  await page.getByText('Only members of this folder, owners and admins see these documents.').waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(3);
  expect(new URL(page.url()).search).toBe(`?folder=${made.folder}`);
  await expectSound(page);
  await page.getByRole('checkbox', { name: 'Select Two', exact: true }).check();
  await press(page, 'Move to folder…');
  await dialog(page).getByLabel('Move to').selectOption({ label: 'No folder (everyone)' });
  expect(await dialog(page).getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true);
  await expectSound(page);
  await dialog(page).getByLabel('Show it to everyone in the company').check();
  await pressIn(page, 'Move');
  await closed(page);
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByRole('link', { name: 'Documents' }).last().click();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await page.getByLabel('Folder').selectOption({ label: 'No folder' });
  await page.getByRole('heading', { level: 1, name: 'No folder' }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(3);
});

test('an editor creates documents in the folder that the list shows', async () => {
  const made = await scene();
  await made.console.post(`/folders/${made.folder}/members`, { member_id: made.ruth.id, role: 'editor' });
  const page = await open(`/documents?folder=${made.folder}`, made.ruth);
  await page.getByRole('heading', { name: 'This folder is empty' }).waitFor();
  await page.getByRole('link', { name: 'New document' }).click();
  await page.getByRole('heading', { level: 1, name: 'New document' }).waitFor();
  await expect.poll(() => page.getByLabel('Folder').inputValue()).toBe(made.folder);
  await page.getByLabel('Title').fill('Contract of employment');
  await page.getByLabel('Name').first().fill('Ada Lovelace');
  await page.getByLabel('E-mail address').first().fill('ada@example.com');
  await expectSound(page);
  await press(page, 'Create draft');
  await page.getByRole('heading', { level: 1, name: 'Contract of employment' }).waitFor();
  await page.getByRole('link', { name: 'Folder: Personnel' }).click();
  await page.getByRole('heading', { level: 1, name: 'Personnel' }).waitFor();
  await page.getByRole('link', { name: 'Contract of employment' }).waitFor();
});

test('a viewer reads documents and templates, and is offered no change', async () => {
  const made = await scene();
  const { console, folder, ruth } = made;
  const id = await draft(made, 'Payroll');
  const contract = { title: 'Contract', recipients: [{ name: 'Tenant' }], folder };
  const template = (await console.post('/templates', contract)).body.id;
  const link = { name: 'Sign in two languages', language: 'en', ends_at: null, documents_max: 10, one_per_email: true };
  expect((await console.post(`/templates/${template}/links`, link)).status).toBe(200);
  await console.post('/documents/move', { ids: [id], folder });
  await console.post(`/folders/${folder}/members`, { member_id: ruth.id, role: 'viewer' });
  const page = await open(`/documents?folder=${folder}`, ruth);
  await page.getByText('You can see and download documents in this folder.').waitFor();
  expect(await page.getByRole('link', { name: 'New document' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Payroll' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payroll' }).waitFor();
  await page.getByText('You can see and download this document.').waitFor();
  for (const name of ['Send', 'Void document', 'Attach PDF', 'More actions for this document']) {
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
  }
  await expectSound(page);
  const other = await open(`/templates/${template}`, ruth);
  await other.getByText('You can see and download this document.').waitFor();
  for (const name of ['Use template', 'Edit']) expect(await other.getByRole('link', { name }).count(), name).toBe(0);
  expect(await other.getByRole('button', { name: 'Duplicate' }).count()).toBe(0);
  await expectSound(other);
  await other.getByRole('link', { name: 'Send in bulk' }).click();
  await other.getByText('Nothing was sent in bulk with this template.').waitFor();
  expect(await other.getByText('Choose a CSV file').count()).toBe(0);
  await expectSound(other);
  await other.goBack();
  await other.getByRole('link', { name: 'Public links' }).click();
  await other.getByRole('link', { name: 'Sign in two languages' }).click();
  await other.getByRole('heading', { level: 2, name: 'Settings' }).waitFor();
  await other.getByRole('heading', { level: 1, name: 'Sign in two languages' }).waitFor();
  expect(await other.getByRole('button', { name: /Change|Switch|Delete/ }).count()).toBe(0);
  await other.getByRole('link', { name: 'Public links' }).click();
  await other.getByRole('heading', { level: 1, name: 'Public links' }).waitFor();
  expect(await other.getByRole('button', { name: 'New public link' }).count()).toBe(0);
  await other.goto(new URL(`/templates?folder=${folder}`, other.url()).href);
  await other.getByRole('link', { name: 'Contract', exact: true }).waitFor();
  await expect.poll(() => other.getByRole('link', { name: 'Use template: Contract' }).count()).toBe(0);
  await other.goto(new URL(`/templates/${template}/use`, other.url()).href);
  await other.getByText('You can only view this template.').waitFor();
  await expectSound(other);
});

test('a member outside finds neither the folder nor its documents', async () => {
  const made = await scene();
  const id = await draft(made, 'Payroll');
  await made.console.post('/documents/move', { ids: [id], folder: made.folder });
  const page = await open('/documents', made.ruth);
  await page.getByRole('heading', { name: 'Your first document' }).waitFor();
  expect(await page.getByLabel('Folder').count()).toBe(0);
  const there = await open(`/documents?folder=${made.folder}`, made.ruth);
  await there.getByText('This folder doesn’t exist, or you can’t see it.').waitFor();
  expect(await there.getByText('Payroll').count()).toBe(0);
  const detail = await open(`/documents/${id}`, made.ruth);
  expect(await detail.getByRole('heading', { level: 1 }).textContent()).not.toContain('Payroll');
});

test('it fits a phone, in the dark and in Spanish', async () => {
  const made = await scene();
  const id = await draft(made, 'Nóminas de marzo');
  await made.console.post('/folders', { name: `${'Muy'.repeat(25)} ab`, is_open: true });
  await made.console.post('/documents/move', { ids: [id], folder: made.folder });
  await made.console.post(`/folders/${made.folder}/members`, { member_id: made.ruth.id, role: 'viewer' });
  const device: BrowserContextOptions = { ...phone, locale: 'es-ES', colorScheme: 'dark' };
  const page = await open(`/documents?folder=${made.folder}`, made.owner, device);
  await page.getByRole('heading', { level: 1, name: 'Personnel' }).waitFor();
  await page.getByRole('checkbox', { name: 'Seleccionar Nóminas de marzo' }).check();
  await expectSound(page);
  await press(page, 'Mover a una carpeta…');
  await expectSound(page);
  const settings = await open('/settings/folders', made.owner, device);
  await settings.getByRole('link', { name: 'Personnel' }).waitFor();
  await expectSound(settings);
  const one = await open(`/settings/folders/${made.folder}`, made.owner, device);
  await one.getByText(made.ruth.email, { exact: true }).waitFor();
  await expectSound(one);
});
