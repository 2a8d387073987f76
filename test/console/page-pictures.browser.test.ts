import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { attachPdf } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { openConsole, press } from './open-console.ts';
import { addMember, type Member } from './visitor.ts';

/** Pictures of pages that do not arrive at first. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;
let id: string;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'owner', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});
beforeEach(async () => {
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  id = await createDraft(app, company.key, { title: 'Lease', recipients });
  await attachPdf(app, company, id, { pages: [{ text: 'The lease' }] });
});

const pictures = '**/pages/1?*';
const busy = (route: Route) => route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: {} });

function open(path: string, answer: (route: Route) => Promise<void>): Promise<Page> {
  const prepare = (page: Page) => page.route(pictures, answer);
  return openConsole(path, { browser, app, member: ruth, device: desk, prepare });
}

const isDrawn = (page: Page) =>
  page
    .getByRole('img', { name: 'Page 1 of 1' })
    .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0);

test('a picture that the service has no time for is requested again', async () => {
  let asked = 0;
  const page = await open(`/documents/${id}`, (route) => (++asked < 3 ? busy(route) : route.continue()));
  await expect.poll(() => isDrawn(page)).toBe(true);
  expect(await page.getByText('We can’t show this page.').count()).toBe(0);
});

test("a page that can't be shown is tried again where fields are placed, and clicks on it still place fields", async () => {
  const page = await open(`/documents/${id}/fields`, busy);
  await page.getByText('We can’t show this page.').waitFor();
  await expectSound(page);
  await press(page, 'Add to page 1');
  const fields = page.getByRole('button', { name: 'Signature of Ada Lovelace, page 1' });
  const place = async () => {
    const [field, end] = [await fields.boundingBox(), await page.getByText('Add to page 1').boundingBox()];
    return Math.round((end?.y ?? 0) - (field?.y ?? 0));
  };
  const before = await place();
  await page.unroute(pictures);
  await press(page, 'Try again');
  await expect.poll(() => isDrawn(page)).toBe(true);
  expect(await fields.count()).toBe(1);
  expect(await place()).toBe(before);
});

test('pictures arrive once the service answers again', async () => {
  const page = await open(`/documents/${id}`, (route) => route.abort('connectionrefused'));
  await page.route('**/console/api/**', (route) => route.abort('connectionrefused'));
  await page.getByText('The service isn’t answering.').waitFor();
  await page.unrouteAll();
  await expect.poll(() => isDrawn(page)).toBe(true);
});
