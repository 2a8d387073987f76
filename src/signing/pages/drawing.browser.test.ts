import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { phone } from '../../../test/support/devices.ts';
import { texts } from '../../page-texts/texts.ts';
import type { SigningState } from './signing-page.ts';
import { openPage } from './testing/open-page.ts';
import { sampleView } from './testing/sample-views.ts';

const signed: SigningState = { kind: 'signed', at: new Date() };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const button = (page: Page, name: string) => page.getByRole('button', { name });
const fullName = (page: Page) => page.getByRole('textbox', { name: 'Full name' });

test('a drawing is sent as a transparent PNG cut to its ink, and loads its library only then', async () => {
  await using open = await openPage(browser, sampleView(), phone);
  const { page, served } = open;
  const padRequests = () => served.requests.filter((request) => request.includes('signature-pad')).length;
  await fullName(page).fill('Maria López');
  expect(padRequests()).toBe(0);
  await page.getByRole('tab', { name: 'Draw' }).click();
  await untilDrawingIsWider(page, 300);
  expect(padRequests()).toBe(1);

  await button(page, 'Sign').click();
  await page.getByText('Draw your signature, or choose Type.').waitFor();
  await draw(page);
  await button(page, 'Clear').click();
  await button(page, 'Sign').click();
  await page.getByText('Draw your signature, or choose Type.').waitFor();
  await draw(page);
  served.view = sampleView({ state: signed });
  await button(page, 'Sign').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();

  const { body } = served.posts.at(-1) as { body: { full_name: string; signature: { kind: string; png: string } } };
  expect(body.full_name).toBe('Maria López');
  expect(body.signature.kind).toBe('drawn');
  const png = Buffer.from(body.signature.png, 'base64');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png[25]).toBe(6); // colour with alpha
  expect(png.readUInt32BE(16)).toBeLessThan(2 * 390);
  expect(png.readUInt32BE(20)).toBeLessThan(2 * 160);
  expect(open.complaints).toEqual([]);
});

test('the drawing area is loaded when its tab is opened again after a failure', async () => {
  await using open = await openPage(browser, sampleView(), phone);
  const { page } = open;
  await page.route('**/signature-pad*', (route) => route.abort());
  await page.getByRole('tab', { name: 'Draw' }).click();
  await page.getByText(texts.en.script.drawingUnavailable).waitFor();
  await page.unroute('**/signature-pad*');
  await page.getByRole('tab', { name: 'Draw' }).click();
  await untilDrawingIsWider(page, 300);
  await draw(page);
  expect(await page.getByText(texts.en.script.drawingUnavailable).count()).toBe(0);
});

test('what is drawn stays when the page changes its size, and needs no typed name', async () => {
  await using open = await openPage(browser, sampleView(), { viewport: { width: 390, height: 844 } });
  const { page, served } = open;
  await fullName(page).fill('');
  await button(page, 'Sign').click();
  const complaint = page.getByText(texts.en.script.nameMissing);
  await complaint.waitFor();
  await page.getByRole('tab', { name: 'Draw' }).click();
  await complaint.waitFor({ state: 'hidden' });
  await untilDrawingIsWider(page, 300);
  await draw(page);
  await page.setViewportSize({ width: 844, height: 390 });
  await untilDrawingIsWider(page, 1000);
  await page.getByRole('tab', { name: 'Type' }).click();
  await page.getByRole('tab', { name: 'Draw' }).click();
  await button(page, 'Sign').click();
  const sent = () => served.posts.find(({ path }) => path === 'sign')?.body;
  await expect.poll(() => JSON.stringify(sent()) ?? '').toContain('"kind":"drawn"');
  expect(sent()).not.toHaveProperty('full_name');
});

test('a drawing keeps its proportions and all of its ink when the phone is turned and turned back', async () => {
  const [upright, across] = [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
  ];
  const drawnAfter = async (...turns: (typeof upright)[]) => {
    await using open = await openPage(browser, sampleView(), { viewport: upright });
    const { page, served } = open;
    await page.getByRole('tab', { name: 'Draw' }).click();
    await untilDrawingIsWider(page, 300);
    await draw(page, 90);
    for (const turn of turns) {
      await page.setViewportSize(turn);
      await expect.poll(() => page.evaluate('document.getElementById("drawing").width > 1000')).toBe(turn === across);
    }
    await button(page, 'Sign').click();
    const sent = () => served.posts.find(({ path }) => path === 'sign')?.body as { signature: { png: string } };
    await expect.poll(sent).toBeDefined();
    return await measure(await page.context().newPage(), sent().signature.png);
  };
  const before = await drawnAfter();
  for (const after of [await drawnAfter(across), await drawnAfter(across, upright)]) {
    expect(after.width / after.height).toBeCloseTo(before.width / before.height, 1);
    expect(after.width).toBeCloseTo(before.width, -1);
    expect(after.inkAtEnd).toBe(true);
  }
});

/** Returns the size of a drawing, and whether there is ink at its right end and at its bottom. */
function measure(page: Page, png: string): Promise<{ width: number; height: number; inkAtEnd: boolean }> {
  return page.evaluate(`(async () => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,${png}')).blob());
    const { width, height } = image;
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    context.drawImage(image, 0, 0);
    const hasInk = (...box) => context.getImageData(...box).data.some((value, at) => at % 4 === 3 && value > 100);
    return { width, height, inkAtEnd: hasInk(width - 60, 0, 60, height) && hasInk(0, height - 30, width, 30) };
  })()`);
}

async function draw(page: Page, y = 40): Promise<void> {
  await page.locator('#drawing').scrollIntoViewIfNeeded();
  const box = await page.locator('#drawing').boundingBox();
  if (box === null) throw new Error('there is no drawing area');
  await page.mouse.move(box.x + 60, box.y + y);
  await page.mouse.down();
  for (let step = 1; step <= 12; step++) {
    await page.mouse.move(box.x + 60 + step * 10, box.y + y + (step % 3) * 18);
  }
  await page.mouse.up();
}

/** The area has taken on its size when its pixels have: twice as many as it is wide, or more. */
async function untilDrawingIsWider(page: Page, pixels: number): Promise<void> {
  await expect.poll(() => page.evaluate('document.getElementById("drawing").width')).toBeGreaterThan(pixels);
}
