import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectionTexts } from '../../src/console/pages/connection-texts.ts';
import { type Language, texts } from '../../src/console/pages/texts.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { addMember } from '../console/visitor.ts';
import { launchBrowser } from '../support/browser.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { startVendorOauth, type VendorOauth, vendorUser } from './vendor/oauth.ts';

/** Connecting as an owner does, at a vendor of another site, so that cookies have a boundary to cross. */
let vendor: VendorOauth;
let app: TestService;
let browser: Browser;
let origin: string;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

beforeAll(async () => {
  vendor = await startVendorOauth();
  [app, browser] = await Promise.all([startTestService({ env: vendor.env }), launchBrowser()]);
  origin = new URL(app.baseUrl).origin.replace('127.0.0.1', 'localhost');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await vendor.stop();
});

const devices: [Language, BrowserContextOptions][] = [
  ['en', { viewport: { width: 390, height: 844 }, locale: 'en-US', colorScheme: 'dark' }],
  ['es', { viewport: { width: 1280, height: 900 }, locale: 'es-ES' }],
];

describe.each(devices)('%s', (language, device) => {
  const text = connectionTexts[language];
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const state = (page: Page, status: keyof typeof text.statuses) =>
    page.getByText(text.statuses[status], { exact: true }).waitFor();

  test('an owner refuses, then connects, is asked to again, and disconnects', async () => {
    const company = await createCompany(app);
    const page = await signIn(company.id, 'owner', device);
    await state(page, 'not_connected');
    await expectSound(page);

    await press(page, text.connect);
    await press(page, 'Refuse');
    await page.getByText(text.reasons.declined).waitFor();
    await expectSound(page);
    await page.getByRole('link', { name: text.back }).click();

    await press(page, text.connect);
    await press(page, 'Allow');
    await state(page, 'connected');
    expect(page.url()).toBe(`${origin}/console/connections`);
    await page.getByText('Vendor & Sons').waitFor();
    await page.getByText(vendorUser.email).waitFor();

    await app.db.query({
      name: 'test_refuse',
      text: 'update esign_connections set refused_at = $2 where account_id = $1',
      values: [company.id, app.clock.now()],
    });
    await page.reload();
    await state(page, 'reconnect_needed');
    await expectSound(page);
    await press(page, text.connect);
    // The vendor knows this browser, and does not ask a second time.
    await state(page, 'connected');

    vendor.goDown(true);
    await press(page, text.disconnect);
    await page.getByText(text.unrevoked).waitFor();
    vendor.goDown(false);
    await state(page, 'not_connected');
  });
});

test('others see what is connected, and change nothing', async () => {
  const company = await createCompany(app);
  const page = await signIn(company.id, 'admin', { locale: 'en-US' });
  await page.getByText(connectionTexts.en.ownersOnly).waitFor();
  expect(await page.getByRole('button').count()).toBe(0);
  await expectSound(page);
});

async function signIn(accountId: string, role: 'owner' | 'admin', device: BrowserContextOptions): Promise<Page> {
  const { personId } = await addMember(app, accountId, role);
  const page = await (await browser.newContext(device)).newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  const language = device.locale === 'es-ES' ? 'es' : 'en';
  const token = await mintSignInLink(app.world, app.db, personId, 'operator');
  await page.goto(`${origin}/console/connections`);
  const to = new URL(page.url()).search;
  await page.goto(`${origin}/sign-in/${token}${to}`);
  await page.getByRole('button', { name: texts[language].continue }).click();
  await page.waitForURL(`${origin}/console/connections`);
  return page;
}

/** Nothing that axe finds serious, and nothing to scroll sideways for. */
async function expectSound(page: Page): Promise<void> {
  await page.evaluate(axe);
  expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}
