import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** Signing on a desk with a signature that is drawn on a phone. */
let app: TestService;
let company: Company;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

test('a signature drawn on a phone is on the page at the desk, which signs with it', async () => {
  const { id, page } = await openAtDesk('ada@example.com');
  await page.getByRole('tab', { name: 'Draw' }).click();
  await page.getByRole('button', { name: 'Draw on your phone' }).click();
  const code = page.getByRole('img', { name: 'QR code for your phone' });
  await page.getByText('Waiting for your phone.').waitFor();
  await expectSound(page);

  const onPhone = await openPage(await scan(code), phone);
  await onPhone.getByRole('heading', { name: 'Draw your signature' }).waitFor();
  await page.getByText('Your phone is ready. Draw on it.').waitFor();
  await onPhone.getByRole('button', { name: 'Use this drawing' }).click();
  await onPhone.getByText('Draw first.').waitFor();
  await draw(onPhone);
  await expectSound(onPhone);
  await onPhone.getByRole('button', { name: 'Use this drawing' }).click();
  await onPhone.getByRole('heading', { name: 'Your drawing was sent' }).waitFor();
  await expectSound(onPhone);

  await page.getByText('The drawing from your phone is here.').waitFor();
  expect(await code.isVisible()).toBe(false);
  expect(await inkOf(page)).toBeGreaterThan(200);
  expect(await status(id)).toBe('sent');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByRole('heading', { name: /completed/i }).waitFor();
  const [recipient] = await app.db.query<{ bytes: number }>({
    name: '',
    text: 'select octet_length(signature_png) as bytes from recipients where document_id = $1',
    values: [id],
  });
  expect(recipient?.bytes).toBeGreaterThan(500);
});

test('the person can draw at the desk instead, and a code that ended says so', async () => {
  const { page } = await openAtDesk('bob@example.com');
  await page.getByRole('tab', { name: 'Draw' }).click();
  const offer = page.getByRole('button', { name: 'Draw on your phone' });
  await offer.click();
  await page.getByText('Waiting for your phone.').waitFor();
  const first = await scan(page.getByRole('img', { name: 'QR code for your phone' }));
  await page.getByRole('button', { name: 'Draw here instead' }).click();
  expect(await page.evaluate('document.activeElement.id')).toBe('phone');
  await page.locator('#drawing').waitFor();

  await offer.click();
  await page.getByText('Waiting for your phone.').waitFor();
  const late = await openPage(first, phone);
  await late.getByRole('heading', { name: 'This code has ended' }).waitFor();
  await expectSound(late);
  app.clock.advance({ minutes: 11 });
  await page.getByText('This code has ended. Show a new one.').waitFor();
  await page.locator('#drawing').waitFor();
});

test('a phone is not asked for another phone', async () => {
  const { page } = await openAtDesk('eve@example.com', phone);
  await page.getByRole('tab', { name: 'Draw' }).click();
  await page.locator('#drawing').waitFor();
  expect(await page.getByRole('button', { name: 'Draw on your phone' }).isVisible()).toBe(false);
});

async function openAtDesk(email: string, device: object = desk): Promise<{ id: string; page: Page }> {
  const id = await createSent(app, company.key, { title: 'Lease of the mill', recipients: [{ name: 'Ada', email }] });
  const link = await eventually(
    async () => (await listMailbox(join(app.dataDir, 'mailbox'), { to: email })).flatMap(({ links }) => links).at(0),
    (found) => found !== undefined,
  );
  return { id, page: await openPage(link ?? '', device) };
}

/** The content security policy is off for axe. two-signers.test.ts runs with it. */
async function openPage(address: string, device: object): Promise<Page> {
  const page = await (await browser.newContext({ ...device, bypassCSP: true, colorScheme: 'dark' })).newPage();
  await page.goto(address);
  return page;
}

/** Reads the code off the screen, as a camera does. */
async function scan(code: Locator): Promise<string> {
  const base64 = (await code.screenshot()).toString('base64');
  const { width, data } = (await code.page().evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return { width: image.width, data: [...context.getImageData(0, 0, image.width, image.height).data] };
  })()`)) as { width: number; data: number[] };
  return decodeQR({ width, height: data.length / 4 / width, data: Uint8Array.from(data) });
}

async function draw(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate('document.getElementById("drawing").width')).toBeGreaterThan(300);
  const box = await page.locator('#drawing').boundingBox();
  if (box === null) throw new Error('there is nothing to draw on');
  await page.mouse.move(box.x + 30, box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 1; step <= 12; step++) {
    await page.mouse.move(box.x + 30 + step * 20, box.y + box.height / 2 + (step % 2 === 0 ? 60 : -60));
  }
  await page.mouse.up();
}

/** Returns how many pixels of the drawing area at the desk have ink. */
async function inkOf(page: Page): Promise<number> {
  return (await page.evaluate(`(() => {
    const canvas = document.getElementById('drawing');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, at) => at % 4 === 3 && value > 100).length;
  })()`)) as number;
}

async function status(id: string): Promise<string> {
  return (await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status;
}
