import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { isSignedWith, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { closed, dialog, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member } from './visitor.ts';

/** An owner streams the audit log to a webhook. */
let app: TestService;
let owner: Member;
let admin: Member;
let receiver: Receiver;
let browser: Browser;

beforeAll(async () => {
  [app, browser, receiver] = await Promise.all([
    startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }),
    launchBrowser(),
    startReceiver(),
  ]);
  const company = await createCompany(app);
  owner = await addMember(app, company.id, 'owner', 'ruth@example.com');
  admin = await addMember(app, company.id, 'admin', 'adam@example.com');
});
afterAll(async () => {
  await browser.close();
  await receiver.stop();
  await app.stop();
});

const open = (device: BrowserContextOptions = desk, member = owner) =>
  openConsole('/settings/audit-log', { browser, app, member, device });

test('an owner sets up the stream, tests it, and stops it', async () => {
  const page = await open();
  await press(page, 'Set up');
  await dialog(page).getByLabel('Destination').selectOption('syslog');
  await dialog(page).getByLabel('Server and port').fill('https://not.a.server/');
  await pressIn(page, 'Save');
  await dialog(page).getByText('public host name and port').waitFor();
  await dialog(page).getByLabel('Destination').selectOption('webhook');
  await dialog(page).getByLabel('Address').fill(receiver.url);
  await pressIn(page, 'Save');
  const secret = await dialog(page)
    .getByText(/^whsec_/)
    .innerText();
  await pressIn(page, 'I have saved it');
  await closed(page);
  const stream = page.getByRole('region', { name: 'Stream' });
  await stream.getByText('Active').waitFor();

  await press(page, 'Send test');
  const outcome = stream.getByRole('status');
  await outcome.filter({ hasText: 'has accepted a test' }).waitFor();
  expect(isSignedWith(secret, receiver.received.at(-1) as Received, app.clock.now())).toBe(true);
  receiver.answer = (response) => response.writeHead(500).end();
  await press(page, 'Send test');
  // Entries of the log may have been refused for the same reason by now, which is said elsewhere.
  await outcome.filter({ hasText: 'the receiver answered 500' }).waitFor();
  await expectSound(page);

  await press(page, 'Pause');
  await pressIn(page, 'Pause');
  await stream.getByText('Paused').waitFor();
  await press(page, 'Remove');
  await pressIn(page, 'Remove');
  await closed(page);
  await stream.getByText('Send each new entry').waitFor();
  await page.context().close();
});

test('an admin sees the audit log and no stream, and a phone shows the page in full', async () => {
  const page = await open(desk, admin);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.getByRole('table').waitFor();
  expect(await page.getByRole('region', { name: 'Stream' }).count()).toBe(0);
  await page.context().close();
  const small = await open(phone);
  await small.getByRole('button', { name: 'Set up' }).waitFor();
  await expectSound(small);
  await small.context().close();
});

test('a host that has no address yet is pointed out in Spanish, for the stream and for a webhook', async () => {
  const resolve = async () => ({ kind: 'none', reason: 'does not exist' }) as const;
  const strict = await startTestService({ env: { ROLE: 'web' }, outside: { hostResolver: { resolve } } });
  onTestFinished(() => strict.stop());
  const member = await addMember(strict, (await createCompany(strict)).id, 'owner');
  const device = { ...desk, locale: 'es-ES' };
  const page = await openConsole('/settings/audit-log', { browser, app: strict, member, device });
  await press(page, 'Configurar');
  await dialog(page).getByLabel('Destino').selectOption('syslog');
  await dialog(page).getByLabel('Servidor y puerto').fill('logs.example.com');
  await pressIn(page, 'Guardar');
  await closed(page);
  await page.getByText('No encontramos ninguna dirección para logs.example.com.').waitFor();
  await expectSound(page);

  await page.getByRole('tab', { name: 'Webhooks' }).click();
  await press(page, 'Añadir destino');
  await dialog(page).getByLabel('Dirección').fill('https://hooks.example.com/');
  await pressIn(page, 'Añadir destino');
  await dialog(page).getByText('No encontramos ninguna dirección para hooks.example.com.').waitFor();
  await expectSound(page);
});
