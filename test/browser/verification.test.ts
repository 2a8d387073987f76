import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { texts } from '../../src/page-texts/texts.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { disclosureVersion } from '../../src/signing/disclosure.ts';
import { loadAxe } from '../support/axe.ts';
import { launchBrowser } from '../support/browser.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** A signer who needs a code by SMS, from the e-mail to the sealed copy. */
let app: TestService;
let company: Company;
let browser: Browser;
const directory = mkdtempSync(join(tmpdir(), 'countersign-verified-'));

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
});

afterAll(async () => {
  await browser.close();
  await app.stop();
  rmSync(directory, { recursive: true, force: true });
});

const journeys = [
  {
    language: 'en',
    who: 'Ada Lovelace',
    phone: '+1 555 010 4742',
    device: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    certificate: ['SMS code to …42, verified March 10, 2026', `Electronic signature disclosure ${disclosureVersion}`],
  },
  {
    language: 'es',
    who: 'José Ñandú',
    phone: '+34 600 12 34 77',
    device: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark', locale: 'es-ES' },
    certificate: ['código por SMS al …77, verificado el 10 de marzo de 2026', 'Información sobre la firma electrónica'],
  },
] as const;

for (const { language, who, phone, device, certificate } of journeys) {
  test(`a code by SMS opens the document, and the certificate says so: ${language}, ${device.viewport.width} px`, async () => {
    const text = texts[language];
    const email = `${language}@example.com`;
    const id = await createSent(app, company.key, {
      title: 'Roof repair — phase 2',
      primary_language: language,
      recipients: [{ name: who, email, phone, auth_level: 'l1_email_sms_otp' }],
      content: { message: 'Only between us.' },
    });
    const context = await openBrowser(device);
    const page = await openLink(context, await linkOf(email));
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const code = page.getByRole('textbox', { name: text.code });

    await page.getByRole('heading', { level: 1, name: 'Roof repair — phase 2' }).waitFor();
    expect(await page.content()).not.toContain('Only between us.');
    expect(await seriousIn(page)).toEqual([]);
    await press(text.sendCode);
    await page.getByText(text.script.codeSent).waitFor();
    const first = await codeFor(phone);
    for (let tried = 1; tried <= 5; tried++) {
      await code.fill(other(first));
      await press(text.verify);
      await page.getByRole('alert').filter({ hasText: text.script.refusals.invalid_code }).waitFor();
      await eventually(
        () => failedTries(id),
        (tries) => tries === tried,
      );
    }
    expect(await seriousIn(page)).toEqual([]);
    await code.fill(first);
    await press(text.verify);
    await page.getByRole('alert').filter({ hasText: text.script.refusals.invalid_code }).waitFor();
    expect(await recipientStatus(id)).toBe('sent');

    await press(text.sendCode);
    await page.getByText(text.script.codeSent).waitFor();
    const second = await codeFor(phone, first);
    await code.fill(`${second.slice(0, 3)} ${second.slice(3)}`);
    await press(text.verify);
    await page.getByText('Only between us.').waitFor();
    expect(await seriousIn(page)).toEqual([]);
    await eventually(
      () => recipientStatus(id),
      (status) => status === 'viewed',
    );
    await page.getByRole('textbox', { name: text.fullName }).fill(who);
    await press(text.sign);
    await page.getByRole('heading', { name: text.completedHeading }).waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: text.downloadCopy }).click();
    const file = join(directory, `${language}.pdf`);
    await (await download).saveAs(file);
    expect(run('pdfsig', [file])).toContain('Signature is Valid');
    const printed = run('pdftotext', ['-raw', file, '-']).replace(/\s+/g, ' ');
    for (const line of certificate) expect(printed).toContain(line);
    expect(printed).not.toContain(second);

    // The link of the copy opens in this browser. Another one needs a code first.
    const copy = await linkOf(email, 2);
    const known = await openLink(context, copy);
    await known.getByRole('link', { name: text.downloadCopy }).waitFor();
    const elsewhere = await openLink(await openBrowser(device), copy);
    await elsewhere.getByRole('button', { name: text.sendCode }).waitFor();
    expect(await elsewhere.content()).not.toContain('Only between us.');

    await press(text.finish);
    await page.getByRole('heading', { name: text.completedHeading }).waitFor();
    await eventually(
      async () => (await context.cookies()).length,
      (cookies) => cookies === 0,
    );
    await page.reload();
    await page.getByRole('heading', { level: 1, name: text.script.closedTitle }).waitFor();
    await known.reload();
    await known.getByRole('button', { name: text.sendCode }).waitFor();
    await context.close();
    await elsewhere.context().close();
  });
}

test('the keyboard alone is enough, from the code to the signature', async () => {
  const phone = '+1 555 010 0005';
  const recipients = [{ name: 'Kay', email: 'kay@example.com', phone, auth_level: 'l1_email_sms_otp' }];
  await createSent(app, company.key, { recipients });
  const context = await openBrowser({ viewport: { width: 1280, height: 900 } });
  const page = await openLink(context, await linkOf('kay@example.com'));
  await page.getByRole('button', { name: 'Send code' }).waitFor();
  await page.keyboard.press('Tab'); // the menu of languages
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('code');
  await page.keyboard.type(await codeFor(phone));
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('title');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // Start
  await expect.poll(() => focused(page)).toBe('full-name');
  await page.keyboard.type('Kay');
  for (let tabs = 0; (await focused(page)) !== 'sign'; tabs++) {
    expect(tabs).toBeLessThan(8);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Space');
  await page.getByRole('heading', { name: 'Completed: everyone has signed' }).waitFor();
  await context.close();
});

test('a link followed from another site opens at once in a browser that is verified', async () => {
  const phone = '+1 555 010 0006';
  const recipients = [{ name: 'Lin', email: 'lin@example.com', phone, auth_level: 'l1_email_sms_otp' }];
  await createSent(app, company.key, { recipients, content: { message: 'For Lin.' } });
  const link = await linkOf('lin@example.com');
  const context = await openBrowser({ viewport: { width: 390, height: 844 } });
  const page = await openLink(context, link);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByText('The code is on its way').waitFor();
  await page.getByRole('textbox', { name: 'Verification code' }).fill(await codeFor(phone));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('For Lin.').waitFor();

  const webmail = await context.newPage();
  await webmail.route('http://webmail.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${link}">Review and sign</a>` }),
  );
  await webmail.goto('http://webmail.example/');
  await webmail.getByRole('link').click();
  await webmail.getByText('For Lin.').waitFor();
  await context.close();
});

test('what the service refuses as a reason is said at its field', async () => {
  await createSent(app, company.key, { recipients: [{ name: 'Mo', email: 'mo@example.com' }] });
  const context = await openBrowser({ viewport: { width: 390, height: 844 } });
  const page = await openLink(context, await linkOf('mo@example.com'));
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  const reason = page.getByRole('textbox', { name: 'Reason' });
  await reason.fill('Not like this');
  await page.evaluate("document.getElementById('reason').value += String.fromCharCode(0)"); // PostgreSQL cannot store it
  await page.getByRole('button', { name: 'Decline to sign' }).click();
  await page.getByRole('alert').filter({ hasText: 'Enter a reason of 1 to 1000 characters.' }).waitFor();
  await reason.fill('Not like this');
  await page.getByRole('button', { name: 'Decline to sign' }).click();
  await page.getByRole('heading', { name: 'You declined to sign' }).waitFor();
  await context.close();
});

/** The content security policy is off for axe. two-signers.test.ts runs with it. */
function openBrowser(options: BrowserContextOptions): Promise<BrowserContext> {
  return browser.newContext({ ...options, bypassCSP: true });
}

async function openLink(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

/** Waits for `count` messages, and returns the link in the newest one. */
async function linkOf(address: string, count = 1): Promise<string> {
  const messages = await eventually(
    () => listMailbox(join(app.dataDir, 'mailbox'), { to: address }),
    (found) => found.length === count,
  );
  return messages[0]?.links[0] ?? '';
}

/** Returns the code in the last line of the SMS, bound to our host, where phones look for it. */
async function codeFor(phone: string, before?: string): Promise<string> {
  return eventually(
    async () => {
      const [message] = await listMailbox(join(app.dataDir, 'mailbox'), { to: phone, limit: 1 });
      return /\n@127\.0\.0\.1 #(\d{6})$/.exec(message?.text ?? '')?.[1] ?? '';
    },
    (code) => code !== '' && code !== before,
  );
}

function other(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

async function failedTries(id: string): Promise<number> {
  const rows = await app.db.query({
    name: '',
    text: `select 1 from audit_entries where document_id = $1 and action = 'verification_failed'`,
    values: [id],
  });
  return rows.length;
}

async function recipientStatus(id: string): Promise<string> {
  return (await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key })).body.data[0].status;
}

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.id');
}

async function seriousIn(page: Page): Promise<unknown> {
  await loadAxe(page);
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id))`);
}

function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' });
}
