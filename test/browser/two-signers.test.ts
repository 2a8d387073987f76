import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
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

/** The main journey for two signers and the sender: send, sign in a browser, get a sealed PDF. */
let app: TestService;
let company: Company;
let browser: Browser;
const directory = mkdtempSync(join(tmpdir(), 'countersign-sealed-'));

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
});

afterAll(async () => {
  await browser.close();
  await app.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('two recipients sign in turn, and the sealed PDF holds before independent tools', async () => {
  const id = await createSent(app, company.key, {
    title: 'Roof repair — phase 2',
    recipients: [
      { name: 'Ada Lovelace', email: 'ada@example.com' },
      { name: 'José Ñandú', email: 'jose@example.com' },
      { name: 'Carl Copy', email: 'carl@example.com', role: 'cc' },
    ],
    content: { message: 'Please sign by Friday.', sign_order_mode: 'sequential', expires_in_days: 30 },
  });

  const ada = await openLink(await linkOf('ada@example.com'), { width: 390, height: 844 });
  await expect.poll(() => ada.getByRole('heading', { level: 1 }).textContent()).toBe('Roof repair — phase 2');
  expect(await ada.getByText('Please sign by Friday.').isVisible()).toBe(true);
  await eventually(
    () => recipientStatus(id, 'Ada Lovelace'),
    (status) => status === 'viewed',
  );
  await ada.getByRole('button', { name: 'Start' }).click();
  await ada.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  await ada.getByRole('button', { name: 'Sign', exact: true }).click();
  await ada.getByRole('heading', { name: 'You signed this document' }).waitFor();
  expect(await status(id)).toBe('partially_signed');

  const jose = await openLink(await linkOf('jose@example.com'), { width: 1280, height: 900 });
  await jose.getByRole('textbox', { name: 'Full name' }).fill('José Ñandú');
  await draw(jose);
  await jose.getByRole('button', { name: 'Sign', exact: true }).click();
  await jose.getByRole('heading', { name: /completed/i }).waitFor();
  expect(await status(id)).toBe('completed');

  const copy = await openLink(await linkOf('carl@example.com'), { width: 390, height: 844 });
  const download = copy.waitForEvent('download');
  await copy.getByRole('link', { name: 'Download the sealed PDF' }).click();
  const file = join(directory, 'sealed.pdf');
  await (await download).saveAs(file);
  expect(await recipientStatus(id, 'Carl Copy')).toBe('sent');

  const signature = run('pdfsig', [file]);
  expect(signature).toContain('Signature is Valid');
  expect(signature).toContain('Total document signed');
  expect(signature).toContain('ETSI.CAdES.detached');
  expect(run('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors found');
  const text = run('pdftotext', ['-layout', file, '-']);
  for (const expected of ['Roof repair — phase 2', 'Ada Lovelace', 'José Ñandú', 'Please sign by Friday.', id]) {
    expect(text).toContain(expected);
  }

  const events = await app.db.query<{ type: string }>({
    name: '',
    text: 'select type from events where document_id = $1 order by id',
    values: [id],
  });
  expect(events.map((event) => event.type)).toEqual([
    'document.sent',
    'document.viewed',
    'document.signed',
    'document.viewed',
    'document.signed',
    'document.completed',
  ]);
});

test('a recipient declines with a reason, and the document is finished for everybody', async () => {
  const id = await createSent(app, company.key, {
    recipients: [
      { name: 'Doris', email: 'doris@example.com' },
      { name: 'Emil', email: 'emil@example.com' },
    ],
  });
  const doris = await openLink(await linkOf('doris@example.com'), { width: 390, height: 844 });
  await doris.getByRole('button', { name: 'Decline', exact: true }).click();
  await doris.getByRole('textbox', { name: 'Reason' }).fill('The price is wrong.');
  await doris.getByRole('button', { name: 'Decline to sign' }).click();
  await doris.getByRole('heading', { name: 'You declined to sign' }).waitFor();
  expect(await status(id)).toBe('declined');

  const emil = await openLink(await linkOf('emil@example.com'), { width: 390, height: 844 });
  expect(await emil.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0);
  expect(await emil.getByText('The price is wrong.').count()).toBe(0);
});

test('a link scanner that fetches every link changes nothing', async () => {
  const id = await createSent(app, company.key, { recipients: [{ name: 'Fay', email: 'fay@example.com' }] });
  const link = await linkOf('fay@example.com');
  for (const method of ['GET', 'HEAD', 'GET']) await fetch(link, { method });
  expect(await recipientStatus(id, 'Fay')).toBe('sent');
});

test('a byte changed after sealing is seen', async () => {
  const file = join(directory, 'sealed.pdf');
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 3);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  const changed = join(directory, 'changed.pdf');
  writeFileSync(changed, bytes);
  expect(run('pdfsig', [changed])).not.toContain('Signature is Valid');
});

/** Returns the link in the newest message that has one. Notices have none. */
async function linkOf(address: string): Promise<string> {
  const link = await eventually(
    async () => (await listMailbox(join(app.dataDir, 'mailbox'), { to: address })).flatMap(({ links }) => links).at(0),
    (found) => found !== undefined,
  );
  return link ?? '';
}

async function openLink(link: string, viewport: { width: number; height: number }): Promise<Page> {
  const page = await (await browser.newContext({ viewport })).newPage();
  await page.goto(link);
  return page;
}

async function draw(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Draw' }).click();
  // Its script has come when it is larger than a canvas is by itself.
  await expect.poll(() => page.evaluate('document.getElementById("drawing").width')).toBeGreaterThan(300);
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('there is nothing to draw on');
  await page.mouse.move(box.x + 30, box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 1; step <= 12; step++) {
    await page.mouse.move(box.x + 30 + step * 12, box.y + box.height / 2 + (step % 2 === 0 ? 20 : -20));
  }
  await page.mouse.up();
}

async function status(id: string): Promise<string> {
  return (await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status;
}

async function recipientStatus(id: string, name: string): Promise<string> {
  const { body } = await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key });
  return body.data.find((recipient: { display_name: string }) => recipient.display_name === name).status;
}

function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' });
}
