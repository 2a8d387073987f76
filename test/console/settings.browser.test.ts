import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditAccount } from '../../src/accounts/account-audit.ts';
import { createMember } from '../../src/accounts/members.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { codeAt } from '../../src/identity/totp.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Company, call, createCompany, startTestService, type TestService } from '../support/service.ts';
import { deliveriesOf } from '../support/webhooks.ts';
import { addAuthenticator } from './add-authenticator.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { createSampleSettings, type SampleSettings } from './sample-settings.ts';
import { addMember, type Member, password, signedIn } from './visitor.ts';

/** The settings for owners, admins and members, on a phone and on a desktop. */
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
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await receiver.stop();
});

const origin = () => new URL(app.baseUrl).origin;

const prepare = (page: Page) => page.clock.install({ time: app.clock.now() });
const open = (path: string, device: BrowserContextOptions = desk, member: Member = ruth) =>
  openConsole(path, { browser, app, member, device, prepare });

/** Each page, with a text that is shown once it has loaded. */
const pages = (): [path: string, shows: RegExp][] => [
  ['/settings/api-keys', /svc_live_…/],
  ['/settings/webhooks', /127\.0\.0\.1/],
  [`/settings/webhooks/${samples.webhook.id}`, /redirects are not followed/],
  ['/settings/connections', /ESIGN_CLIENT_ID/],
  ['/settings/usage', /Enterprise/],
  ['/settings/members', /grace@example\.com/],
  ['/settings/single-sign-on', /well-known/],
  ['/settings/restricted-papers', /Payroll, March/],
  ['/settings/sending', /Expires after|Caduca tras/],
  ['/settings/signing', /tick a box|marquen una casilla/],
  ['/settings/notices', /Complet(ed|ado)/],
  ['/settings/branding', /PNG (or|o) JPEG/],
  ['/settings/domain', /no public address|dirección pública/],
  ['/settings/messages', /Roof repair/],
  ['/settings/events', /Roof repair/],
  ['/settings/requests', /invalid_limit/],
  ['/settings/audit-log', /signed in:|inició sesión:/],
  ['/settings/data-export', /No data exports|No hay exportaciones/],
  ['/developers', /curl/],
  ['/account', /127\.0\.0\.1/],
];

test.each([
  ['a telephone', phone],
  ['a desk in the dark, in Spanish', { ...desk, colorScheme: 'dark', locale: 'es-ES' }],
] as [string, BrowserContextOptions][])('every page is sound on %s', async (_device, device) => {
  const page = await open('/settings', device);
  const titles = new Set<string>();
  for (const [path, shows] of pages()) {
    await page.goto(origin() + path);
    await page.getByText(shows).first().waitFor();
    await expectSound(page);
    titles.add(await page.title());
  }
  expect(titles).not.toContain('Countersign');
  expect(titles.size).toBe(pages().length);
});

test('the tabs have their names, lead to each other by keyboard, and show a member only what members may see', async () => {
  const page = await open('/settings');
  await page.waitForURL(/api-keys/);
  const tabs = ['API keys', 'Webhooks', 'Events', 'Requests', 'Plan and usage', 'Members', 'Folders', 'Single sign-on'];
  tabs.push('Branding', 'Domain', 'Sending', 'Signing', 'Notices', 'Restricted papers', 'Connections');
  tabs.push('Messages', 'Audit log', 'Data export');
  await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual(tabs);
  await page.getByRole('tab', { name: 'API keys' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForURL(/webhooks/);
  await page.getByRole('tab', { name: 'Webhooks', selected: true }).waitFor();
  await expect.poll(() => page.title()).toBe('Webhooks · Settings · Countersign');
  await page.keyboard.press('End');
  await page.getByRole('tab', { name: 'Data export', selected: true }).waitFor();
  await page.keyboard.press('Home');
  await page.getByRole('tab', { name: 'API keys', selected: true }).waitFor();

  const member = await open('/settings', desk, await addMember(app, company.id, 'member'));
  await member.waitForURL(/usage/);
  await expect
    .poll(() => member.getByRole('tab').allTextContents())
    .toEqual(['Plan and usage', 'Members', 'Connections']);
  await member.setViewportSize(phone.viewport);
  await member.locator('[role=tablist][aria-orientation=horizontal]').waitFor();
  await member.getByRole('tab', { name: 'Plan and usage' }).focus();
  await member.keyboard.press('ArrowRight');
  await member.getByRole('tab', { name: 'Members', selected: true }).waitFor();
  await member.goto(`${origin()}/settings/api-keys`);
  await member.getByText('You don’t have permission to do this').waitFor();
});

test('a key is made, shown once, works, and is revoked after a question, by keyboard alone', async () => {
  const page = await open('/settings/api-keys');
  const focused = () =>
    page.evaluate('document.activeElement.textContent.slice(0, 40) + " " + document.activeElement.tagName');
  await page.getByRole('button', { name: 'Create key' }).focus();
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: 'Create key', exact: true }).focus();
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Give it a name').waitFor();
  await expectSound(page);
  await dialog(page).getByLabel('Name').fill('Billing');
  await dialog(page)
    .getByLabel(/imports:write/)
    .uncheck();
  await dialog(page).getByRole('button', { name: 'Create key', exact: true }).focus();
  await page.keyboard.press('Enter');
  const key = await dialog(page)
    .getByText(/^svc_test_\w{38}$/)
    .textContent();
  await expectSound(page);
  await dialog(page).getByRole('button', { name: 'I have saved it' }).focus();
  await page.keyboard.press('Enter');
  await closed(page);
  await expect.poll(focused).toBe('Create key BUTTON');
  const shown = await call(app, 'GET', '/account', { key });
  expect([shown.body.mode, shown.body.scopes.length]).toEqual(['test', 5]);
  await page
    .getByRole('row', { name: /Billing/ })
    .getByRole('button', { name: 'Revoke', exact: true })
    .focus();
  await page.keyboard.press('Enter');
  await dialog(page)
    .getByText(key?.slice(-4) ?? '')
    .waitFor();
  await dialog(page).getByRole('button', { name: 'Revoke', exact: true }).focus();
  await page.keyboard.press('Enter');
  await closed(page);
  await page
    .getByRole('row', { name: /Billing/ })
    .getByText('Revoked')
    .waitFor();
  // The button is gone, but not the row.
  await expect.poll(focused).toMatch(/^Billing.* TR$/s);
  expect((await call(app, 'GET', '/account', { key })).status).toBe(401);
});

test('a key is copied where scripts have no clipboard, as on an address without https', async () => {
  const page = await open('/settings/api-keys');
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await press(page, 'Create key');
  const name = dialog(page).getByLabel('Name');
  await name.fill('Copied');
  await dialog(page).getByRole('button', { name: 'Create key', exact: true }).click();
  const key = await dialog(page)
    .getByText(/^svc_test_\w{38}$/)
    .textContent();
  await dialog(page)
    .getByRole('button', { name: /^Copy: / })
    .click();
  await dialog(page)
    .getByRole('button', { name: /^Copied: / })
    .waitFor();
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click();
  await closed(page);
  await press(page, 'Create key');
  await name.focus();
  await page.keyboard.press('Control+v');
  expect(await name.inputValue()).toBe(key);
});

test('an endpoint is added, tried, paused and resumed, rolled and removed', async () => {
  const page = await open('/settings/webhooks');
  await press(page, 'Add endpoint');
  await dialog(page).getByLabel('Address').fill('ftp://example.com');
  await pressIn(page, 'Add endpoint');
  await dialog(page).getByText('Enter a public https address that resolves').waitFor();
  await dialog(page).getByLabel('Address').fill(`${receiver.url}?mine`);
  await pressIn(page, 'Add endpoint');
  await dialog(page)
    .getByText(/^whsec_\w+$/)
    .waitFor();
  await pressIn(page, 'I have saved it');
  await page.getByRole('link', { name: `${receiver.url}?mine` }).click();

  await press(page, 'Send test event');
  await pressIn(page, 'Send test event');
  await closed(page);
  await page.getByRole('listitem').getByText('Delivered').waitFor();
  const act = async (name: string, button = name) => {
    await press(page, 'More actions for this endpoint');
    await page.getByRole('menuitem', { name }).click();
    await pressIn(page, button);
  };
  await act('Pause');
  await page.getByText('Paused').waitFor();
  await act('Resume');
  await page.getByText('Active').waitFor();
  await act('Roll secret');
  await dialog(page)
    .getByText(/^whsec_\w+$/)
    .waitFor();
  await pressIn(page, 'I have saved it');
  await act('Choose events');
  await closed(page);
  await act('Remove');
  await page.getByRole('heading', { name: `${receiver.url}?mine` }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: receiver.url, exact: true }).waitFor();
  await page.getByRole('link', { name: `${receiver.url}?mine` }).waitFor({ state: 'detached' });
});

test('a delivery that failed shows what was sent and answered, and is delivered again, alone or with the others', async () => {
  const page = await open(`/settings/webhooks/${samples.webhook.id}`);
  const status = page.getByRole('combobox', { name: 'Status' });
  await status.selectOption('Given up');
  await page.getByRole('listitem').getByText(/^302/).click();
  await page.getByText('{"error":"moved"}').waitFor();
  await page.getByText('"title": "Roof repair"').waitFor();
  await expectSound(page);
  await press(page, 'More actions for this endpoint');
  await page.getByRole('menuitem', { name: 'Redeliver failed…' }).click();
  await pressIn(page, 'Redeliver');
  await page.getByText('Redelivering 1 event.').waitFor();
  await closed(page);
  await press(page, 'Redeliver');
  await status.selectOption('Delivered');
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'Delivered' }).count()).toBe(3);
});

test('the event log is searched, leads to each delivery, and what was found is redelivered', async () => {
  const page = await open('/settings/events');
  const rows = page.getByRole('list', { name: 'Events' }).locator('summary');
  await page.getByRole('searchbox').fill('harbour');
  await page.waitForURL(/search=harbour/);
  await expect.poll(() => rows.count()).toBe(1);
  await rows.click();
  await page.getByText('"title": "Lease: 12 Harbour Street"').waitFor();
  await expectSound(page);

  await press(page, 'Redeliver…');
  await dialog(page).getByText('1 event matches your filters. We’ll send 1 delivery.').waitFor();
  await expectSound(page);
  const before = receiver.received.length;
  await pressIn(page, 'Redeliver');
  await page.getByText('Redelivering: 1 delivery.').waitFor();
  await closed(page);
  await expect.poll(() => receiver.received.length).toBe(before + 1);
  expect(receiver.received.at(-1)?.event.data.document.title).toBe('Lease: 12 Harbour Street');
  // The page of a delivery is not read again.
  const deliveries = () => deliveriesOf(app, samples.webhook.id);
  await expect.poll(async () => (await deliveries()).filter(({ status }) => status === 'pending')).toEqual([]);

  await page.getByRole('link', { name: 'Show delivery' }).last().click();
  await page.getByRole('heading', { name: 'Delivery', exact: true }).waitFor();
  await page.getByText('thanks').waitFor();
  await page.getByRole('link', { name: 'All deliveries' }).click();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();

  await page.goto(`${origin()}/settings/events?from=2099-01-01T00:00:00.000Z`);
  await page.getByText('No matching events.').waitFor();
  await press(page, 'Redeliver…');
  await dialog(page).getByText('No events to redeliver.').waitFor();
  expect(await dialog(page).getByRole('button', { name: 'Redeliver' }).isDisabled()).toBe(true);
});

test('the audit log can be filtered by each member of a company with more than a hundred', async () => {
  const large = await createCompany(app);
  const owner = await addMember(app, large.id, 'owner', 'owner@large.example');
  await app.db.transaction(async (tx) => {
    for (let n = 1; n <= 100; n++) {
      const email = `member-${n}@large.example`;
      await createMember(app.world, tx, { accountId: large.id, email, role: 'member' }, null);
    }
  });
  const page = await open('/settings/audit-log', desk, owner);
  const people = page.getByRole('combobox', { name: 'Person' }).getByRole('option', { name: /@large\.example$/ });
  await expect.poll(() => people.count()).toBe(101);
});

test('a time of the filters stays as typed, also in a year when clocks differed by seconds', async () => {
  const page = await open('/settings/audit-log', { ...desk, timezoneId: 'Europe/Berlin' });
  await page.getByLabel('From').fill('0202-01-01T09:30');
  await page.waitForURL(/from=/);
  await page.reload();
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe('0202-01-01T09:30');
});

test('somebody is invited, made an admin, and removed', async () => {
  const page = await open('/settings/members');
  await press(page, 'Invite');
  await dialog(page).getByLabel('E-mail address').fill('nobody');
  await pressIn(page, 'Invite');
  await dialog(page).getByText('Enter a valid e-mail address').waitFor();
  await dialog(page).getByLabel('E-mail address').fill('mary@example.com');
  await pressIn(page, 'Invite');
  await page.getByText('We sent the invitation to mary@example.com.').waitFor();
  const row = page.getByRole('row', { name: /mary@example\.com/ });
  await press(page, 'More actions for mary@example.com');
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await dialog(page).getByLabel('Role').selectOption('Admin');
  await pressIn(page, 'Change role');
  await row.getByText('Admin').waitFor();
  await press(page, 'More actions for mary@example.com');
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await pressIn(page, 'Remove');
  await row.waitFor({ state: 'detached' });
});

test('an owner who becomes an admin, and leaves the company, no longer sees what only owners and members see', async () => {
  const own = await createCompany(app);
  await addMember(app, own.id, 'owner', 'stays@example.com');
  const page = await open('/settings/members', desk, await addMember(app, own.id, 'owner', 'leaves@example.com'));
  const act = async (name: string) => {
    await press(page, 'More actions for leaves@example.com');
    await page.getByRole('menuitem', { name }).click();
  };
  const others = page.getByRole('button', { name: 'More actions for stays@example.com' });
  await others.waitFor();
  await act('Change role');
  await dialog(page).getByLabel('Role').selectOption('Admin');
  await pressIn(page, 'Change role');
  await closed(page);
  await others.waitFor({ state: 'detached' });
  await act('Remove');
  await pressIn(page, 'Remove');
  await page.waitForURL(`${origin()}/documents`);
  await page.getByText('You aren’t a member of a company here.').waitFor();
});

test('signing out leaves the console also when the session has ended in another tab', async () => {
  const grace = await addMember(app, company.id, 'member', 'leaving@example.com');
  // A read that is answered after the session's end would ask to sign in again.
  let reads = 0;
  let isEnded = false;
  const prepare = async (page: Page) => {
    await page.route('**/console/api/**', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      if (isEnded) return;
      reads += 1;
      try {
        await route.fulfill({ response: await route.fetch() });
      } finally {
        reads -= 1;
      }
    });
    await page.route('**/console/api/live', (route) => route.fulfill({ status: 204 }));
  };
  const page = await openConsole('/documents', { browser, app, member: grace, device: desk, prepare });
  await page.getByRole('button', { name: /^Your menu/ }).waitFor();
  await page.waitForLoadState('networkidle');
  await expect.poll(() => reads).toBe(0);
  isEnded = true;
  await app.db.query({ name: '', text: 'delete from sessions where person_id = $1', values: [grace.personId] });
  await press(page, /^Your menu/);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(`${origin()}/`);
  await page.getByLabel('E-mail address').waitFor();
});

test('a paper and a type are restricted', async () => {
  const { body } = await call(app, 'POST', '/documents', {
    key: company.key,
    body: { title: 'W-9 of Ada', recipients: [{ name: 'Ada', email: 'ada@example.com' }] },
  });
  const page = await open('/settings/restricted-papers');
  await press(page, 'Restrict a document');
  await dialog(page).getByLabel('Id of the document').fill('nonsense');
  await pressIn(page, 'Restrict a document');
  await dialog(page).getByText('Your company has no document with this id.').waitFor();
  await dialog(page).getByLabel('Id of the document').fill(body.id);
  await dialog(page).getByLabel('Why').selectOption('Tax');
  await pressIn(page, 'Restrict a document');
  await page.getByRole('row', { name: /W-9 of Ada Tax/ }).waitFor();
  await press(page, 'Choose types');
  await dialog(page)
    .getByLabel(/Form W-9/)
    .check();
  await pressIn(page, 'Save');
  await closed(page); // the dialog names the type too
  await page.getByText('Form W-9').waitFor();
});

test('a notice is switched off and on', async () => {
  const page = await open('/settings/notices');
  const declined = () => page.getByRole('group', { name: /who sent/ }).getByLabel(/Declined/);
  await declined().uncheck();
  await press(page, 'Save');
  await page.getByText('Saved.').waitFor();
  await expectSound(page);
  await page.reload();
  await expect.poll(() => declined().isChecked()).toBe(false);
  await declined().check();
  await press(page, 'Save');
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await expect.poll(() => declined().isChecked()).toBe(true);
});

test('the defaults for expiry and reminders are set, and the form of a new document begins with them', async () => {
  const page = await open('/settings/sending');
  await page.getByLabel('Expires after').fill('30');
  await page.getByLabel('Reminders').selectOption('Own schedule');
  await page.getByLabel('First after').fill('0');
  await page.getByLabel('before it expires').fill('2');
  await press(page, 'Save');
  await page.getByText('Check the days before the first reminder').waitFor();
  await page.getByLabel('First after').fill('2');
  await page.getByLabel('before it expires').fill('30');
  await press(page, 'Save');
  await page.getByText('1 to 365 and fewer than until it expires').waitFor();
  await page.getByLabel('before it expires').fill('2');
  await press(page, 'Save');
  await page.getByText('Saved.').waitFor();
  await expectSound(page);
  await page.goto(`${origin()}/documents/new`);
  await expect.poll(() => page.getByLabel('Expires after').inputValue()).toBe('30');
  expect(await page.getByLabel('First after').inputValue()).toBe('2');
  expect(await page.getByLabel('Then every').inputValue()).toBe('7');
  expect(await page.getByLabel('before it expires').inputValue()).toBe('2');
  await page.getByLabel('Expires after').fill('');
  expect(await page.getByLabel('before it expires').isDisabled()).toBe(true);
  await page.getByText('Only for a document that expires.').waitFor();
  await expectSound(page);
  await page.getByLabel('Expires after').fill('30');
  expect(await page.getByLabel('before it expires').isEnabled()).toBe(true);
  await page.goto(`${origin()}/settings/sending`);
  await page.getByLabel('Expires after').fill('');
  await page.getByLabel('Reminders').selectOption({ index: 0 });
  await page.getByLabel('before it expires').fill('');
  await press(page, 'Save');
  await page.getByText('Saved.').waitFor();
});

test('the consent, the texts about printed copies and the id on pages are set', async () => {
  const page = await open('/settings/signing');
  const asks = () => page.getByRole('checkbox', { name: 'Recipients must tick a box' });
  const contact = () => page.getByLabel('Contact for printed copies');
  expect(await asks().isChecked()).toBe(false);
  await asks().check();
  await contact().fill('x'.repeat(201));
  await press(page, 'Save');
  await page.getByText('Enter one line of at most 200 characters').waitFor();
  await contact().fill('office@example.com');
  await page.getByLabel('Cost of a printed copy').fill('$5 a page');
  await page.getByLabel('Print the document’s ID').check();
  await press(page, 'Save');
  await page.getByText('Saved.').waitFor();
  await expectSound(page);
  await page.reload();
  await expect.poll(() => contact().inputValue()).toBe('office@example.com');
  expect(await asks().isChecked()).toBe(true);
  await asks().uncheck();
  await page.getByLabel('Print the document’s ID').uncheck();
  await contact().fill('');
  await page.getByLabel('Cost of a printed copy').fill('');
  await press(page, 'Save');
  await page.getByText('Saved.').waitFor();
});

test('settings that someone else has saved meanwhile are not undone, and leaving with typed ones asks first', async () => {
  const page = await open('/settings/signing');
  const asks = page.getByRole('checkbox', { name: 'Recipients must tick a box' });
  const delegation = page.getByRole('checkbox', { name: 'Recipients may let someone else sign' });
  await asks.check();
  const other = await signedIn(app, ruth);
  const texts = { copies_contact: '', copies_cost: '' };
  const before = { ...(await other.get('/signing')).body, ...texts };
  expect((await other.post('/signing', { ...before, allows_delegation: true })).status).toBe(200);
  await press(page, 'Save');
  await page.getByText('Someone else changed these settings').waitFor();
  expect(await asks.isChecked()).toBe(true);
  await expectSound(page);

  const questions: string[] = [];
  let leaves = false;
  page.on('dialog', (asked) => {
    questions.push(asked.message());
    return leaves ? asked.accept() : asked.dismiss();
  });
  const notices = page.getByRole('tab', { name: 'Notices', exact: true });
  await notices.click();
  await expect.poll(() => questions).toEqual(['Leave without saving your changes?']);
  await asks.waitFor();
  leaves = true;
  await notices.click();
  await page.getByRole('group', { name: /who sent/ }).waitFor();
  await page.goBack();
  await expect.poll(() => delegation.isChecked()).toBe(true);
  expect(await asks.isChecked()).toBe(false);
  expect(questions).toHaveLength(2);
  await other.post('/signing', before);
});

test('what the page reads by itself is marked, so that only use keeps the session alive', async () => {
  const marks = new Map<string, string | undefined>();
  const prepare = async (page: Page) => {
    page.on('request', (request) =>
      marks.set(new URL(request.url()).pathname, request.headers()['countersign-active']),
    );
    // Each look of the test at the page would count as use.
    await page.addInitScript(`Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } })`);
  };
  const page = await openConsole('/settings/notices', { browser, app, member: ruth, device: desk, prepare });
  await page.getByRole('group', { name: /who sent/ }).waitFor();
  expect(marks.get('/console/api/notices')).toBe('false');
  await page.evaluate('navigator.userActivation.isActive = true');
  await page.getByRole('tab', { name: 'Signing', exact: true }).click();
  await page.getByLabel('Contact for printed copies').waitFor();
  expect(marks.get('/console/api/signing')).toBe('true');
});

test('the sites that may show signing pages are listed', async () => {
  const page = await open('/settings/signing');
  const sites = () => page.getByLabel('Sites that may show signing pages');
  await sites().fill('https://app.example.com/path');
  await press(page, 'Save sites');
  await page.getByText('Enter up to 20 addresses').waitFor();
  expect(await sites().inputValue()).toBe('https://app.example.com/path');
  await sites().fill('https://APP.example.com\n\n http://localhost:5173 \nhttps://app.example.com');
  await press(page, 'Save sites');
  await expect.poll(() => sites().inputValue()).toBe('https://app.example.com\nhttp://localhost:5173');
  await expectSound(page);
  await page.reload();
  await expect.poll(() => sites().inputValue()).toBe('https://app.example.com\nhttp://localhost:5173');
});

test('a site that is typed while others are saved is not lost', async () => {
  const page = await open('/settings/signing');
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/console/api/embedding', async (route) => {
    if (route.request().method() === 'POST') await isHeld;
    await route.continue();
  });
  const sites = page.getByLabel('Sites that may show signing pages');
  await sites.fill(' https://one.example ');
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/embedding'));
  await press(page, 'Save sites');
  await asked;
  await sites.fill('https://one.example\nhttps://two.example');
  release();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await sites.inputValue()).toBe('https://one.example\nhttps://two.example');
  await press(page, 'Save sites');
  await expect
    .poll(async () => (await (await signedIn(app, ruth)).get('/embedding')).body.origins)
    .toEqual(['https://one.example', 'https://two.example']);
});

test('the log of requests is searched, and what was found can be linked to', async () => {
  const page = await open('/settings/requests');
  await page.getByRole('searchbox').fill('invalid_limit');
  await page.waitForURL(/search=invalid_limit/);
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByLabel('Status').selectOption('Succeeded (2xx)');
  await page.getByText('No matching requests.').waitFor();
});

test('the audit log is filtered, what was found can be linked to, and it is exported', async () => {
  // The entry is the newest one.
  app.clock.advance({ seconds: 1 });
  await auditAccount(app.world, app.db, {
    accountId: company.id,
    personId: null,
    action: 'member_invited',
    detail: { email: `${'long.'.repeat(12)}\u202efoo@example.com`, role: 'admin' },
  });
  const page = await open('/settings/audit-log', phone);
  await page.getByText('invited a member: long.').waitFor();
  await expectSound(page);
  await page.getByLabel('Action').selectOption('Member invited');
  await page.getByLabel('Person').selectOption('Operator');
  await page.waitForURL(/action=member_invited&person=operator/);
  await page.getByRole('searchbox').fill('long. admin');
  await page.waitForURL(/search=long/);
  await page.reload();
  expect(await page.getByLabel('Action').inputValue()).toBe('member_invited');
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  const downloading = page.waitForEvent('download');
  await press(page, 'Export as CSV');
  expect((await downloading).suggestedFilename()).toMatch(/^audit log-.*\.csv$/);
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByText('No matching entries.').waitFor();
  await expectSound(page);
});

test('a sensitive change asks who it is, once the sign-in is old, and then goes on', async () => {
  const page = await open('/settings/api-keys');
  app.clock.advance({ minutes: 16 });
  await press(page, 'Create key');
  await dialog(page).getByLabel('Name').fill('Late');
  await pressIn(page, 'Create key');
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByLabel('Password').fill('not it');
  await expectSound(page);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await question.getByText('This password is wrong.').waitFor();
  await question.getByLabel('Password').fill(password);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText(/^svc_test_\w{38}$/).waitFor();
  await pressIn(page, 'I have saved it');
  await closed(page);
});

test.each([
  ['en-US', 'Create key', 'Name', 'Sign in again', 'Continue', 'This page then continues by itself'],
  ['es-ES', 'Crear clave', 'Nombre', 'Volver a iniciar sesión', 'Continuar', 'Esta página continuará sola'],
])(
  '%s: who has no password confirms with a sign-in in another tab, and what was typed stays',
  async (locale, ...names) => {
    const [create, name, again, enter, continues] = names;
    const member = await addMember(app, company.id, 'owner');
    const dropPassword = 'update people set password_hash = null where id = $1';
    await app.db.query({ name: '', text: dropPassword, values: [member.personId] });
    const page = await open('/settings/api-keys', { ...desk, locale }, member);
    app.clock.advance({ minutes: 16 });
    await press(page, create);
    await dialog(page).getByLabel(name).fill(`Typed in ${locale}`);
    await pressIn(page, create);
    await page.getByText(continues).waitFor();
    await expectSound(page);
    const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: again }).click()]);
    await tab.getByLabel(/E-mail|Correo/).waitFor();
    await tab.goto(`${origin()}/sign-in/${await mintSignInLink(app.world, app.db, member.personId, 'operator')}`);
    await press(tab, enter);
    await tab.getByRole('heading', { level: 1, name: /Documents|Documentos/ }).waitFor();
    await tab.close();
    await page.getByText(/^svc_test_\w{38}$/).waitFor();
    const stored = { name: '', text: 'select from api_keys where name = $1', values: [`Typed in ${locale}`] };
    expect(await app.db.query(stored)).toHaveLength(1);
  },
);

test('the developers’ page leads from a fresh key to the first event', async () => {
  const page = await open('/developers');
  await press(page, 'Create key');
  const key = (await page.getByText(/^svc_test_\w{38}$/).textContent()) ?? '';
  await expect.poll(() => page.getByText(`KEY=${key}`).count()).toBe(1);
  await page.getByLabel('JavaScript').check();
  await page.getByText(`'Bearer ${key}'`).waitFor();
  await page.getByText('Waiting for the first event').waitFor();
  const { body } = await call(app, 'POST', '/documents', {
    key,
    body: { title: 'My first document', recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] },
  });
  await call(app, 'POST', `/documents/${body.id}/send`, { key });
  await page.getByText('The event has arrived.').waitFor();
  await page.getByText('"title": "My first document"').waitFor();
});

test('one’s own password, authenticator and browsers are changed', async () => {
  const member = await addMember(app, company.id, 'member');
  await signedIn(app, member);
  const page = await open('/account', desk, member);
  await press(page, 'Change password');
  await dialog(page).getByLabel('Current password').fill('not it');
  await dialog(page).getByLabel('New password').fill('another horse battery');
  await pressIn(page, 'Change password');
  await dialog(page).getByText('The current password is wrong.').waitFor();
  await dialog(page).getByLabel('Current password').fill(password);
  await pressIn(page, 'Change password');
  await page.getByText('Your password was changed').waitFor();

  await press(page, 'Set up');
  const secret =
    (await dialog(page)
      .getByText(/^[A-Z2-7]{32}$/)
      .textContent()) ?? '';
  await expectSound(page);
  await dialog(page).getByLabel('Code', { exact: true }).fill(codeAt(secret, app.clock.now()));
  await pressIn(page, 'Confirm');
  await dialog(page).getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await pressIn(page, 'I have saved it');
  await page.getByText('recovery codes are left').waitFor();
  await expect.poll(() => page.getByText('this browser').count()).toBe(1);
});

test('an authenticator that another tab has set up or removed is explained in Spanish, and shown', async () => {
  const member = await addMember(app, company.id, 'member', 'two-tabs@example.com');
  const other = await signedIn(app, member);
  const device = { ...desk, locale: 'es-ES' };
  const signIn = async () => other;
  const page = await openConsole('/account', { browser, app, member, device, prepare, signIn });
  const setUp = page.getByRole('button', { name: 'Configurar', exact: true });
  await setUp.waitFor();
  const { secret } = (await other.post('/totp')).body;
  await other.post('/totp/confirm', { code: codeAt(secret, app.clock.now()) });
  await setUp.click();
  await page.getByText('Ya hay una aplicación de autenticación configurada.').waitFor();
  await setUp.waitFor({ state: 'detached' });

  const remove = page.getByRole('button', { name: 'Quitar', exact: true });
  await remove.waitFor();
  await other.call('DELETE', '/totp');
  await remove.click();
  await pressIn(page, 'Quitar');
  await dialog(page).getByText('Ya no hay ninguna aplicación de autenticación configurada.').waitFor();
  await pressIn(page, 'Cancelar');
  await setUp.waitFor();
});

test('a passkey is added in one’s own account, signs in, and is removed', async () => {
  const member = await addMember(app, company.id, 'member');
  // Passkeys need a name.
  const named = origin().replace('127.0.0.1', 'localhost');
  const page = await openConsole('/account', { browser, app, member, device: desk, origin: named });
  const authenticator = await addAuthenticator(page);
  await press(page, 'Add a passkey');
  await dialog(page).getByLabel('Name').fill('Laptop');
  await expectSound(page);
  await pressIn(page, 'Add a passkey');
  await closed(page);
  await page.getByText('Laptop').waitFor();

  // A passkey that fails says so, and can be tried again.
  app.clock.advance({ minutes: 16 });
  await press(page, 'Add a passkey');
  await dialog(page).getByLabel('Name').fill('Phone');
  await pressIn(page, 'Add a passkey');
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const use = question.getByRole('button', { name: 'Use a passkey' });
  await authenticator.recognise(false);
  await use.click();
  await question.getByText('No passkey was used.').waitFor();
  await expectSound(page);
  await authenticator.recognise(true);
  await use.click();
  await dialog(page).getByText('already has a passkey for your account').waitFor();
  await page.keyboard.press('Escape');
  await closed(page);

  // The person refuses.
  await authenticator.recognise(false);
  await press(page, 'Add a passkey');
  await dialog(page).getByLabel('Name').fill('Laptop again');
  await pressIn(page, 'Add a passkey');
  await dialog(page).getByText('No passkey was created.').waitFor();
  await authenticator.recognise(true);
  await page.keyboard.press('Escape');
  await closed(page);

  await press(page, /^Your menu/);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await press(page, 'Use a passkey');
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await page.goto(`${named}/account`);
  const passkeys = page.getByRole('listitem').filter({ hasText: 'Laptop' });
  await passkeys.getByText(/last used/i).waitFor();
  expect(await passkeys.getByText('never').count()).toBe(0);
  await press(page, 'Remove: Laptop');
  await expectSound(page);
  await pressIn(page, 'Remove');
  await passkeys.waitFor({ state: 'detached' });

  await press(page, /^Your menu/);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await press(page, 'Use a passkey');
  await page.getByText('This passkey was not accepted.').waitFor();
  await expect.poll(() => authenticator.count()).toBe(1);
});

test('a secret is shown although the page cannot be read again', async () => {
  const member = await addMember(app, company.id, 'owner');
  await signedIn(app, member);
  const hold = async (page: Page) => {
    // Reads get no answer.
    await page.route('**/console/api/**', (route) =>
      route.request().method() === 'GET' ? undefined : route.continue(),
    );
    return page;
  };
  const keys = await hold(await open('/settings/api-keys', desk, member));
  await press(keys, 'Create key');
  await dialog(keys).getByLabel('Name').fill('Billing');
  await pressIn(keys, 'Create key');
  await dialog(keys)
    .getByText(/^svc_test_\w{38}$/)
    .waitFor();

  const endpoints = await hold(await open('/settings/webhooks', desk, member));
  await press(endpoints, 'Add endpoint');
  await dialog(endpoints).getByLabel('Address').fill(`${receiver.url}?held`);
  await pressIn(endpoints, 'Add endpoint');
  await dialog(endpoints)
    .getByText(/^whsec_\w+$/)
    .waitFor();

  const account = await hold(await open('/account', desk, member));
  await press(account, 'Set up');
  const secret = await dialog(account)
    .getByText(/^[A-Z2-7]{32}$/)
    .textContent();
  await dialog(account)
    .getByLabel('Code', { exact: true })
    .fill(codeAt(secret ?? '', app.clock.now()));
  await pressIn(account, 'Confirm');
  await dialog(account).getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  expect(await dialog(account).count()).toBe(1);
});
