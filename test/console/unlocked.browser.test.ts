import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press } from './open-console.ts';
import { draftWithText, unlockedDraft } from './sample-text.ts';
import { addMember, type Member } from './visitor.ts';

/** Unlocking documents and editing their text, on a phone and on a desktop. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'member', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const origin = () => new URL(app.baseUrl).origin;

const open = (path: string, device: BrowserContextOptions = desk, member: Member = ruth) =>
  openConsole(path, { browser, app, member, device });

const block = (page: Page, n: number, of = 1) =>
  page.getByRole('textbox', { name: `Block ${n} on page ${of}`, exact: true });
const isSaved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();

const markdown = async (page: Page, id: string) =>
  (await page.request.get(`${origin()}/console/api/documents/${id}/unlocked/export?format=md`)).text();

test('a member is told the price, and the text opens when it is there', async () => {
  const page = await open(`/documents/${await draftWithText(app, company)}`, phone);
  await press(page, 'Unlock');
  await dialog(page).getByText('It has 2 pages and costs one credit per page').waitFor();
  await expectSound(page);
  await dialog(page).getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('2 pages unlocked').waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Open editable text' }).click();
  await page.getByRole('img', { name: 'Page 1 of the PDF' }).waitFor();
  await block(page, 1).waitFor();
  expect(await block(page, 1).inputValue()).toBe('Lease agreement');
  expect(await page.getByRole('textbox', { name: 'Row 2, column 1' }).inputValue()).toBe('January');
  await block(page, 1).tap();
  await expectSound(page);
});

test('an answer that was read before unlocking doesn’t hide that it began', async () => {
  const page = await openConsole(`/documents/${await draftWithText(app, company)}`, {
    browser,
    app,
    member: ruth,
    device: desk,
    prepare: (unopened) => unopened.route('**/console/api/live', (route) => route.fulfill({ status: 204 })),
  });
  await page.getByRole('button', { name: 'Unlock' }).waitFor();
  const read = async (route: Route) => {
    const response = await route.fetch();
    await dialog(page).waitFor();
    await closed(page);
    await route.fulfill({ response });
  };
  await page.route(/\/unlock$/, read, { times: 1 });
  await press(page, 'Unlock');
  await dialog(page).getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('2 pages unlocked').waitFor();
});

/** Creates an import with a document that is not unlocked. */
async function importOf(documentId: string): Promise<string> {
  const [id, now] = [app.world.newId(), app.clock.now()];
  await app.db.query({
    name: '',
    text: `with import as (
             insert into imports (id, account_id, source, status, unlock_doc, total_files, filed, created_at, finished_at)
             values ($1, $2, 'cloud_files', 'finished', false, 1, 1, $3, $3) returning id
           )
           insert into import_items (id, account_id, import_id, index, name, status, document_id, pages, reserved_bytes,
             created_at, finished_at)
           select $4, $2, id, 0, 'Lease.pdf', 'filed', $5, 2, 0, $3, $3 from import`,
    values: [id, company.id, now, app.world.newId(), documentId],
  });
  return id;
}

test('an imported file is unlocked from its import, or told why it is not', async () => {
  const page = await open(`/imports/${await importOf(await draftWithText(app, company))}`);
  await press(page, 'Unlock: Lease: 12 Harbour Street');
  await expectSound(page);
  await dialog(page).getByRole('button', { name: 'Unlock' }).click();
  await page
    .getByRole('row', { name: /^Lease/ })
    .getByText('Unlocked later')
    .waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Editable text' }).click();
  await block(page, 1).waitFor();

  const blank = await draftWithText(app, company, [{ texts: [] }], 'Blank');
  await page.goto(`${origin()}/imports/${await importOf(blank)}`);
  await press(page, 'Unlock: Blank');
  await dialog(page).getByText('It has 1 page').waitFor();
  await dialog(page).getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('the pages are images without readable text').waitFor();
});

test('who has too few credits is told so, and asks for nothing', async () => {
  const poor = await createCompany(app, 'starter');
  const id = await draftWithText(app, poor, Array(101).fill({ texts: [{ x: 72, y: 80, text: 'Page' }] }));
  const page = await open(`/documents/${id}`, desk, await addMember(app, poor.id, 'member'));
  await press(page, 'Unlock');
  await dialog(page).getByText('Not enough credits.').waitFor();
  await expectSound(page);
  expect(await dialog(page).getByRole('button', { name: 'Unlock' }).count()).toBe(0);
});

test('text is written, split, joined, moved and made another kind by keyboard, and taken back', async () => {
  const id = await unlockedDraft(app, company);
  const page = await open(`/documents/${id}/unlocked`);
  await block(page, 1).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' of a house');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Between two parties');
  await page.keyboard.press('Control+Shift+Digit3');
  expect(await page.getByLabel('Kind of block').inputValue()).toBe('h3');
  await page.keyboard.press('Alt+ArrowUp');
  await block(page, 1).press('ArrowDown');
  await isSaved(page);
  expect(await markdown(page, id)).toContain('### Between two parties\n\n# Lease agreement of a house');

  await block(page, 3).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Backspace');
  expect(await block(page, 2).inputValue()).toContain('house The landlord lets');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  expect(await block(page, 1).inputValue()).toBe('Lease agreement of a house');
  await page.keyboard.press('Control+y');
  expect(await block(page, 1).inputValue()).toBe('Between two parties');
  // Each pause in typing has made another step.
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+z');
      return undo.isDisabled();
    })
    .toBe(true);
  expect(await block(page, 1).inputValue()).toBe('Lease agreement');
  await isSaved(page);
});

test('blocks, rows and columns are added and removed, and what is pasted is divided', async () => {
  const id = await unlockedDraft(app, company);
  const page = await open(`/documents/${id}/unlocked`);
  await page.getByRole('textbox', { name: 'Row 3, column 2' }).fill('1,250');
  await press(page, 'Add row');
  await page.getByRole('textbox', { name: 'Row 4, column 1' }).fill('March');
  await press(page, 'Add column');
  await page.getByRole('textbox', { name: 'Row 2, column 3' }).click();
  await press(page, 'Remove row');
  await block(page, 2).click();
  await press(page, 'Remove');
  await block(page, 2).press('End');
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ' and water\\r\\nBoth are due\\n\\nat once');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  await block(page, 4).waitFor();
  await page.getByLabel('Kind of block').selectOption('List');
  await press(page, 'Add text to page 2');
  await page.keyboard.type('Nobody smokes.');
  await expectSound(page);
  await isSaved(page);
  const md = await markdown(page, id);
  expect(md).toContain('## Rent and water\n\n## Both are due\n\n- at once\n- The rent is due');
  expect(md).toContain('| Month |  | Rent | Water |');
  expect(md).toContain('| February |  | 1,250 | 44 |\n| March |  |  |  |');
  expect(md).not.toContain('January');
  expect(md.trimEnd().endsWith('Nobody smokes.')).toBe(true);

  await page.reload();
  expect(await page.getByRole('textbox', { name: 'Row 3, column 1' }).inputValue()).toBe('March');
  await press(page, 'More actions');
  await page.getByRole('menuitem', { name: 'Revert page 1' }).click();
  await expectSound(page);
  await dialog(page).getByRole('button', { name: 'Revert' }).click();
  await closed(page);
  await eventually(
    () => markdown(page, id),
    (text) => text.includes('January') && text.includes('Nobody smokes.'),
  );
  await eventually(
    () => block(page, 3).inputValue(),
    (text) => text === 'Rent',
  );
});

test('of two windows the later is refused, loses nothing, and decides; one is not in its own way', async () => {
  const id = await unlockedDraft(app, company);
  const [one, two] = [await open(`/documents/${id}/unlocked`), await open(`/documents/${id}/unlocked`)];
  await Promise.all([block(one, 1).waitFor(), block(two, 1).waitFor()]);
  const write = async (page: Page, text: string) => {
    await block(page, 1).fill(text);
    await page.keyboard.press('Control+s');
  };
  await write(one, 'Of the first');
  await isSaved(one);
  await write(two, 'Of the second');
  await two.getByText('Someone else changed page 1').waitFor();
  await expectSound(two);
  expect(await block(two, 1).inputValue()).toBe('Of the second');
  await press(two, 'Take theirs');
  await isSaved(two);
  expect(await block(two, 1).inputValue()).toBe('Of the first');
  await two.keyboard.press('Control+z');
  await two.getByRole('button', { name: 'Undo' }).click();
  await isSaved(two);
  expect(await markdown(two, id)).toContain('# Of the second');

  await write(one, 'Of the first again');
  await one.getByText('Someone else changed page 1').waitFor();
  await press(one, 'Keep mine');
  await isSaved(one);
  expect(await markdown(one, id)).toContain('# Of the first again');

  const slow = Promise.withResolvers<void>();
  await one.route(/\/unlocked$/, async (route) => {
    if (route.request().method() === 'POST') await slow.promise;
    await route.continue();
  });
  await write(one, 'Saved by hand');
  await write(one, 'Saved by hand, impatiently');
  await one.keyboard.press('Control+s');
  slow.resolve();
  await isSaved(one);
  await block(one, 1).press('Control+Alt+z');
  expect(await block(one, 1).inputValue()).toBe('Saved by hand, impatiently');
  await block(one, 1).fill('In the way of nobody');
  await isSaved(one);
  expect(await markdown(one, id)).toContain('# In the way of nobody');
  await Promise.all([one.context().close(), two.context().close()]);
});

test('what cannot be saved says so, stays on the page, and is saved later', async () => {
  const id = await unlockedDraft(app, company);
  const page = await open(`/documents/${id}/unlocked`, { ...phone, colorScheme: 'dark' });
  await block(page, 1).waitFor();
  await page.route(/\/unlocked$/, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await block(page, 1).fill('Written without a connection');
  await page.getByText('We can’t reach the service.').waitFor();
  await expectSound(page);
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('link', { name: 'Lease: 12 Harbour Street' }).click();
  expect(await block(page, 1).inputValue()).toBe('Written without a connection');
  await press(page, 'Save now');
  await page.unroute(/\/unlocked$/);
  await isSaved(page);
  expect(await markdown(page, id)).toContain('# Written without a connection');
});

test('after a save has failed, someone who keeps typing is saved', async () => {
  const id = await unlockedDraft(app, company);
  const page = await open(`/documents/${id}/unlocked`);
  await block(page, 1).waitFor();
  let tries = 0;
  await page.route(/\/unlocked$/, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    tries += 1;
    return tries === 1 ? route.abort() : route.continue();
  });
  await block(page, 1).fill('Typed');
  await page.getByText('We can’t reach the service.').waitFor();
  for (let i = 0; i < 40 && tries === 1; i++) {
    await block(page, 1).press('End');
    await block(page, 1).press('x');
    await page.waitForTimeout(500);
  }
  expect(tries).toBeGreaterThan(1);
});

test('a save whose answer was lost is not taken for the change of someone else', async () => {
  const id = await unlockedDraft(app, company);
  const page = await open(`/documents/${id}/unlocked`);
  await block(page, 1).waitFor();
  // As on a page without https.
  await page.evaluate('delete Crypto.prototype.randomUUID');
  await page.route(/\/unlocked$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await block(page, 1).fill('Saved without an answer');
  await page.getByText('We can’t reach the service.').waitFor();
  expect(await markdown(page, id)).toContain('# Saved without an answer');
  await press(page, 'Undo');
  await page.unroute(/\/unlocked$/);
  await isSaved(page);
  expect(await markdown(page, id)).toContain('# Lease agreement');
  await block(page, 1).fill('Saved with an answer');
  await isSaved(page);
  expect(await markdown(page, id)).toContain('# Saved with an answer');
});

test('a long document is read page by page as one comes to it', async () => {
  const pages = Array.from({ length: 100 }, (_, index) => ({ texts: [{ x: 72, y: 90, text: `Clause ${index + 1}` }] }));
  const id = await unlockedDraft(app, company, pages);
  const page = await open(`/documents/${id}/unlocked`, { ...desk, locale: 'es-ES' });
  const asked = new Set<string>();
  page.on('request', (request) => {
    if (/pages\/\d+$/.test(request.url())) asked.add(request.url());
  });
  const first = page.getByRole('textbox', { name: 'Bloque 1 de la página 1', exact: true });
  await first.fill('Cláusula primera');
  await page.getByRole('listitem', { name: 'Página 100 de 100' }).scrollIntoViewIfNeeded();
  const last = page.getByRole('textbox', { name: 'Bloque 1 de la página 100' });
  await last.waitFor();
  expect(asked.size).toBeLessThan(40);
  await last.fill('Cláusula última');
  await page.getByRole('status').getByText('Guardado').waitFor();
  await expectSound(page);
  expect((await markdown(page, id)).match(/Cláusula/g)).toHaveLength(2);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await eventually(
    () => first.inputValue(),
    (text) => text === 'Clause 1',
  );
  await page.keyboard.press('Control+y');
  await expect.poll(() => first.inputValue()).toBe('Cláusula primera');
});

test('an exported file is downloaded with what was written just now', async () => {
  const id = await unlockedDraft(app, company);
  const page = await open(`/documents/${id}/unlocked`);
  await block(page, 1).fill('Written just now');
  await press(page, 'Export');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Markdown' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Lease_ 12 Harbour Street.md');
  expect(readFileSync(await download.path(), 'utf8')).toContain('# Written just now');
});

test("the text becomes a PDF, which is looked at, downloaded, made a draft of, and the document's file", async () => {
  const id = await unlockedDraft(app, company);
  const page = await open(`/documents/${id}/unlocked`);
  await block(page, 1).fill('Lease agreement of 2027');
  await press(page, 'Render as PDF');
  const picture = page.getByRole('img', { name: 'Page 1 of 1' });
  await picture.waitFor();
  await eventually(
    () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    (width) => width > 0,
  );
  await expectSound(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download PDF' }).click(),
  ]);
  expect(pdfText(readFileSync(await download.path()))).toContain('Lease agreement of 2027');

  await press(page, 'New draft with this file');
  await expectSound(page);
  await dialog(page).getByRole('button', { name: 'Create draft' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lease: 12 Harbour Street' }).waitFor();
  expect(page.url()).not.toContain(id);
  await page.goto(`${origin()}/documents/${id}/unlocked/pdf`);
  await press(page, 'Use as the document’s file');
  await dialog(page).getByText('Fields on the current PDF are deleted').waitFor();
  await expectSound(page);
  await dialog(page).getByRole('button', { name: 'Use as the document’s file' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lease: 12 Harbour Street' }).waitFor();
  expect(page.url()).toContain(id);
  await page.getByRole('link', { name: 'Open editable text' }).click();
  await page.getByRole('img', { name: 'Page 1 of the PDF' }).waitFor();
  expect(await block(page, 1).inputValue()).toBe('Lease agreement of 2027');
});

test('a text with nothing left says so instead of making an empty PDF', async () => {
  const id = await unlockedDraft(app, company, [{ texts: [{ x: 72, y: 90, text: 'All there is' }] }]);
  const page = await open(`/documents/${id}/unlocked`, phone);
  await block(page, 1).tap();
  await press(page, 'Remove');
  await page.getByText('No text was found on this page.').waitFor();
  await press(page, 'Render as PDF');
  await page.getByText('There is no text to create a PDF from.').waitFor();
  await expectSound(page);
});
