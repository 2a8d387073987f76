import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { createCompany, startTestService, type TestService } from '../../support/service.ts';
import { createSampleDocuments, type SampleDocuments } from '../sample-company.ts';
import { addMember, signedIn } from '../visitor.ts';

/** Each page at the width of a telephone and of a desk, by light and in the dark. */
interface Shot {
  name: string;
  path: (samples: SampleDocuments) => string;
  prepare?: (page: Page) => Promise<void>;
}

const shots: Shot[] = [
  { name: 'documents', path: () => '/documents' },
  { name: 'document', path: ({ lease }) => `/documents/${lease}` },
  { name: 'draft', path: ({ draft }) => `/documents/${draft}` },
  { name: 'new', path: () => '/documents/new' },
  {
    name: 'fields',
    path: ({ prepared }) => `/documents/${prepared}/fields`,
    prepare: (page) => page.getByRole('button', { name: /Signature of Alan/ }).click(),
  },
  {
    name: 'void',
    path: ({ lease }) => `/documents/${lease}`,
    prepare: (page) => page.getByRole('button', { name: 'Void document' }).click(),
  },
  {
    name: 'palette',
    path: () => '/documents',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Search or go to' }).click();
      await page.getByRole('dialog').getByRole('combobox').fill('ro');
    },
  },
];

const looks = [
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'desk', viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  { name: 'desk-dark', viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
] as const;

const folder = resolve(import.meta.dirname, '../../../docs/screenshots');
/** Of WebP, in bytes: they live in the repository. */
const imageBytesMax = 120_000;

let app: TestService;
let browser: Browser;
let samples: SampleDocuments;
let cookies: { name: string; value: string; url: string }[];

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  const company = await createCompany(app);
  samples = await createSampleDocuments(app, company);
  const owner = await addMember(app, company.id, 'owner', 'ruth@example.com');
  const visitor = await signedIn(app, owner);
  const url = new URL(app.baseUrl).origin;
  cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url }));
  mkdirSync(folder, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

test.each(looks)('$name', async ({ name, viewport, colorScheme }) => {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US' });
  await context.addCookies(cookies);
  for (const shot of shots) {
    const page = await context.newPage();
    await page.clock.install({ time: app.clock.now() });
    await page.goto(new URL(app.baseUrl).origin + shot.path(samples));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle').catch(() => {});
    await shot.prepare?.(page);
    await page.evaluate('Promise.all([...document.images].map((image) => image.decode().catch(() => {})))');
    const bytes = await pictureOf(page);
    expect(bytes.length).toBeLessThan(imageBytesMax);
    writeFileSync(join(folder, `${shot.name}-${name}.webp`), bytes);
    await page.close();
  }
  await context.close();
});

/** Chromium writes WebP, a third of what a PNG takes. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  return Buffer.from(data, 'base64');
}
