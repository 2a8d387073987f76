import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notConnectedTexts } from '../../src/console/sign-in/pages/not-connected-texts.ts';
import { texts } from '../../src/console/sign-in/pages/texts.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { addMember } from '../console/visitor.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { expectSound } from '../support/expect-sound.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { startVendorOauth, type VendorOauth, vendorUser } from './vendor/oauth.ts';

/** Connects as an owner does, at a vendor on another site, so that cookies cross a site boundary. */
let vendor: VendorOauth;
let app: TestService;
let browser: Browser;
let origin: string;

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

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const shows = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

test('an owner signs in, connects, is asked to again, and disconnects', async () => {
  const company = await createCompany(app);
  const page = await signIn(company.id, 'owner', { ...desk, colorScheme: 'dark', locale: 'en-US' });
  await shows(page, 'Not connected');
  await press(page, 'Connect');
  await press(page, 'Allow');
  await shows(page, 'Connected');
  expect(page.url()).toBe(`${origin}/settings/connections`);
  await shows(page, 'Vendor & Sons');
  await shows(page, vendorUser.email);

  await app.db.query({
    name: 'test_refuse',
    text: 'update esign_connections set refused_at = $2 where account_id = $1',
    values: [company.id, app.clock.now()],
  });
  await page.reload();
  await shows(page, 'Reconnect needed');
  await expectSound(page);
  // The vendor knows this browser and does not ask again.
  await press(page, 'Connect');
  await shows(page, 'Connected');

  vendor.goDown(true);
  await press(page, 'Disconnect');
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click();
  await page.getByText('the vendor did not confirm it').waitFor();
  vendor.goDown(false);
  await shows(page, 'Not connected');
  await expectSound(page);
});

test('one who refuses is told that nothing was connected, and where to go from there', async () => {
  const text = notConnectedTexts.es;
  const page = await signIn((await createCompany(app)).id, 'owner', { ...phone, locale: 'es-ES' });
  await press(page, 'Conectar');
  await press(page, 'Refuse');
  await shows(page, text.reasons.declined);
  await expectSound(page);
  await page.getByRole('link', { name: text.back }).click();
  await shows(page, 'Sin conectar');
});

test('others see what is connected, and change nothing', async () => {
  const page = await signIn((await createCompany(app)).id, 'admin', { ...phone, locale: 'en-US' });
  await shows(page, 'Only owners can change this.');
  expect(await page.getByRole('button', { name: /connect/i }).count()).toBe(0);
});

/** Opening the connections before signing in leads back to them afterwards. */
async function signIn(accountId: string, role: 'owner' | 'admin', device: BrowserContextOptions): Promise<Page> {
  const { personId } = await addMember(app, accountId, role);
  const page = await (await browser.newContext(device)).newPage();
  expectNoFaults(page);
  await page.goto(`${origin}/settings/connections`);
  const to = new URL(page.url()).search;
  await page.goto(`${origin}/sign-in/${await mintSignInLink(app.world, app.db, personId, 'operator')}${to}`);
  await press(page, texts[device.locale === 'es-ES' ? 'es' : 'en'].continue);
  await page.waitForURL(`${origin}/settings/connections`);
  return page;
}
