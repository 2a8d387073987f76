import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendScheduled } from '../../src/documents/send-scheduled.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** Sending later, in a browser. The service has no worker, so a test decides when a document is sent. */
let app: TestService;
let browser: Browser;
let company: Company;
let member: Member;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService({ env: { ROLE: 'web' } }), launchBrowser()]);
  company = await createCompany(app);
  member = await addMember(app, company.id, 'member', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const inNewYork = { ...desk, timezoneId: 'America/New_York' };
const draft = (title: string) =>
  createDraft(app, company.key, { title, recipients: [{ name: 'Ada', email: 'ada@example.com' }] });
const open = (path: string, device: BrowserContextOptions = inNewYork) =>
  openConsole(path, { browser, app, member, device, prepare: (page) => page.clock.install({ time: app.clock.now() }) });
const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const time = (page: Page) => dialog(page).getByLabel('Date and time');

async function sendAt(id: string): Promise<string | undefined> {
  const [row] = await app.db.query<{ send_at: string }>({
    name: '',
    text: 'select send_at from documents where id = $1',
    values: [id],
  });
  return row?.send_at;
}

test('a draft is sent later, in the time zone of the browser, changed, cancelled, and sent now', async () => {
  const id = await draft('Lease of the mill');
  const page = await open(`/documents/${id}`);
  await press(page, 'Send');
  await dialog(page).getByLabel('Send later').check();
  await dialog(page).getByText('In your time zone: America/New_York. At most a year ahead.', { exact: true }).waitFor();
  expect(await time(page).inputValue()).toBe('2026-03-11T09:00');
  await expectSound(page);
  await time(page).fill('2026-03-10T07:00');
  await pressIn(page, 'Schedule');
  await dialog(page).getByText('Choose a time at least a minute').waitFor();
  await time(page).fill('');
  await pressIn(page, 'Schedule');
  await dialog(page).getByText('Choose a date and a time.').waitFor();
  await time(page).fill('2026-03-12T08:30');
  await pressIn(page, 'Schedule');
  await closed(page);
  await shown(page, /Will be sent on Mar 12, 2026, 8:30\sAM by ruth@example.com/);
  expect(await sendAt(id)).toBe('2026-03-12T12:30:00.000Z');
  await shown(page, 'Scheduled to be sent');
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  await expectSound(page);

  await press(page, 'Change');
  await page.getByRole('heading', { name: 'Change the time' }).waitFor();
  expect(await time(page).inputValue()).toBe('2026-03-12T08:30');
  await time(page).fill('2026-03-13T08:30');
  await pressIn(page, 'Schedule');
  await closed(page);
  await shown(page, /Will be sent on Mar 13/);
  await page.goto(`${new URL(app.baseUrl).origin}/documents?scheduled=yes`);
  await page.getByRole('link', { name: 'Lease of the mill' }).waitFor();
  await page.getByRole('row', { name: /Will be sent on Mar 13/ }).waitFor();
  expect(await page.getByLabel('Scheduled to be sent').isChecked()).toBe(true);
  await expectSound(page);
  await page.getByRole('link', { name: 'Lease of the mill' }).click();
  await press(page, 'Cancel schedule');
  await pressIn(page, 'Cancel schedule');
  await closed(page);
  await page.getByRole('link', { name: 'Edit' }).waitFor();
  await shown(page, 'Schedule cancelled');

  await press(page, 'Send');
  await dialog(page).getByLabel('Send later').check();
  await pressIn(page, 'Schedule');
  await closed(page);
  await press(page, 'Send now');
  await pressIn(page, 'Send');
  await closed(page);
  await page.getByRole('button', { name: 'Remind' }).waitFor();
  expect(await sendAt(id)).toBeNull();
});

test.each([
  ['a phone', phone, 'light', 'en-US'],
  ['a desk, in Spanish', desk, 'dark', 'es-ES'],
] as const)('a document that could not be sent says why on %s', async (_what, device, colorScheme, locale) => {
  const id = await draft('Not to be sent');
  const text = `update documents set send_at = $2, send_by = $3, send_language = 'en' where id = $1`;
  await app.db.query({ name: '', text, values: [id, app.clock.now(), `person:${member.personId}`] });
  const page = await open(`/documents/${id}`, { ...device, colorScheme, locale });
  await shown(page, /Will be sent on|Se enviará el/);
  await expectSound(page);
  await app.db.query({ name: '', text: 'update recipients set email = null where document_id = $1', values: [id] });
  await sendScheduled(app.world, app.db, await app.queue());
  await shown(page, /A recipient has no e-mail|A un destinatario le falta/);
  await expectSound(page);
  await shown(
    page,
    /Not sent on .+\. Scheduled by ruth@example\.com\.|No se envió el .+\. Programado por ruth@example\.com\./,
  );
  const setStatus = (status: string) =>
    app.db.query({ name: '', text: 'update documents set status = $2 where id = $1', values: [id, status] });
  // The status changes under way: had the page read it, it would have no button.
  await page.route(
    '**/schedule',
    async (route) => {
      await setStatus('in_review');
      await route.fallback();
    },
    { times: 1 },
  );
  await press(page, /Dismiss|Descartar/);
  await page
    .getByRole('alert')
    .filter({ hasText: /don’t have permission|No tiene permiso/ })
    .waitFor();
  await expectSound(page);
  await setStatus('draft');
  await page.reload();
  await press(page, /Dismiss|Descartar/);
  await page.getByText(/A recipient has no e-mail|A un destinatario le falta/).waitFor({ state: 'detached' });
});

test('a time that clocks show twice stays as it is, and one that they skip is refused', async () => {
  const id = await draft('Lease of the clock tower');
  // Half past two, the second time: daylight saving time ended an hour before.
  const second = '2026-10-25T01:30:00.000Z';
  const { version, visitor } = await seen(id);
  await visitor.post(`/documents/${id}/schedule`, { version, send_at: second });
  const page = await open(`/documents/${id}`, { ...phone, timezoneId: 'Europe/Berlin' });
  await press(page, 'Change');
  expect(await time(page).inputValue()).toBe('2026-10-25T02:30');
  await dialog(page).getByText('In your time zone: Europe/Berlin. At most a year ahead.', { exact: true }).waitFor();
  await pressIn(page, 'Schedule');
  await closed(page);
  expect(await sendAt(id)).toBe(second);
  await press(page, 'Change');
  await time(page).fill('2026-03-29T02:30');
  await pressIn(page, 'Schedule');
  await dialog(page).getByText('Clocks skip this one because daylight saving time begins.').waitFor();
  await expectSound(page);
  expect(await sendAt(id)).toBe(second);
  await time(page).fill('2026-03-29T03:30');
  await pressIn(page, 'Schedule');
  await closed(page);
  expect(await sendAt(id)).toBe('2026-03-29T01:30:00.000Z');
});

test('changing the time says why it was refused', async () => {
  const id = await draft('Lease of the quarry');
  const { version, visitor } = await seen(id);
  await visitor.post(`/documents/${id}/schedule`, { version, send_at: '2026-03-12T12:30:00.000Z' });
  const page = await open(`/documents/${id}`);
  await press(page, 'Change');
  await app.db.query({ name: '', text: 'update recipients set email = null where document_id = $1', values: [id] });
  await pressIn(page, 'Schedule');
  await dialog(page).getByText('Every recipient needs an e-mail address or phone number.').waitFor();
  await app.db.query({
    name: '',
    text: `update recipients set email = 'ada@example.com' where document_id = $1`,
    values: [id],
  });
  const changed = { version: (await seen(id)).version, send_at: '2026-03-14T12:30:00.000Z' };
  expect((await visitor.post(`/documents/${id}/schedule`, changed)).status).toBe(200);
  await pressIn(page, 'Schedule');
  await dialog(page).getByText('so the time you chose wasn’t saved').waitFor();
  expect(await sendAt(id)).toBe(changed.send_at);
});

/** Reads the version of a document in another session of the member. */
async function seen(id: string) {
  const visitor = await signedIn(app, member);
  return { visitor, version: (await visitor.get(`/documents/${id}`)).body.version as number };
}
