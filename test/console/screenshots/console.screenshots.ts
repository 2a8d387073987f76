import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '../../imports/a-pdf.ts';
import { launchBrowser } from '../../support/browser.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { createCompany, startTestService, type TestService } from '../../support/service.ts';
import { createSampleDocuments, type SampleDocuments } from '../sample-company.ts';
import { createSampleImports, type ImportOrigins, type SampleImports, startImportOrigins } from '../sample-imports.ts';
import { createSampleKeeping, type SampleKeeping } from '../sample-keeping.ts';
import { createSampleSettings, type SampleSettings } from '../sample-settings.ts';
import { createSampleTexts, type SampleTexts } from '../sample-text.ts';
import { addMember, type Member, signedIn } from '../visitor.ts';

type Samples = SampleDocuments & SampleImports & SampleKeeping & SampleSettings & SampleTexts;

/** Each page at phone and desktop width, in light and dark mode. */
interface Shot {
  name: string;
  path: (samples: Samples) => string;
  /** The company: one has documents, one imports, one settings. */
  of?: 'imports' | 'uploads' | 'settings';
  prepare?: (page: Page) => Promise<void>;
}

const shots: Shot[] = [
  { name: 'documents', path: () => '/documents' },
  { name: 'document', path: ({ lease }) => `/documents/${lease}` },
  { name: 'draft', path: ({ draft }) => `/documents/${draft}` },
  { name: 'new', path: () => '/documents/new' },
  { name: 'edit', path: ({ prepared }) => `/documents/${prepared}/edit` },
  { name: 'templates', path: () => '/templates' },
  { name: 'template', path: ({ template }) => `/templates/${template}` },
  { name: 'use-template', path: ({ template }) => `/templates/${template}/use` },
  {
    name: 'preview',
    path: ({ prepared }) => `/documents/${prepared}/preview`,
    prepare: async (page) => {
      await page.getByLabel('On').selectOption(await page.evaluate('innerWidth < 1000 ? "phone" : "desk"'));
      await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle').catch(() => {});
    },
  },
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
  { name: 'review', path: ({ reviewed }) => `/documents/${reviewed}` },
  { name: 'mirror', path: ({ mirror }) => `/documents/${mirror}` },
  {
    name: 'restrict',
    path: ({ draft }) => `/documents/${draft}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions for this document' }).click();
      await page.getByRole('menuitem', { name: 'Restrict' }).click();
    },
  },
  {
    name: 'palette',
    path: () => '/documents',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Search or go to' }).click();
      await page.getByRole('dialog').getByRole('combobox').fill('ro');
    },
  },
  { name: 'imports', of: 'imports', path: () => '/imports' },
  { name: 'import', of: 'imports', path: ({ links }) => `/imports/${links}` },
  {
    name: 'migration',
    of: 'imports',
    path: () => '/imports',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Import from vendor' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'import-files',
    of: 'uploads',
    path: () => '/imports',
    prepare: (page) => chooseFiles(page),
  },
  {
    name: 'import-sending',
    of: 'uploads',
    path: () => '/imports',
    prepare: async (page) => {
      // The first is imported, the second cancelled, and the others in progress.
      let sent = 0;
      await page.route('**/items/*/file', async (route) => {
        sent += 1;
        if (sent === 1) await route.continue();
      });
      await chooseFiles(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('button', { name: 'Cancel Plan of the roof.pdf' }).click();
      await page.getByText('1 imported · 1 failed').waitFor();
    },
  },
  {
    name: 'unlock',
    of: 'uploads',
    path: ({ locked }) => `/documents/${locked}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByText('Your company has').waitFor();
    },
  },
  {
    name: 'editable-text',
    of: 'uploads',
    path: ({ unlocked }) => `/documents/${unlocked}/unlocked`,
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Block 2 on page 1' }).click();
      await page.waitForLoadState('networkidle').catch(() => {});
    },
  },
  {
    name: 'rendered',
    of: 'uploads',
    path: ({ unlocked }) => `/documents/${unlocked}/unlocked/pdf`,
    prepare: async (page) => {
      await page.getByRole('img', { name: 'Page 1 of 1' }).waitFor();
      await page.waitForLoadState('networkidle').catch(() => {});
    },
  },
  { name: 'api-keys', of: 'settings', path: () => '/settings/api-keys' },
  {
    name: 'webhook',
    of: 'settings',
    path: ({ webhook }) => `/settings/webhooks/${webhook.id}`,
    prepare: (page) => page.getByText('302, redirects are not followed').click(),
  },
  { name: 'usage', of: 'settings', path: () => '/settings/usage' },
  { name: 'members', of: 'settings', path: () => '/settings/members' },
  { name: 'restricted-papers', of: 'settings', path: () => '/settings/restricted-papers' },
  { name: 'sending', of: 'settings', path: () => '/settings/sending' },
  { name: 'signing', of: 'settings', path: () => '/settings/signing' },
  { name: 'notices', of: 'settings', path: () => '/settings/notices' },
  { name: 'branding', of: 'settings', path: () => '/settings/branding' },
  { name: 'requests', of: 'settings', path: () => '/settings/requests' },
  { name: 'developers', of: 'settings', path: () => '/developers' },
  { name: 'account', of: 'settings', path: () => '/account' },
];

async function chooseFiles(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import files' }).click();
  const names = ['Lease of the workshop', 'Plan of the roof', 'Estimate: scaffolding', 'Warranty', 'Permit 2026-114'];
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles(
      names.map((name, index) => ({
        name: `${name}.pdf`,
        mimeType: 'application/pdf',
        buffer: aPdf({ bytes: 400_000 * (index + 1) }),
      })),
    );
  await page.getByRole('dialog').getByText('5 files').waitFor();
}

const looks = [
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'desk', viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  { name: 'desk-dark', viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
] as const;

const folder = resolve(import.meta.dirname, '../../../docs/screenshots');
/** Maximum size of a WebP file in bytes, because the pictures are in the repository. */
const imageBytesMax = 120_000;

let app: TestService;
let browser: Browser;
let receiver: Receiver;
let origins: ImportOrigins;
let samples: Samples;
type Cookies = { name: string; value: string; url: string }[];
let cookies: Record<'documents' | 'imports' | 'uploads' | 'settings', Cookies>;

beforeAll(async () => {
  [receiver, origins] = await Promise.all([startReceiver(), startImportOrigins()]);
  const env = { ...origins.env, WEBHOOK_ALLOW_PRIVATE: 'true' };
  [app, browser] = await Promise.all([startTestService({ env }), launchBrowser()]);
  const [company, other, mover] = [await createCompany(app), await createCompany(app), await createCompany(app)];
  const sender = await createCompany(app);
  const documents = await createSampleDocuments(app, company);
  samples = {
    ...documents,
    ...(await createSampleKeeping(app, company, documents)),
    ...(await createSampleSettings(app, other, receiver)),
    ...(await createSampleImports(app, mover, origins)),
    ...(await createSampleTexts(app, sender)),
  };
  cookies = {
    documents: await cookiesOf(await addMember(app, company.id, 'owner', 'ruth@example.com')),
    imports: await cookiesOf(await addMember(app, mover.id, 'owner', 'grace-hopper@example.com')),
    uploads: await cookiesOf(await addMember(app, sender.id, 'member', 'mary@example.com')),
    settings: await cookiesOf(await addMember(app, other.id, 'owner', 'ada@example.com')),
  };
  mkdirSync(folder, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await Promise.all([receiver.stop(), origins.stop()]);
});

async function cookiesOf(member: Member): Promise<Cookies> {
  const visitor = await signedIn(app, member);
  return [...visitor.cookies].map(([name, value]) => ({ name, value, url: new URL(app.baseUrl).origin }));
}

test.each(looks)('$name', async ({ name, viewport, colorScheme }) => {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US' });
  for (const shot of shots) {
    await context.addCookies(cookies[shot.of ?? 'documents']);
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

/** Chromium writes WebP, which takes a third of the size of a PNG. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  return Buffer.from(data, 'base64');
}
