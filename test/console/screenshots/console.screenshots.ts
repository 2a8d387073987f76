import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { desk, phone } from '../../support/devices.ts';
import { faultsOf } from '../../support/expect-sound.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type ImportOrigins, startImportOrigins } from '../sample-imports.ts';
import { createSamplePages, type SamplePages } from './sample-pages.ts';
import { type Shot, type Sitter, shots } from './shots.ts';

/**
 * Looks at every page on a phone and on a desktop, in light and in dark, in English and in Spanish. Writes a picture of each to
 * SCREENSHOTS_DIR (by default a folder of temporary files), renews those in docs/screenshots, and fails if axe finds anything.
 */
const folder = process.env.SCREENSHOTS_DIR ?? join(tmpdir(), 'countersign-screenshots');
const root = resolve(import.meta.dirname, '../../..');

/** The pictures that the documentation shows. */
const shownInDocs = new Set(
  globSync(['README.md', 'docs/**/*.md'], { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/screenshots\/([\w-]+)\.webp/g)].map(([, name]) => name),
  ),
);
/** Maximum size of a WebP file in bytes, because those pictures are in the repository. */
const imageBytesMax = 120_000;

const looks = ['en-US', 'es-ES'].flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    Object.entries({ phone, desk }).map(([device, size]) => ({
      look: `${device}${colorScheme === 'dark' ? '-dark' : ''}${locale === 'es-ES' ? '-es' : ''}`,
      isEnglish: locale === 'en-US',
      options: { ...size, locale, colorScheme },
    })),
  ),
);

let app: TestService;
let browser: Browser;
let receiver: Receiver;
let origins: ImportOrigins;
let samples: SamplePages;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  [receiver, origins] = await Promise.all([startReceiver(), startImportOrigins()]);
  const env = { ...origins.env, WEBHOOK_ALLOW_PRIVATE: 'true' };
  [app, browser] = await Promise.all([startTestService({ env }), launchBrowser()]);
  samples = await createSamplePages(app, receiver, origins);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await Promise.all([receiver.stop(), origins.stop()]);
});

test.each(looks)('every page is sound: $look', async ({ look, options, isEnglish }) => {
  const found: unknown[] = [];
  for (const sitter of new Set(shots.map(({ as }) => as))) {
    const context = await browser.newContext(options);
    await context.addCookies(await cookiesOf(sitter));
    for (const shot of shots.filter(({ as }) => as === sitter)) {
      const page = await context.newPage();
      await open(page, shot, isEnglish);
      const name = `${shot.name}-${look}`;
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
      if (shownInDocs.has(name)) await renew(page, name);
      for (const fault of await faultsOf(page)) found.push([shot.name, fault]);
      await page.close();
    }
    await context.close();
  }
  expect(found).toEqual([]);
});

async function cookiesOf(sitter: Sitter) {
  if (sitter === 'guest') return [];
  const { cookies } = await samples.signIn(sitter);
  return [...cookies].map(([name, value]) => ({ name, value, url: new URL(app.baseUrl).origin }));
}

async function open(page: Page, shot: Shot, isEnglish: boolean): Promise<void> {
  await page.clock.install({ time: app.clock.now() });
  const path = shot.path.replace(/\{(\w+)\}/g, (_, name) => samples.ids[name] ?? `no sample ${name}`);
  await page.goto(new URL(app.baseUrl).origin + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  if (isEnglish && shot.prepare !== undefined) {
    await shot.prepare(page);
    await page.waitForLoadState('networkidle');
  }
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode().catch(() => {})))');
}

/** Writes a picture for the documentation. Chromium's WebP takes a third of the size of a PNG. */
async function renew(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  const bytes = Buffer.from(data, 'base64');
  expect(bytes.length).toBeLessThan(imageBytesMax);
  writeFileSync(join(root, 'docs/screenshots', `${name}.webp`), bytes);
}
