import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redeliveryPortion } from '../../src/webhooks/redeliver-matching.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { addDelivered } from '../support/settled-backlog.ts';
import { createEndpoint, deliveriesOf } from '../support/webhooks.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { createSampleSettings, type SampleSettings } from './sample-settings.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** The page of a webhook endpoint: filters, sending again what matches, and the success rate. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;
let receiver: Receiver;
let samples: SampleSettings;

beforeAll(async () => {
  receiver = await startReceiver();
  [app, browser] = await Promise.all([startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }), launchBrowser()]);
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'owner', 'ruth@example.com');
  samples = await createSampleSettings(app, company, receiver);
  app.clock.advance({ minutes: 1 });
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await receiver.stop();
});

const open = (path = `/settings/webhooks/${samples.webhook.id}`, device: BrowserContextOptions = desk) => {
  const prepare = (page: Page) => page.clock.install({ time: app.clock.now() });
  return openConsole(path, { browser, app, member: ruth, device, prepare });
};
const items = (page: Page) => page.getByRole('listitem').locator('summary');

test.each([
  ['a telephone', phone],
  ['a desk in the dark, in Spanish', { ...desk, colorScheme: 'dark', locale: 'es-ES' }],
] as [string, BrowserContextOptions][])('the success rate and its tables are sound on %s', async (_device, device) => {
  const page = await open(undefined, device);
  const charts = page.getByRole('figure');
  await charts.nth(1).waitFor();
  expect(await charts.count()).toBe(2);
  for (const table of await page.getByText(/^(Show as a table|Ver como tabla)$/).all()) await table.click();
  await expect.poll(() => charts.nth(0).getByRole('row').count()).toBe(25);
  await expect.poll(() => charts.nth(1).getByRole('row').count()).toBe(31);
  await expectSound(page);
  await page.goto(page.url().replace(/\/[^/]*$/, ''));
  await page.getByText(/^9\d([.,]\d)?\s?%$/).waitFor();
  await expectSound(page);
});

test('filters are in the address, and an unknown id is explained', async () => {
  const page = await open();
  await items(page).nth(1).waitFor();
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('3xx: redirect');
  await page.waitForURL(/answer=3xx/);
  await expect.poll(() => items(page).count()).toBe(1);
  await expectSound(page);
  await page.reload();
  await page.getByText(/^302/).waitFor();
  expect(await items(page).count()).toBe(1);
  await page.getByRole('combobox', { name: 'Event' }).selectOption('document.voided');
  await page.getByText('No matching deliveries.').waitFor();

  const [first] = await deliveriesOf(app, samples.webhook.id);
  await page.getByRole('combobox', { name: 'Event' }).selectOption('All events');
  const search = page.getByRole('searchbox');
  await search.fill('roof');
  await page.getByText('Enter the whole ID of a document or an event.').waitFor();
  await expectSound(page);
  await search.fill(first?.event_id ?? '');
  await expect.poll(() => items(page).count()).toBe(1);
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('2xx: accepted');
  await page.getByText('No matching deliveries.').waitFor();
});

test('what matches is counted, sent again, and a click too many sends nothing', async () => {
  const page = await open(`/settings/webhooks/${samples.webhook.id}?status=dead`);
  await items(page).first().waitFor();
  await press(page, 'Redeliver…');
  await dialog(page).getByText('1 event matches your filters.').waitFor();
  await expectSound(page);
  // Both clicks come before the answer to the first.
  const clicked = Promise.withResolvers<void>();
  await page.route('**/redelivery', async (route) => {
    await clicked.promise;
    await route.continue();
  });
  await dialog(page).getByRole('button', { name: 'Redeliver' }).dblclick();
  clicked.resolve();
  await page.getByText('Redelivering 1 event.').waitFor();
  await closed(page);
  await expect.poll(async () => (await deliveriesOf(app, samples.webhook.id)).length).toBe(3);
  await press(page, 'Redeliver…');
  await dialog(page).getByText('No events to redeliver.').waitFor();
  expect(await dialog(page).getByRole('button', { name: 'Redeliver' }).isDisabled()).toBe(true);
});

test('a long redelivery shows how far it is, and stops when its dialog is closed', async () => {
  const { id } = await createEndpoint(app, company.id, receiver.url);
  const documentId = await createDraft(app, company.key);
  await addDelivered(app, { accountId: company.id, documentId, endpointId: id }, 2 * redeliveryPortion + 10);
  const page = await open(`/settings/webhooks/${id}`);
  const second = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/redelivery', async (route) => {
    if (route.request().method() === 'POST') requests += 1;
    if (requests === 2) await second.promise;
    await route.continue();
  });
  await press(page, 'Redeliver…');
  await dialog(page).getByText('No filters are set: 1,010 events match.').waitFor();
  await pressIn(page, 'Redeliver');
  await dialog(page).getByText('500 of 1,010 queued').waitFor();
  await pressIn(page, 'Cancel');
  await closed(page);
  second.resolve();
  await page.getByText('Redelivering 1,000 events.').waitFor();
  expect(requests).toBe(2);
  expect((await deliveriesOf(app, id)).length).toBe(2 * redeliveryPortion + 10 + 2 * redeliveryPortion);
});

test('a secret that can’t be rolled yet is explained in Spanish', async () => {
  const { id } = await createEndpoint(app, company.id, receiver.url);
  const other = await signedIn(app, ruth);
  for (let roll = 1; roll <= 2; roll++) await other.post(`/webhooks/${id}/roll`);
  const page = await open(`/settings/webhooks/${id}`, { ...desk, locale: 'es-ES' });
  await press(page, 'Más acciones con este destino');
  await page.getByRole('menuitem', { name: 'Renovar secreto' }).click();
  await pressIn(page, 'Renovar secreto');
  await dialog(page).getByText('Ya hay tres secretos válidos.').waitFor();
});

test('a rate limit is set, shown, refused when it makes no sense, and removed', async () => {
  const { id } = await createEndpoint(app, company.id, receiver.url);
  const page = await open(`/settings/webhooks/${id}`);
  const limitTo = async (perSecond: string) => {
    await press(page, 'More actions for this endpoint');
    await page.getByRole('menuitem', { name: 'Rate limit…' }).click();
    await dialog(page).getByLabel('Deliveries per second').fill(perSecond);
    await pressIn(page, 'Save');
  };
  await limitTo('5000');
  await dialog(page).getByText('Enter a whole number from 1 to 1,000, or leave it empty.').waitFor();
  await expectSound(page);
  await pressIn(page, 'Cancel');
  await limitTo('25');
  await page.getByText('At most 25 deliveries per second').waitFor();
  await closed(page);
  await limitTo('');
  await page.getByText('At most 25 deliveries per second').waitFor({ state: 'detached' });
});

test('the payload of an endpoint is chosen and shown', async () => {
  const { id } = await createEndpoint(app, company.id, receiver.url);
  const page = await open(`/settings/webhooks/${id}`);
  const choose = async (payload: string) => {
    await press(page, 'More actions for this endpoint');
    await page.getByRole('menuitem', { name: 'Choose payload…' }).click();
    await dialog(page).getByLabel('Payload').selectOption(payload);
    await expectSound(page);
    await pressIn(page, 'Save');
    await closed(page);
  };
  await choose('Version 2: only the document’s ID');
  await page.getByText('Version 2: only the document’s ID').waitFor();
  await choose('Version 1: the document');
  await page.getByText('Version 2: only the document’s ID').waitFor({ state: 'detached' });
});
