import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordReport } from '../../src/signing/record-report.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Inbox, queueId, startInbox } from '../support/inbox.ts';
import {
  type Company,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { openConsole, press } from './open-console.ts';
import { addMember, type Member, signedIn, type Visitor } from './visitor.ts';

/** The message log in the settings, and what became of messages on a document's page. */
let app: TestService;
let inbox: Inbox;
let browser: Browser;
let company: Company;
let ruth: Member;
let visitor: Visitor;
let lease: string;

const recipients = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Grace Hopper', email: 'grace@later.example' },
  { name: 'Alan Turing', email: `${'long.'.repeat(12)}alan@refused.example` },
];

beforeAll(async () => {
  inbox = await startInbox();
  [app, browser] = await Promise.all([
    startTestService({
      env: { SMTP_URL: inbox.url, MAIL_FROM: 'Acme <no-reply@acme.example>', REMINDER_DAYS: 'none' },
    }),
    launchBrowser(),
  ]);
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'owner', 'ruth@example.com');
  visitor = await signedIn(app, ruth);
  lease = await createDraft(app, company.key, { title: 'Lease of the attic <b>', recipients });
  await visitor.post(`/documents/${lease}/send`);
  await eventually(
    async () => (await visitor.get('/messages')).body.data,
    (rows: { attempts: number }[]) => rows.length === 3 && rows.every(({ attempts }) => attempts > 0),
  );
  await holdRetries();
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await inbox.close();
});

/** Keeps the message that failed for now at its first attempt: the page shows another state during the next one. */
async function holdRetries(): Promise<void> {
  await eventually(
    () =>
      app.db.query<{ id: string }>({
        name: '',
        text: `update jobs.job set start_after = now() + interval '1 hour'
               where name = 'deliver-message' and state = 'retry' returning id`,
        values: [],
      }),
    (held) => held.length > 0,
  );
}

const prepare = (page: Page) => page.clock.install({ time: app.clock.now() });
const open = (path: string, device: BrowserContextOptions = desk) =>
  openConsole(path, { browser, app, member: ruth, device, prepare });
const spanish: BrowserContextOptions = { ...desk, colorScheme: 'dark', locale: 'es-ES' };

test('the log says what became of each message, and is filtered in its address', async () => {
  const page = await open('/settings/messages');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await row('Ada Lovelace').getByText('Accepted').waitFor();
  expect(await row('Ada Lovelace').innerText()).toContain(queueId);
  await row('Grace Hopper')
    .getByText(/Next attempt: /)
    .waitFor();
  const failed = row('Alan Turing');
  await failed.getByText('The address does not exist.').click();
  await failed.getByText('550 no such mailbox').waitFor();
  await expectSound(page);
  await page.getByLabel('State').selectOption('Failed');
  await page.waitForURL(/state=failed/);
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByLabel('State').selectOption('');
  await page.getByLabel('Message', { exact: true }).selectOption('Request');
  await page.getByRole('searchbox').fill('ADA@example.com');
  await page.waitForURL(/kind=signature_request&address=ADA/);
  await page.reload();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  const downloading = page.waitForEvent('download');
  await press(page, 'Export as CSV');
  expect((await downloading).suggestedFilename()).toMatch(/^messages-.*\.csv$/);
  await page.getByRole('searchbox').fill('nobody@example.com');
  await page.getByText('No matching messages.').waitFor();
  await expectSound(page);
});

test('filters of an address may be made of digits', async () => {
  const page = await openConsole('/settings/messages?address=34600111222', {
    browser,
    app,
    member: ruth,
    device: desk,
  });
  await page.getByText('No matching messages.').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('34600111222');
  await page.goto(new URL('/settings/audit-log?search=2026', app.baseUrl).href);
  await page.getByText('No matching entries.').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('2026');
});

test('the log is sound on a phone and in Spanish, and leads to a document and back', async () => {
  const small = await open('/settings/messages', phone);
  await small.getByText('Grace Hopper').waitFor();
  await expectSound(small);
  const page = await open(`/settings/messages?document_id=${lease}`, spanish);
  await page.getByText('Solo mensajes sobre un documento.').waitFor();
  await page.getByText('La dirección no existe.').waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Mostrar todos los documentos' }).click();
  await page.waitForURL(/\/settings\/messages$/);
  await page.getByRole('link', { name: 'Lease of the attic <b>' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Lease of the attic <b>' }).waitFor();
});

test('the page of a document says whom the last message has not reached, and sends it again', async () => {
  const page = await open(`/documents/${lease}`);
  const recipient = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await recipient('Ada Lovelace').getByText('Last message accepted by the mail server').waitFor();
  await recipient('Grace Hopper').getByText('Last message waits to be sent').waitFor();
  await recipient('Alan Turing').getByText('Last message could not be delivered').waitFor();
  await expectSound(page);
  await expect.poll(() => page.getByRole('button', { name: /^Send again/ }).count()).toBe(1);

  const [request] = (await visitor.get('/messages?address=ada@example.com')).body.data;
  const report = { outcome: 'bounced', reason: '552 5.2.2 mailbox full' } as const;
  await recordReport(app.world, app.db, await app.queue(), request.id, report);
  await recipient('Ada Lovelace').getByText('Last message came back').waitFor();
  await recipient('Ada Lovelace').getByText('The mailbox is full.').waitFor();
  await page.getByRole('button', { name: 'Send again: Ada Lovelace' }).click();
  await recipient('Ada Lovelace').getByText('Last message accepted by the mail server').waitFor();
  expect(inbox.received.filter(({ to }) => to === 'ada@example.com')).toHaveLength(2);

  const small = await open(`/documents/${lease}`, { ...phone, locale: 'es-ES', colorScheme: 'dark' });
  await small.getByText('No se pudo entregar el último mensaje').waitFor();
  await expectSound(small);
});
