import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { desk, phone } from '../../../test/support/devices.ts';
import { texts } from '../../page-texts/texts.ts';
import type { AttachedFile, SigningState } from './signing-page.ts';
import type { PageField } from './signing-page-view.ts';
import { openPage } from './testing/open-page.ts';
import {
  sampleFields,
  sampleFile,
  sampleLockedView,
  sampleSigner,
  sampleView,
  valueFields,
} from './testing/sample-views.ts';
import type { ServedPage } from './testing/serve-page.ts';

const signed: SigningState = { kind: 'signed', at: new Date() };
const { version: disclosure } = sampleView().disclosure;
const shown = sampleView().shown.sha256;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const openFile = (options: BrowserContextOptions, file: AttachedFile = sampleFile()) =>
  openPage(browser, sampleView({ file }), { timezoneId: 'Pacific/Kiritimati', ...options });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) });
const fullName = (page: Page) => page.getByRole('textbox', { name: 'Full name' });
const company = (page: Page) => page.getByRole('textbox', { name: 'Company, Text, page 1, required' });
const signature = (page: Page) => button(page, /^Signature, page 2, required/);
const initials = (page: Page) => button(page, /^Initials, page 1, required/);
const focusedId = (page: Page) => page.evaluate('document.activeElement.id') as Promise<string>;
const left = (page: Page, words: string) => page.locator('#left').filter({ hasText: words }).waitFor();
const bodies = (served: ServedPage, path: string) =>
  served.posts.filter((posted) => posted.path === path).map(({ body }) => body);

/** Everything that is required, by tapping. */
async function fillAll(page: Page): Promise<void> {
  await company(page).fill('López Roofing LLC');
  await signature(page).click();
  await fullName(page).fill('Maria López Herrera');
  await button(page, 'Place signature').click();
  await initials(page).click();
  await button(page, 'Place initials').click();
  await left(page, 'Ready to sign');
}

test.each([
  ['on a phone', phone],
  ['on a desk', desk],
])('%s: `Start` leads from field to field until all that is left is to sign', async (_where, options) => {
  await using open = await openFile(options);
  const { page, served } = open;
  await left(page, '1 of 4 fields'); // the date holds today already
  await button(page, 'Start').click();
  await expect.poll(() => focusedId(page)).toBe(await company(page).getAttribute('id'));
  await page.keyboard.type('López Roofing LLC');
  await left(page, '2 of 4 fields');

  await button(page, 'Next').click();
  await expect.poll(() => focusedId(page)).toBe(await initials(page).getAttribute('id'));
  await initials(page).click();
  const dialog = page.getByRole('dialog', { name: 'Your initials' });
  await dialog.getByRole('textbox', { name: 'Initials' }).fill('');
  await button(page, 'Place initials').click();
  await dialog.getByText('Enter your initials, in up to 10 characters.').waitFor();
  await dialog.getByRole('textbox', { name: 'Initials' }).fill('MLH');
  await button(page, 'Place initials').click();
  await dialog.waitFor({ state: 'hidden' });
  await left(page, '3 of 4 fields');

  await button(page, 'Next').click();
  await expect.poll(() => focusedId(page)).toBe(await signature(page).getAttribute('id'));
  await signature(page).click();
  await page.getByRole('dialog', { name: 'Your signature' }).getByText('By choosing Sign').waitFor();
  await fullName(page).fill('Maria López Herrera');
  await button(page, 'Place signature').click();
  await left(page, 'Ready to sign');
  await button(page, /^Signature, page 2, required, filled in/).waitFor();
  expect(await button(page, 'Next').count()).toBe(0);

  served.view = sampleView({ state: signed });
  await button(page, 'Sign').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format();
  expect(bodies(served, 'sign')).toEqual([
    {
      full_name: 'Maria López Herrera',
      signature: { kind: 'typed' },
      disclosure,
      shown,
      initials: { kind: 'typed', text: 'MLH' },
      fields: {
        'f-company': 'López Roofing LLC',
        'f-retention': 'false',
        'f-initials': 'true',
        'f-signature': 'true',
        'f-date': today,
      },
    },
  ]);
  expect(open.complaints).toEqual([]);
});

test('`Next` at a field that was left empty says what is missing, or opens it', async () => {
  await using open = await openFile({ ...phone, reducedMotion: 'reduce' });
  const { page } = open;
  await button(page, 'Start').click();
  await button(page, 'Next').click();
  await page.locator('#sign-problem').filter({ hasText: 'Company' }).waitFor();
  await expect.poll(() => focusedId(page)).toBe(await company(page).getAttribute('id'));
  await company(page).fill('López Roofing LLC');

  await button(page, 'Next').click();
  await expect.poll(() => focusedId(page)).toBe(await initials(page).getAttribute('id'));
  expect(await page.locator('#sign-problem').textContent()).toBe('');
  await button(page, 'Next').click();
  await page.getByRole('dialog', { name: 'Your initials' }).waitFor();
  expect(open.complaints).toEqual([]);
});

const landscape = { ...phone, viewport: { width: 844, height: 340 } };
const enlarged = { ...desk, viewport: { width: 640, height: 400 } };

test.each([
  ['on a phone in landscape', landscape],
  ['at twice the size', enlarged],
])('%s: the bar stays in view, and so does all that makes a signature', async (_where, options) => {
  await using open = await openFile(options);
  const { page } = open;
  const inView = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= options.viewport.height;
  };
  expect(await inView(button(page, 'Start'))).toBe(true);
  await button(page, 'Sign').click();
  await page.locator('#sign-problem:not(:empty)').waitFor();
  expect(await inView(page.locator('#sign-problem'))).toBe(true);

  await signature(page).click();
  const dialog = page.getByRole('dialog', { name: 'Your signature' });
  await dialog.getByRole('tab', { name: 'Draw' }).click();
  const parts = [dialog.getByRole('img'), button(page, 'Clear'), button(page, 'Place signature')];
  expect(await Promise.all(parts.map(inView))).toEqual([true, true, true]);
  const [area, clear, place] = await Promise.all(parts.map((part) => part.boundingBox()));
  expect(area?.height).toBeGreaterThan(95);
  expect((clear?.y ?? 0) + (clear?.height ?? 0)).toBeLessThanOrEqual(place?.y ?? 0);
  await dialog.getByRole('tab', { name: 'Type' }).click();
  expect(await inView(button(page, 'Place signature'))).toBe(true);
  expect(open.complaints).toEqual([]);
});

test('initials of an Arabic name do not join into a word', async () => {
  await using open = await openFile(phone);
  const { page } = open;
  await signature(page).click();
  await fullName(page).fill('محمد علي أحمد');
  await button(page, 'Place signature').click();
  await initials(page).click();
  expect(await page.getByRole('textbox', { name: 'Initials' }).inputValue()).toBe('م ع أ');
});

test('what another signs meanwhile appears where it was filled in, and the signature says that it was shown', async () => {
  await using open = await openFile(desk);
  const { page, served } = open;
  served.view = sampleView({ file: sampleFile(), shown: { sha256: 'a'.repeat(64), signers: [], isLive: true } });
  await page.clock.install();
  await page.reload();
  await fillAll(page);
  served.view = sampleView({
    file: sampleFile(),
    shown: { sha256: 'b'.repeat(64), signers: [sampleSigner()], isLive: true },
  });
  await page.clock.runFor(16_000);
  await page.getByText('Price: 48,500 dollars').waitFor();
  expect(await page.locator('#progress').textContent()).toContain('Someone else has just signed.');
  const drawn = await page.locator('.shown-marks text').first().boundingBox();
  const sheet = await page.locator('#page-1').boundingBox();
  const across = ((drawn?.x ?? 0) - (sheet?.x ?? 0)) / (sheet?.width ?? 1);
  const down = ((drawn?.y ?? 0) - (sheet?.y ?? 0)) / (sheet?.height ?? 1);
  expect(across).toBeCloseTo(332 / 612, 1);
  expect(down).toBeCloseTo(564 / 792, 1);
  expect(await company(page).inputValue()).toBe('López Roofing LLC');
  served.view = sampleView({ state: signed });
  await button(page, 'Sign').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  expect(bodies(served, 'sign')).toMatchObject([{ shown: 'b'.repeat(64) }]);
  expect(open.complaints).toEqual([]);
});

test('the keyboard alone is enough', async () => {
  await using open = await openFile(desk);
  const { page, served } = open;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo = async (id: string | null) => {
    for (let tab = 0; tab < 40 && (await focusedId(page)) !== id; tab++) await press('Tab');
    expect(await focusedId(page)).toBe(id);
  };
  await tabTo(await company(page).getAttribute('id'));
  await page.keyboard.type('López Roofing LLC');
  await press('Tab', 'Space'); // the checkbox
  expect(await page.getByRole('checkbox').isChecked()).toBe(true);
  await press('Tab', 'Enter');
  await page.keyboard.type('ML');
  await press('Enter');
  expect(await focusedId(page)).toBe(await initials(page).getAttribute('id')); // it returns to the field
  await press('Tab', 'Enter');
  await page.getByRole('dialog', { name: 'Your signature' }).waitFor();
  await press('Escape');
  expect(await focusedId(page)).toBe(await signature(page).getAttribute('id'));
  await press('Enter');
  await page.getByRole('dialog', { name: 'Your signature' }).waitFor();
  await page.keyboard.type('Maria López');
  await press('Enter');
  await left(page, 'Ready to sign');
  await tabTo('sign');
  served.view = sampleView({ state: signed });
  await press('Enter');
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  const [body] = bodies(served, 'sign') as { initials: unknown; fields: Record<string, string> }[];
  expect(body?.initials).toEqual({ kind: 'typed', text: 'ML' });
  expect(body?.fields['f-retention']).toBe('true');
});

test('a dialog opened again at once still holds what is typed in it', async () => {
  await using open = await openFile(desk);
  const { page } = open;
  await signature(page).click();
  const dialog = page.getByRole('dialog', { name: 'Your signature' });
  await dialog.waitFor();
  // The close event arrives a task later, when the dialog is open again.
  const id = await signature(page).getAttribute('id');
  await page.evaluate(`document.getElementById('signature-dialog').close(); document.getElementById('${id}').click()`);
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
  await dialog.getByRole('textbox', { name: 'Full name' }).fill('Maria López');
  await button(page, 'Place signature').click();
  await button(page, /^Signature, page 2, required, filled in/).waitFor();
});

test('what is missing is asked for where it is missing, and nothing is sent before', async () => {
  for (const language of ['en', 'es'] as const) {
    const text = texts[language];
    await using open = await openPage(browser, sampleView({ language, file: sampleFile() }), phone);
    const { page, served } = open;
    await button(page, text.sign).click();
    const missing = text.file.script.fieldsMissing.replace('{count}', '3').replace('{field}', 'Company');
    await page
      .getByRole('alert')
      .filter({ hasText: missing.split('Company')[0] ?? '' })
      .waitFor();
    expect(await page.locator(':focus').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type('ACME');
    expect(await page.locator(':focus').getAttribute('aria-invalid')).toBeNull();
    expect(bodies(served, 'sign')).toEqual([]);
  }
});

test('a file without fields is signed with the name that is filled in, which `Start` shows', async () => {
  await using open = await openFile(phone, sampleFile({ fields: [] }));
  const { page, served } = open;
  await left(page, 'Your signature is requested');
  await button(page, 'Start').click();
  expect(await focusedId(page)).toBe('full-name');
  expect(await fullName(page).inputValue()).toBe('Maria López Herrera');
  await left(page, 'Ready to sign');
  await fullName(page).fill('');
  await left(page, 'Your signature is left');
  await button(page, 'Next').click();
  await page.getByText('Enter your full name.').waitFor();
  await fullName(page).fill('Maria');
  await left(page, 'Ready to sign');
  served.view = sampleView({ state: signed });
  await button(page, 'Sign').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  expect(bodies(served, 'sign')).toEqual([{ full_name: 'Maria', signature: { kind: 'typed' }, disclosure, shown }]);
});

test('a signature that is drawn without a name is placed in its field and sent', async () => {
  await using open = await openFile(
    desk,
    sampleFile({ fields: sampleFields.filter(({ type }) => type === 'signature') }),
  );
  const { page, served } = open;
  await signature(page).click();
  await fullName(page).fill('');
  await page.getByRole('dialog').getByRole('tab', { name: 'Draw' }).click();
  await expect.poll(() => page.evaluate('document.getElementById("drawing").width')).toBeGreaterThan(300);
  await draw(page, '#drawing');
  await button(page, 'Place signature').click();
  await expect.poll(() => signature(page).locator('canvas').count()).toBe(1);
  await left(page, 'Ready to sign');
  await page.reload();
  await left(page, 'Ready to sign');
  served.view = sampleView({ state: signed });
  await button(page, 'Sign').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  const [body] = bodies(served, 'sign') as { full_name?: string; signature: { kind: string } }[];
  expect(body?.signature.kind).toBe('drawn');
  expect(body).not.toHaveProperty('full_name');
});

test('`Start` is `Next` once a field is filled in, also after a reload', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  await button(page, 'Start').waitFor();
  await company(page).fill('López Roofing LLC');
  await button(page, 'Next').waitFor();
  await expect.poll(() => bodies(served, 'progress').length).toBeGreaterThan(0);
  await page.reload();
  await left(page, '2 of 4 fields');
  expect(await button(page, 'Next').count()).toBe(1);
  expect(await button(page, 'Start').count()).toBe(0);
});

test('a date that is left as it was filled in becomes the day of signing, also on a page that was opened days before', async () => {
  const [date] = sampleFields.filter(({ type }) => type === 'date');
  if (date === undefined) throw new Error('the sample has no date');
  const dates = ['f-left', 'f-entered'].map((id) => ({ ...date, id, label: id }));
  await using open = await openFile({ ...desk, timezoneId: 'Europe/Madrid' }, sampleFile({ fields: dates }));
  const { page, served } = open;
  await page.clock.install({ time: new Date('2026-03-09T20:00:00Z') });
  await page.reload();
  const value = (id: string) => page.locator(`[data-field="${id}"]`);
  await value('f-entered').fill('2026-03-08');
  await page.clock.setSystemTime(new Date('2026-03-11T15:00:00Z'));
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  expect(await value('f-left').inputValue()).toBe('2026-03-11');
  await page.clock.setSystemTime(new Date('2026-03-12T15:00:00Z'));
  await button(page, 'Sign').click();
  await expect
    .poll(() => bodies(served, 'sign'))
    .toMatchObject([{ fields: { 'f-left': '2026-03-12', 'f-entered': '2026-03-08' } }]);
});

test('an optional date that was cleared stays empty, also after a reload before it was saved', async () => {
  const [date] = sampleFields.filter(({ type }) => type === 'date');
  if (date === undefined) throw new Error('the sample has no date');
  const fields = ['f-left', 'f-cleared'].map((id) => ({ ...date, id, label: id, required: false }));
  await using open = await openFile(desk, sampleFile({ fields }));
  const { page, served } = open;
  const cleared = page.locator('[data-field="f-cleared"]');
  served.answer = 'hang up';
  await cleared.fill('');
  await page.getByText('Not saved yet: no connection').waitFor();
  await page.reload();
  await expect.poll(() => page.locator('[data-field="f-left"]').inputValue()).not.toBe('');
  expect(await cleared.inputValue()).toBe('');
  served.answer = null;
  await button(page, 'Sign').click();
  await expect
    .poll(() => bodies(served, 'sign'))
    .toMatchObject([{ fields: { 'f-left': expect.stringMatching(/^\d{4}-\d\d-\d\d$/), 'f-cleared': '' } }]);
});

test('the name that is filled in is shown before it is placed', async () => {
  await using open = await openFile(phone);
  const { page } = open;
  await signature(page).click();
  expect(await fullName(page).inputValue()).toBe('Maria López Herrera');
  await button(page, 'Cancel').click();
  await left(page, '1 of 4 fields');
  await signature(page).click();
  await button(page, 'Place signature').click();
  await left(page, '2 of 4 fields');
  expect(await signature(page).textContent()).toBe('Maria López Herrera');
});

test('once there is a signature, one tap places it in every further field, and it can be taken out again', async () => {
  const [first] = sampleFields;
  const more = [1, 2, 3].map((number) => ({ ...sampleFields[0], id: `f-${number}`, page: number }) as typeof first);
  await using open = await openFile(phone, sampleFile({ fields: more.filter((field) => field !== undefined) }));
  const { page } = open;
  await fullName(page).fill('Maria López');
  for (const number of [1, 2, 3]) await button(page, `Signature, page ${number}, required`).click();
  await left(page, 'Ready to sign');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await button(page, 'Signature, page 2, required, filled in: Maria López').click();
  await button(page, 'Remove').click();
  await left(page, '2 of 3 fields');
  await fullName(page).fill('M. López'); // what was placed is the signature as it is now
  expect(await button(page, 'Signature, page 3, required, filled in: M. López').textContent()).toBe('M. López');
});

test('Cancel leaves a placed signature, and the initials that follow it, as they were', async () => {
  await using open = await openFile(desk);
  const { page } = open;
  await fillAll(page);
  await signature(page).click();
  const dialog = page.getByRole('dialog', { name: 'Your signature' });
  await dialog.getByRole('tab', { name: 'Draw' }).click();
  await button(page, 'Cancel').click();
  await expect.poll(() => signature(page).textContent()).toBe('Maria López Herrera');
  await left(page, 'Ready to sign');

  await signature(page).click();
  await fullName(page).fill('Ada');
  await page.keyboard.press('Escape');
  await expect.poll(() => signature(page).textContent()).toBe('Maria López Herrera');
  expect(await initials(page).textContent()).toBe('MLH');
  expect(await fullName(page).inputValue()).toBe('Maria López Herrera');

  await signature(page).click();
  await dialog.getByRole('tab', { name: 'Draw' }).click();
  await expect.poll(() => page.evaluate('document.getElementById("drawing").width')).toBeGreaterThan(300);
  await draw(page, '#drawing');
  await button(page, 'Place signature').click();
  const size = () => signature(page).locator('canvas').evaluate('(canvas) => [canvas.width, canvas.height]');
  const placed = await size();
  await signature(page).click();
  await button(page, 'Clear').click();
  expect(await signature(page).locator('canvas').count()).toBe(0);
  await button(page, 'Cancel').click();
  await expect.poll(size).toEqual(placed);
  await left(page, 'Ready to sign');
  await page.reload();
  await left(page, 'Ready to sign');
  expect(open.complaints).toEqual([]);
});

test('Cancel while the page waits for a phone leaves a placed signature as it was', async () => {
  await using open = await openFile(desk);
  const { page, served } = open;
  await fillAll(page);
  await signature(page).click();
  await page.getByRole('dialog', { name: 'Your signature' }).getByRole('tab', { name: 'Draw' }).click();
  await expect.poll(() => page.evaluate('document.getElementById("drawing").width')).toBeGreaterThan(300);
  await draw(page, '#drawing');
  await button(page, 'Place signature').click();
  served.answerBody = { drawing: { id: 'd-1', qr: { size: 1, path: 'M0 0h1v1H0z' } } };
  await signature(page).click();
  await button(page, 'Draw on your phone').click();
  await page.getByText('Waiting for your phone.').waitFor();
  await button(page, 'Cancel').click();
  await left(page, 'Ready to sign');
  await signature(page).click();
  await page.locator('#drawing').waitFor();
  expect(await page.locator('#phone-code').isVisible()).toBe(false);
});

test('a signature that was made before an account session ended is there after the next sign-in', async () => {
  await using open = await openFile(desk);
  const { page, served } = open;
  await fillAll(page);
  const { view } = served;
  served.view = sampleLockedView({ state: { kind: 'needs_account', opens: 'document' } });
  await page.reload();
  await button(page, 'Send sign-in link').waitFor();
  served.view = view;
  await page.reload();
  await left(page, 'Ready to sign');
  expect(await signature(page).textContent()).toBe('Maria López Herrera');
});

test('a signature is drawn, or uploaded as a photo whose background becomes transparent', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  await company(page).fill('ACME');
  await signature(page).click();
  await fullName(page).fill('Maria');
  await page.getByRole('dialog').getByRole('tab', { name: 'Draw' }).click();
  await expect.poll(() => page.evaluate('document.getElementById("drawing").width')).toBeGreaterThan(300);
  await button(page, 'Place signature').click();
  await page.getByText('Draw your signature, or choose Type.').waitFor();
  await draw(page, '#drawing');
  await button(page, 'Place signature').click();
  await expect.poll(() => signature(page).locator('canvas').count()).toBe(1);

  await initials(page).click();
  const dialog = page.getByRole('dialog', { name: 'Your initials' });
  await dialog.getByRole('tab', { name: 'Upload' }).click();
  await button(page, 'Place initials').click();
  await page.getByText('Choose an image, or choose Type.').waitFor();
  const chosen = dialog.getByLabel('Image file');
  await chosen.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not an image') });
  await page.getByText('This file could not be read as an image.').waitFor();
  await chosen.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: await photo(page) });
  await expect.poll(() => dialog.locator('.uploaded canvas').count()).toBe(1);
  await button(page, 'Place initials').click();

  // It is there after a reload, in this tab.
  await page.reload();
  await left(page, 'Ready to sign');
  await expect.poll(() => initials(page).locator('canvas').count()).toBe(1);
  expect(await fullName(page).inputValue()).toBe('Maria');
  served.view = sampleView({ state: signed });
  await button(page, 'Sign').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  const [body] = bodies(served, 'sign') as { signature: { kind: string; png: string }; initials: { png: string } }[];
  expect(body?.signature.kind).toBe('drawn');
  const uploaded = Buffer.from(body?.initials.png ?? '', 'base64');
  expect(uploaded.subarray(1, 4).toString()).toBe('PNG');
  expect(uploaded[25]).toBe(6); // colour with alpha
  expect(uploaded.readUInt32BE(16)).toBeLessThanOrEqual(1000);
  expect(uploaded.length).toBeLessThan(200 * 1024);
  await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0); // nothing is left for the next person
  expect(open.complaints).toEqual([]);
});

test('what is filled in is saved by itself, and is there after a reload and on another device', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  await company(page).fill('López Roofing LLC');
  await page.getByRole('checkbox').check();
  await page.locator('#saved').filter({ hasText: 'Saved' }).waitFor();
  await fullName(page).fill('Maria');
  await signature(page).click();
  await expect
    .poll(() => Object.assign({}, ...bodies(served, 'progress').map((body) => (body as { fields: object }).fields)))
    .toEqual({
      'f-company': 'López Roofing LLC',
      'f-retention': 'true',
      'f-signature': 'true',
    });
  await page.reload();
  await left(page, '3 of 4 fields');
  expect(await company(page).inputValue()).toBe('López Roofing LLC');

  const device = await browser.newContext(phone);
  const other = await device.newPage();
  await other.goto(served.url);
  expect(await company(other).inputValue()).toBe('López Roofing LLC');
  expect(await other.getByRole('checkbox').isChecked()).toBe(true);
  await left(other, '2 of 4 fields'); // the signature itself never left the first device
  await company(other).fill('');
  await expect.poll(() => bodies(served, 'progress').at(-1)).toEqual({ fields: { 'f-company': null } });
  await device.close();
});

test('of boxes that stand close together a tap on a phone ticks the one it is on', async () => {
  const boxes = ['first', 'second', 'third'].map((label, index) => ({
    ...(sampleFields.find(({ type }) => type === 'checkbox') as PageField),
    ...{ id: `f-${label}`, label, y: 400 + index * 12, width: 10, height: 10 },
  }));
  await using open = await openFile(phone, sampleFile({ fields: boxes }));
  const { page } = open;
  const box = (label: string) => page.getByRole('checkbox', { name: new RegExp(`^${label},`) });
  await box('second').tap();
  await box('first').tap();
  const checked = () => Promise.all(['first', 'second', 'third'].map((label) => box(label).isChecked()));
  await expect.poll(checked).toEqual([true, true, false]);
  await box('third').tap();
  await expect.poll(checked).toEqual([true, true, true]);
});

test('initials placed on another device are asked for again, not guessed from the name', async () => {
  const placed = sampleFields.map((field) => (field.type === 'initials' ? { ...field, value: 'true' } : field));
  await using open = await openFile(phone, sampleFile({ fields: placed }));
  const { page } = open;
  await company(page).fill('ACME');
  await signature(page).click();
  await fullName(page).fill('Maria López Herrera');
  await button(page, 'Place signature').click();
  await left(page, '3 of 4 fields');
  await button(page, 'Next').click();
  await expect.poll(() => focusedId(page)).toBe(await initials(page).getAttribute('id'));
  expect(await initials(page).textContent()).toBe('Initials');
  await initials(page).click();
  const box = page.getByRole('dialog', { name: 'Your initials' }).getByRole('textbox', { name: 'Initials' });
  expect(await box.inputValue()).toBe('MLH');
  await button(page, 'Place initials').click();
  await left(page, 'Ready to sign');
});

test('leaving the page at once loses nothing', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  await company(page).fill('ACME');
  await page.goto('about:blank');
  await expect.poll(() => bodies(served, 'progress')).toEqual([{ fields: { 'f-company': 'ACME' } }]);
});

test('what could not be saved is saved when the connection is back', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  await open.page.context().setOffline(true);
  await company(page).fill('ACME');
  await page.getByText('Not saved yet: no connection').waitFor();
  await open.page.context().setOffline(false);
  await page
    .locator('#saved')
    .filter({ hasText: /^Saved$/ })
    .waitFor();
  expect(bodies(served, 'progress')).toEqual([{ fields: { 'f-company': 'ACME' } }]);
});

test('a text that was emptied is sent empty after a reload, also if that could not be saved', async () => {
  const fields = optional('text').map((field) => ({ ...field, value: 'ACME' }));
  await using open = await openFile(desk, sampleFile({ fields }));
  const { page, served } = open;
  const text = page.getByRole('textbox', { name: /^Company/ });
  served.answer = 'hang up';
  await text.fill('');
  await page.getByText('Not saved yet: no connection').waitFor();
  await page.reload();
  expect(await text.inputValue()).toBe('');
  await fullName(page).fill('Maria');
  await button(page, 'Sign').click();
  await expect.poll(() => bodies(served, 'sign')[0]).toMatchObject({ fields: { 'f-company': '' } });
});

test('initials follow the name until they are typed, also after a reload', async () => {
  await using open = await openFile(desk);
  const { page } = open;
  const typed = page.getByRole('textbox', { name: 'Initials' });
  const rename = async (name: string) => {
    await fullName(page).fill(name);
    await initials(page).click();
  };
  await page.reload();
  await rename('Anna Smith');
  expect(await typed.inputValue()).toBe('AS');
  await typed.fill('Anna');
  await button(page, 'Cancel').click();
  await page.reload();
  await rename('Maria López');
  expect(await typed.inputValue()).toBe('Anna');
});

test('`Try again` is there for the click that leaves a number', async () => {
  const fields = valueFields.filter(({ type, isFixed }) => type === 'number' && !isFixed);
  await using open = await openFile(desk, sampleFile({ fields }));
  const { page, served } = open;
  await fullName(page).fill('Maria');
  await page.context().setOffline(true);
  await button(page, 'Sign').click();
  await button(page, 'Try again').waitFor();
  await page.getByRole('textbox', { name: /^Price/ }).fill('13');
  await page.context().setOffline(false);
  await page.locator('#saved').getByText('Saved', { exact: true }).waitFor();
  served.view = sampleView({ state: signed });
  await button(page, 'Try again').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  expect(bodies(served, 'sign')).toMatchObject([{ fields: { Price: '13.00' } }]);
});

test('a double click, and more clicks while the answer is awaited, sign once', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  await fillAll(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  served.hold = promise;
  await button(page, 'Sign').dblclick();
  await button(page, 'Sign').click({ force: true });
  served.view = sampleView({ state: signed });
  resolve();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  expect(bodies(served, 'sign')).toHaveLength(1);
});

test('two tabs: what one filled in is not emptied by the other, and the second to sign lands on the same outcome', async () => {
  await using open = await openFile(desk);
  const { page, served } = open;
  const second = await page.context().newPage();
  await second.goto(served.url);
  await page.getByRole('checkbox').check();
  await fillAll(second);
  await fillAll(page);
  served.view = sampleView({ state: signed });
  for (const tab of [second, page]) {
    await button(tab, 'Sign').click();
    await tab.getByRole('heading', { name: 'You signed this document' }).waitFor();
  }

  // A tab in which a text was never touched says nothing about it; one that cleared it does.
  served.view = sampleView({ file: sampleFile({ fields: optional('text') }) });
  for (const [clears, fields] of [
    [false, undefined],
    [true, { 'f-company': '' }],
  ] as const) {
    served.posts.length = 0;
    const tab = await page.context().newPage();
    await tab.goto(served.url);
    await fullName(tab).fill('Maria');
    const text = tab.getByRole('textbox', { name: /^Company/ });
    if (clears) {
      await text.fill('ACME');
      await text.fill('');
    }
    await button(tab, 'Sign').click();
    await expect.poll(() => (bodies(served, 'sign') as { fields: object }[]).at(-1)?.fields).toEqual(fields ?? {});
  }
});

test('offline while signing: what was entered stays, and signing again is one click', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  await fillAll(page);
  await page.locator('#saved').getByText('Saved', { exact: true }).waitFor();
  await page.context().setOffline(true);
  await button(page, 'Sign').click();
  await page.getByRole('alert').filter({ hasText: 'The connection failed.' }).waitFor();
  expect(await company(page).inputValue()).toBe('López Roofing LLC');
  await page.context().setOffline(false);
  served.view = sampleView({ state: signed });
  await button(page, 'Try again').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  expect(bodies(served, 'sign')).toHaveLength(1);
});

test('a document that ended while one fills in says so at once, with a way on', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  served.answer = { status: 409, code: 'document_voided' };
  await company(page).fill('ACME');
  await page.getByRole('alert').filter({ hasText: 'voided this document' }).waitFor();
  served.view = sampleView({ state: { kind: 'voided', reason: null } });
  await button(page, 'Show current status').click();
  await page.getByRole('heading', { name: 'This document was voided' }).waitFor();
});

test('declining is one decision, in place of signing', async () => {
  await using open = await openFile(phone);
  const { page } = open;
  await button(page, 'Decline').click();
  expect(await focusedId(page)).toBe('reason');
  expect(await button(page, 'Sign').count()).toBe(0);
  expect(await button(page, 'Start').count()).toBe(0);
  await button(page, 'Cancel').click();
  await button(page, 'Sign').waitFor();
});

test('an approver fills in fields and approves, with a name and nothing to draw', async () => {
  const view = sampleView({ file: sampleFile(), recipient: { name: 'Theo Brandt', kind: 'approver' } });
  await using open = await openPage(browser, view, phone);
  const { page, served } = open;
  expect(await page.getByRole('tab').count()).toBe(0);
  await company(page).fill('ACME');
  await fullName(page).fill('Theo Brandt');
  await signature(page).click();
  await initials(page).click();
  await button(page, 'Place initials').click();
  await left(page, 'Ready to approve');
  served.view = { ...view, state: { kind: 'approved', at: new Date() } };
  await button(page, 'Approve').click();
  await page.getByRole('heading', { name: 'You approved this document' }).waitFor();
  expect((bodies(served, 'sign') as { initials: unknown }[])[0]?.initials).toEqual({ kind: 'typed', text: 'TB' });
});

test('no focus is hidden by a bar, at 200 % zoom and on a phone alike', async () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 640, height: 450 },
    ...[510, 560, 610, 660, 720].map((height) => ({ width: 1280, height })),
  ]) {
    await using open = await openFile({ viewport, reducedMotion: 'reduce' });
    await expectFocusSeen(open.page, 18);
  }
});

test('the focus is seen in the tools, too, when they begin behind the bar at the foot', async () => {
  await using open = await openFile({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  const { page } = open;
  // As with fonts that are taller than those of the machine it was drawn on.
  const tools = (await page.locator('.file-tools').boundingBox())?.y ?? 0;
  expect(tools).toBeLessThan(850); // a negative margin would lay the tools over what is above them
  await page.evaluate(`document.querySelector('.file-tools').style.marginTop = '${900 - tools - 50}px'`);
  await expectFocusSeen(page, 8);
});

test('the focus stays in view when the header grows after it, as it does when a font has loaded', async () => {
  await using open = await openFile({ viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' });
  const { page } = open;
  await expectFocusSeen(page, 1);
  const tools = (await page.locator('.file-tools').boundingBox())?.y ?? 0;
  await page.evaluate(`document.querySelector('.file-tools').style.marginTop = '${720 - tools - 50}px'`);
  await expect.poll(() => hiddenFocus(page)).toBeNull();
});

async function expectFocusSeen(page: Page, tabs: number): Promise<void> {
  await page.evaluate('document.fonts.ready');
  for (let tab = 0; tab < tabs; tab++) {
    await page.keyboard.press('Tab');
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(await hiddenFocus(page), `${page.viewportSize()?.width} px, tab ${tab}`).toBeNull();
  }
}

/** The focused element, when something else covers its middle. */
function hiddenFocus(page: Page): Promise<string | null> {
  return page.evaluate(`(() => {
    const focused = document.activeElement;
    if (focused === document.body) return null;
    const { left, top, width, height } = focused.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return seen !== null && (focused.contains(seen) || seen.contains(focused)) ? null : focused.outerHTML;
  })()`);
}

test('every field can be hit with a finger, however small the sender drew it', async () => {
  await using open = await openFile({ viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true });
  for (const control of await open.page.locator('.control').all()) {
    const box = await control.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  }
  expect(await open.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
});

function optional(type: string) {
  return sampleFields.filter((field) => field.type === type).map((field) => ({ ...field, required: false }));
}

async function draw(page: Page, canvas: string): Promise<void> {
  await page.locator(canvas).scrollIntoViewIfNeeded();
  const box = await page.locator(canvas).boundingBox();
  if (box === null) throw new Error('there is no drawing area');
  await page.mouse.move(box.x + 60, box.y + 40);
  await page.mouse.down();
  for (let step = 1; step <= 12; step++) {
    await page.mouse.move(box.x + 60 + step * 10, box.y + 40 + (step % 3) * 9);
  }
  await page.mouse.up();
}

/** A photo in the size of a phone camera: ink on a background that is not quite white. */
async function photo(page: Page): Promise<Buffer> {
  const base64 = (await page.evaluate(`(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 3000;
    canvas.height = 2000;
    const context = canvas.getContext('2d');
    context.fillStyle = '#eceae4';
    context.fillRect(0, 0, 3000, 2000);
    context.strokeStyle = '#1a2a55';
    context.lineWidth = 40;
    context.beginPath();
    context.moveTo(400, 1500);
    context.bezierCurveTo(900, -400, 1500, 2600, 2600, 600);
    context.stroke();
    return canvas.toDataURL('image/png').split(',')[1];
  })()`)) as string;
  return Buffer.from(base64, 'base64');
}

test('much that was filled in without a connection is saved when it is back', async () => {
  const [text] = optional('text') as [PageField];
  const fields = Array.from({ length: 45 }, (_, n) => ({ ...text, id: `f-${n}`, label: `Line ${n}`, y: 10 + n * 17 }));
  await using open = await openFile(phone, sampleFile({ fields }));
  const { page, served, complaints } = open;
  await page.context().setOffline(true);
  await page.evaluate(`for (const box of document.querySelectorAll('.control')) {
    box.value = '字'.repeat(500);
    box.dispatchEvent(new Event('input', { bubbles: true }));
  }`);
  await page.getByText('Not saved yet: no connection').waitFor();
  await page.context().setOffline(false);
  await page.locator('#saved').getByText('Saved', { exact: true }).waitFor();
  const saved = bodies(served, 'progress') as { fields: Record<string, string> }[];
  expect(Object.values(Object.assign({}, ...saved.map((body) => body.fields)))).toEqual(
    Array(45).fill('字'.repeat(500)),
  );
  expect(complaints).toEqual([]);
});

test('a tab left open says that another one has signed, and not that something was saved', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  served.answerBody = { state: 'signed' };
  await company(page).fill('ACME');
  await page.getByRole('alert').filter({ hasText: 'You have already signed this document.' }).waitFor();
  expect(await page.locator('#saved').textContent()).toBe('');
  served.view = sampleView({ state: signed });
  await button(page, 'Show current status').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
});

test('initials that are too long are refused where they are typed', async () => {
  await using open = await openFile(phone);
  const { page, served } = open;
  await fillAll(page);
  await initials(page).click();
  const dialog = page.getByRole('dialog', { name: 'Your initials' });
  await dialog.getByRole('textbox', { name: 'Initials' }).fill('Ada Lovelace');
  await button(page, 'Place initials').click();
  await dialog.getByText('Enter your initials, in up to 10 characters.').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => initials(page).textContent()).toBe('MLH');
  expect(bodies(served, 'sign')).toEqual([]);
});

test.each(['signature', 'initials'])('a refused %s is explained in its dialog, within the screen', async (param) => {
  await using open = await openFile(phone);
  const { page, served, complaints } = open;
  await fillAll(page);
  await (param === 'signature' ? signature : initials)(page).click();
  const dialog = page.locator(`#${param}-dialog`);
  await dialog.getByRole('tab', { name: 'Draw' }).click();
  const drawing = param === 'signature' ? '#drawing' : '#initials-drawing';
  await page.locator(drawing).waitFor();
  await draw(page, drawing);
  await button(page, `Place ${param}`).click();
  await dialog.waitFor({ state: 'hidden' });
  served.answer = { status: 400, code: 'invalid_signature', param };
  await button(page, 'Sign').click();
  const error = dialog.getByText('Your signature can’t be seen or read.');
  await error.waitFor();
  const { y = 0, height = 0 } = (await error.boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y + height).toBeLessThanOrEqual(phone.viewport?.height ?? 0);
  expect(await focusedId(page)).toBe(`${param === 'signature' ? '' : 'initials-'}draw-tab`);
  expect(complaints).toEqual([]);
});
