import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk } from '../support/devices.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole } from './open-console.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** Open pages show what others change, also after a fault of the connection. */
let app: TestService;
let company: Company;
let member: Member;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  member = await addMember(app, company.id, 'owner');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const open = (path: string, prepare: (page: Page) => Promise<unknown>) =>
  openConsole(path, { browser, app, member, device: desk, prepare });

const live = '**/console/api/live';
const isLive = (address: string) => address.endsWith('/console/api/live');

test.each([429, 502])('a page whose live updates were refused with %i connects again', async (status) => {
  let connected: Promise<unknown> | undefined;
  const page = await open('/documents', (page) => {
    connected = page.waitForResponse((response) => isLive(response.url()) && response.ok());
    return page.route(live, (route) => route.fulfill({ status, json: {} }), { times: 2 });
  });
  await connected;
  await createSent(app, company.key, { title: `Sent after ${status}` });
  await page.getByRole('link', { name: `Sent after ${status}` }).waitFor();
});

test('after someone has signed in again, the page gets live updates', async () => {
  let isEnded = true;
  const page = await open('/documents', (page) =>
    page.route(live, (route) => (isEnded ? route.fulfill({ status: 401, json: {} }) : route.continue())),
  );
  const endSession = { name: '', text: 'delete from sessions where person_id = $1', values: [member.personId] };
  await app.db.query(endSession);
  await page.getByLabel('Sort by').selectOption('Oldest');
  await dialog(page).waitFor();
  isEnded = false;
  const connected = page.waitForResponse((response) => isLive(response.url()) && response.ok());
  const { cookies } = await signedIn(app, member);
  const url = new URL(app.baseUrl).origin;
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
  await closed(page);
  await connected;
  await createSent(app, company.key, { title: 'Sent after the sign-in' });
  await page.getByRole('link', { name: 'Sent after the sign-in' }).waitFor();
});

test('a change is shown that comes while a list continues with its next pages', async () => {
  await createSent(app, company.key, { title: 'Lease of a flat' });
  const pages = 4;
  const page = await open('/documents?q=Lease', (page) =>
    page.route('**/console/api/documents?*', async (route) => {
      // The first page is answered by the service, and says that more follow, each without what is searched for.
      const n = Number(new URL(route.request().url()).searchParams.get('starting_after')?.slice(1) ?? 0);
      const next = n < pages ? `p${n + 1}` : null;
      const first = n === 0 ? await (await route.fetch()).json() : { object: 'list', data: [] };
      await sleep(400);
      await route.fulfill({ json: { ...first, has_more: next !== null, next_cursor: next } });
    }),
  );
  await page.getByRole('link', { name: 'Lease of a flat' }).waitFor();
  await createSent(app, company.key, { title: 'Lease of a house' });
  await page.getByRole('link', { name: 'Lease of a house' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
