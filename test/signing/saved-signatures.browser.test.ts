import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { drawnSignature } from '../../src/sealing/testing/sample-png.ts';
import { closed, dialog, openConsole, press, pressIn } from '../console/open-console.ts';
import { addMember, type Member, signedIn } from '../console/visitor.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { expectSound } from '../support/expect-sound.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { auditOf, openLinkOf } from './signer.ts';

/** Making a signature in the console, and signing with it, in a browser. */
let app: TestService;
let company: Company;
let browser: Browser;
let members = 0;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const name = 'Ada Lovelace';
const newMember = () => addMember(app, company.id, 'member', `saver-${++members}@example.com`);
const origin = () => new URL(app.baseUrl).origin;

/** Draws a line from the left to the right of an area. */
async function draw(page: Page, area: string): Promise<void> {
  const canvas = page.getByRole('img', { name: area });
  // Its script has come when it is larger than a canvas is by itself.
  await expect.poll(() => canvas.evaluate((area) => (area as unknown as { width: number }).width)).toBeGreaterThan(300);
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('there is no drawing area');
  await page.mouse.move(box.x + 40, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 200, box.y + 90, { steps: 8 });
  await page.mouse.up();
}

/** Opens a signing link in a browser that is signed in as a member. */
async function openLink(member: Member, link: string, device: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...device });
  onTestFinished(() => context.close());
  const visitor = await signedIn(app, member);
  await context.addCookies([...visitor.cookies].map(([key, value]) => ({ name: key, value, url: origin() })));
  const page = await context.newPage();
  expectNoFaults(page);
  await page.goto(link);
  return page;
}

const signedDetail = async (id: string) =>
  (await auditOf(app, company, id)).find(({ action }) => action === 'signed')?.detail;

test('a signature is drawn, typed and uploaded in the console, with the keyboard too, and removed', async () => {
  const member = await newMember();
  for (const [device, colorScheme] of [
    [desk, 'light'],
    [phone, 'dark'],
  ] as const) {
    const page = await openConsole('/account', { browser, app, member, device: { ...device, colorScheme } });
    await page.getByText('You have no saved signature.').waitFor();
    await expectSound(page);
    await press(page, 'Add a signature');
    const save = dialog(page).getByRole('button', { name: 'Save', exact: true });
    expect(await save.isDisabled()).toBe(true);
    await dialog(page).getByRole('tab', { name: 'Type' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: 'Area for drawing your signature' }).waitFor();
    await page.waitForLoadState('networkidle');
    await draw(page, 'Area for drawing your signature');
    await expect.poll(() => save.isDisabled()).toBe(false);
    await expectSound(page);
    await pressIn(page, 'Save');
    await closed(page);
    const shown = page.getByRole('img', { name: 'Your saved signature' });
    await shown.waitFor();
    await expect
      .poll(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(50);

    await press(page, 'Add your initials');
    await dialog(page).getByLabel('Initials', { exact: true }).fill('AL');
    await page.keyboard.press('Enter');
    await closed(page);
    await expect.poll(() => page.getByText('AL', { exact: true }).count()).toBe(1);
    await expect.poll(() => page.evaluate(`document.fonts.check('20px Handwriting')`)).toBe(true);

    await press(page, 'Replace your signature');
    await dialog(page).getByRole('tab', { name: 'Upload' }).click();
    const chooser = dialog(page).getByLabel('Picture');
    await chooser.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not an image') });
    await dialog(page).getByRole('alert').waitFor();
    await chooser.setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: drawnSignature() });
    await dialog(page).getByRole('img', { name: 'The picture that you chose' }).waitFor();
    await expectSound(page);
    await pressIn(page, 'Save');
    await closed(page);
    await expectSound(page);
    for (const mark of ['signature', 'initials']) {
      await press(page, `Remove your saved ${mark}?`);
      await pressIn(page, 'Remove');
      await closed(page);
    }
    await page.getByText('You have no saved initials.').waitFor();
  }
});

test.each([
  ['phone', phone, 'dark'],
  ['desk', desk, 'light'],
] as const)('a saved signature and initials are placed with one tap each, on a %s', async (_, device, colorScheme) => {
  const member = await newMember();
  const visitor = await signedIn(app, member);
  const png = drawnSignature().toString('base64');
  await visitor.post('/own-signature', { mark: 'signature', kind: 'drawn', png });
  await visitor.post('/own-signature', { mark: 'initials', kind: 'typed', text: 'A.L.' });
  const id = await createDraft(app, company.key, { recipients: [{ name, email: member.email }] });
  await attachPdf(app, company, id, { pages: [{}] });
  await placeOn(app, company, id, [
    { recipient: 1, type: 'signature' },
    { recipient: 1, type: 'initials' },
  ]);
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  const { link } = await openLinkOf(app, company, id, name);
  const page = await openLink(member, link, { ...device, colorScheme });
  await page.locator('#saved-tab[aria-selected="true"]').waitFor();

  await page.getByRole('button', { name: /^Signature/ }).click();
  const maker = page.getByRole('dialog');
  await maker.getByText('Use your saved signature').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('signature-place');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await maker.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /^Initials/ }).click();
  await maker.getByText('Use your saved initials').waitFor();
  await maker.getByRole('button', { name: 'Place initials' }).click();
  await maker.waitFor({ state: 'hidden' });

  // Nothing of it is lost by a reload.
  await page.reload();
  await page.locator('#saved-tab[aria-selected="true"]').waitFor();
  await page.locator('#initials-saved-tab[aria-selected="true"]').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.locator('#page[data-state="completed"]').waitFor();
  expect(await signedDetail(id)).toMatchObject({ method: 'drawn', saved: 'signature_and_initials' });
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
});

test('another name is typed in place of the saved one and saved for next time', async () => {
  const member = await newMember();
  const visitor = await signedIn(app, member);
  await visitor.post('/own-signature', { mark: 'signature', kind: 'typed', text: 'Ada King' });
  const id = await createSent(app, company.key, { recipients: [{ name, email: member.email }] });
  const { link } = await openLinkOf(app, company, id, name);
  for (const locale of ['de-DE', 'es-ES', 'fr-FR', 'it-IT', 'pt-PT']) {
    const narrow = await openLink(member, link, { ...phone, viewport: { width: 320, height: 700 }, locale });
    await narrow.locator('#saved-tab[aria-selected="true"]').waitFor();
    expect(await narrow.getAttribute('html', 'lang')).toBe(locale.slice(0, 2));
    await expectSound(narrow);
  }
  const page = await openLink(member, link, phone);
  await page.locator('#saved-tab[aria-selected="true"]').waitFor();
  const box = page.getByLabel('Full name');
  await expect.poll(() => box.inputValue()).toBe('Ada King');
  const later = page.getByRole('checkbox', { name: 'Save for next time' });
  expect(await later.isVisible()).toBe(false);
  await page.getByRole('tab', { name: 'Saved' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('type-tab');
  await page.keyboard.press('Home');
  await box.fill('Countess of Lovelace');
  await page.locator('#type-tab[aria-selected="true"]').waitFor();
  expect(await later.isChecked()).toBe(false);
  await later.check();
  await expectSound(page);
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.locator('#page[data-state="completed"]').waitFor();
  expect(await signedDetail(id)).not.toHaveProperty('saved');
  const { signature } = (await visitor.get('/own-signature')).body;
  expect(signature).toMatchObject({ kind: 'typed', text: 'Countess of Lovelace' });
});
