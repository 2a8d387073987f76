import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDomain, setDomain, vouchForDomain } from '../../src/custom-domain/manage-domain.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { closed, dialog, openConsole, press, pressIn } from '../console/open-console.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { openLinkOf } from '../signing/signer.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { expectSound } from '../support/expect-sound.ts';
import { createPublicLink, newestCodeTo } from '../support/public-link.ts';
import { type Company, createCompany, createSent, eventually } from '../support/service.ts';
import { type Scene, startScene } from './scene.ts';

/** A company sets up its host in the console, and a recipient signs on it, in a browser that finds it. */
let scene: Scene;
let browser: Browser;

beforeAll(async () => {
  [scene, browser] = await Promise.all([
    startScene(),
    launchBrowser(['--host-resolver-rules=MAP *.acme.example 127.0.0.1']),
  ]);
});
afterAll(async () => {
  await browser.close();
  await scene.stop();
});

test.each([
  ['a telephone', phone, 'documents'],
  ['a desk in the dark', { ...desk, colorScheme: 'dark' }, 'firma.bücher'],
] as [string, BrowserContextOptions, string][])(
  'the page leads from a name to signed documents on %s',
  async (_, device, name) => {
    const { app } = scene;
    const company = await createCompany(app);
    const admin = await addMember(app, company.id, 'admin');
    const page = await openConsole('/settings/domain', { browser, app, member: admin, device });
    const box = page.getByRole('textbox', { name: 'Host name' });
    await box.fill('127.0.0.1');
    await press(page, 'Add domain');
    await page.getByText('Enter a full host name').waitFor();
    await box.fill(`${name}.acme.example`);
    await press(page, 'Add domain');
    await page.getByText('Waiting for DNS', { exact: true }).waitFor();
    await expectSound(page);
    await press(page, 'Check now');
    await page.getByText('The TXT record isn’t there.', { exact: false }).waitFor();
    await expectSound(page);

    const { domain } = (await (await signedIn(app, admin)).get('/custom-domain')).body;
    for (const { name: record, value } of domain.records) {
      await page.getByText(record, { exact: true }).first().waitFor();
      await page.getByText(value, { exact: true }).first().waitFor();
    }
    if (name !== 'documents') await page.getByText('firma.bücher.acme.example', { exact: true }).waitFor();
    scene.makeRecords(domain);
    await new Promise((resolve) => setTimeout(resolve, 1100)); // addresses are kept for a second
    await press(page, 'Check now');
    await page.getByText('Active', { exact: true }).waitFor();
    await expectSound(page);

    const to = `ada@${domain.host}`;
    await createSent(app, company.key, { recipients: [{ name: 'Ada Lovelace', email: to }] });
    const [message] = await eventually(
      () => listMailbox(join(app.dataDir, 'mailbox'), { to }),
      (found) => found.length > 0,
    );
    const link = message?.links[0] ?? '';
    expect(new URL(link).host).toBe(`${domain.host}:${scene.port}`);
    await eventually(
      () => scene.on(new URL(link).host, '/sign/finished'),
      ({ status }) => status === 200,
    );
    const signing = await page.context().newPage();
    const asked: string[] = [];
    signing.on('request', (request) => asked.push(new URL(request.url()).host));
    expectNoFaults(signing);
    await signing.goto(link);
    await signing.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
    await signing.getByRole('button', { name: 'Sign', exact: true }).click();
    await signing.getByRole('heading', { name: /signed|completed/i }).waitFor();
    // Everything came from the host, and the member who is signed in to the console has no cookie there.
    expect(new Set(asked)).toEqual(new Set([`${domain.host}:${scene.port}`]));
    expect((await page.context().cookies(link)).map((cookie) => cookie.name)).toEqual([]);
    await signing.goto(`${new URL(link).origin}/settings/domain`);
    expect(new URL(signing.url()).host).toBe(`127.0.0.1:${scene.port}`);

    await press(page, 'Remove domain');
    await dialog(page).getByText('Links in new messages lead to 127.0.0.1').waitFor();
    await pressIn(page, 'Remove domain');
    await closed(page);
    await box.waitFor();
  },
);

/** Gives a new company a host that is served. Returns the host with its port. */
async function withHost(name: string): Promise<{ company: Company; host: string }> {
  const { app, port } = scene;
  const company = await createCompany(app);
  const change = { accountId: company.id, personId: null };
  const host = `${name}.acme.example`;
  await app.db.transaction(async (tx) => {
    await setDomain(app.world, tx, change, host);
    await vouchForDomain(app.world, tx, change, host);
  });
  await expect.poll(async () => (await scene.on(`${host}:${port}`, '/sign/finished')).status).toBe(200);
  return { company, host: `${host}:${port}` };
}

test('a public link on the host leads someone who has to sign in to the service', async () => {
  const { app } = scene;
  const { company, host } = await withHost('guests');
  const recipients = [{ name: 'Guest', auth_level: 'l0_account_session' }];
  const { token } = await createPublicLink(app, company, {}, { recipients });
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://${host}/link/${token}`);
  await page.getByRole('textbox', { name: 'Full name' }).fill('Grace Hopper');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('grace@example.com');
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = page.getByRole('textbox', { name: 'Code' });
  await code.waitFor();
  await code.fill(await newestCodeTo(app, 'grace@example.com'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Send sign-in link' }).waitFor();
  expect(page.url()).toMatch(`http://127.0.0.1:${scene.port}/sign/`);
  await page.context().close();
});

test('somebody who is signing while the host is removed is led to the service', async () => {
  const { app, port } = scene;
  const { company, host } = await withHost('left');
  const recipient = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const id = await createSent(app, company.key, { recipients: [recipient] });
  const { link } = await openLinkOf(app, company, id, recipient.name);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://${host}${new URL(link).pathname}`);
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  await app.db.transaction((tx) => removeDomain(app.world, tx, { accountId: company.id, personId: null }));
  await expect.poll(async () => (await scene.on(host, '/sign/finished')).status).toBe(308);
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('This page has a new address').waitFor();
  await page.getByRole('button', { name: 'Show current status' }).click();
  await page.waitForURL(`http://127.0.0.1:${port}/sign/*`);
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByRole('heading', { name: /signed|completed/i }).waitFor();
  await page.context().close();
});
