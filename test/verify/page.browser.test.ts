import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { launchBrowser } from '../support/browser.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { sealedDocument } from './sealed.ts';
import { flipped, offsetOf, plainPdf, signedByAnother, unsigned } from './tampering.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-verify-page-'));

let app: TestService;
let browser: Browser;
const files: Record<string, string> = {};

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  const { pdf } = await sealedDocument(app, await createCompany(app));
  const made: Record<string, Buffer> = {
    valid: pdf,
    altered: flipped(pdf, offsetOf(pdf, 'stream\n') + 40),
    not_sealed_here: await signedByAnother(unsigned(pdf), 'Forgers <Ltd> & "Söhne"'),
    not_sealed: await plainPdf(),
    unreadable: Buffer.from('no PDF at all'),
  };
  for (const [name, bytes] of Object.entries(made)) {
    files[name] = join(directory, `${name} "&'<b>.pdf`);
    writeFileSync(files[name], bytes);
  }
});

afterAll(async () => {
  await browser.close();
  await app.stop();
  rmSync(directory, { recursive: true });
});

interface Opened {
  page: Page;
  complaints: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

async function open(options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(`${new URL(app.baseUrl).origin}/verify`);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

async function verify(page: Page, name: string): Promise<void> {
  await page.getByLabel('PDF file').setInputFiles(files[name] as string);
  await page.getByRole('button', { name: 'Verify' }).click();
}

const rules = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] };
const violations = (page: Page) => axeFindings(page, rules);

const headings: Record<string, string> = {
  valid: 'This document is genuine and unaltered',
  altered: 'This document was altered after it was sealed',
  not_sealed_here: 'This document was not sealed by this service',
  not_sealed: 'This PDF has no seal',
  unreadable: 'This file can’t be checked',
};

test('without JavaScript a file can be chosen and sent, and the heading of the answer has the verdict', async () => {
  await using opened = await open({ javaScriptEnabled: false });
  const { page, complaints } = opened;
  for (const [name, heading] of Object.entries(headings)) {
    await verify(page, name);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByRole('link', { name: 'Verify another document' }).click();
    await page.getByRole('heading', { level: 1, name: 'Verify a document' }).waitFor();
  }
  expect(complaints).toEqual([]);
});

test('a valid document shows who took part and when, an altered one shows nothing of its contents', async () => {
  await using opened = await open();
  const { page, complaints } = opened;
  await verify(page, 'valid');
  await page.getByRole('heading', { level: 3, name: 'Ada Lovelace' }).waitFor();
  for (const shown of ['Roof repair — phase 2', 'Acme Builders', 'personal link sent by e-mail', 'March 10, 2026']) {
    await page.getByText(shown).first().waitFor();
  }
  await page.goBack();
  await verify(page, 'altered');
  await page.getByText('Its bytes don’t match the signature.').waitFor();
  expect(await page.getByText('Ada Lovelace').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a form without a file says so, and offers itself again', async () => {
  await using opened = await open();
  const { page } = opened;
  await page.evaluate("document.querySelector('form').noValidate = true");
  await page.getByRole('button', { name: 'Verify' }).click();
  expect(await page.getByRole('alert').textContent()).toBe('Choose a PDF file first.');
  await verify(page, 'not_sealed');
  await page.getByRole('heading', { name: headings.not_sealed as string }).waitFor();
});

test('a Spanish reader is answered in Spanish', async () => {
  await using opened = await open({ locale: 'es-MX' });
  const { page } = opened;
  await page.getByLabel('Archivo PDF').setInputFiles(files.valid as string);
  await page.getByRole('button', { name: 'Verificar' }).click();
  await page.getByRole('heading', { name: 'Este documento es auténtico y no ha sido alterado' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('es');
  expect(await page.textContent('main')).not.toMatch(/Signed|The file|undefined/);
});

test('axe finds nothing, in either light, and nothing scrolls sideways on a phone', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await using opened = await open({ colorScheme, bypassCSP: true, viewport: { width: 360, height: 740 } });
    const { page } = opened;
    expect(await violations(page), `form, ${colorScheme}`).toEqual([]);
    for (const name of Object.keys(headings)) {
      await verify(page, name);
      await page.getByRole('heading', { name: headings[name] as string }).waitFor();
      await page.waitForLoadState(); // the heading may come before the rest of the page
      expect(await violations(page), `${name}, ${colorScheme}`).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(360);
      await page.goBack();
    }
  }
});

test('a file is dropped anywhere on the field, down to its edge', async () => {
  await using opened = await open({ javaScriptEnabled: false });
  const { page } = opened;
  const box = await page.getByLabel('PDF file').boundingBox();
  if (box === null) throw new Error('there is no field');
  const browserSide = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width - 12, y: box.y + box.height - 12 };
  const data = { items: [], files: [files.valid as string], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browserSide.send('Input.dispatchDragEvent', { type, ...at, data });
  }
  const chosen = page.getByLabel('PDF file');
  await expect.poll(() => chosen.evaluate((input) => (input as unknown as { files: unknown[] }).files.length)).toBe(1);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: headings.valid as string }).waitFor();
});
