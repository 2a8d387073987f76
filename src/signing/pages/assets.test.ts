import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../http/security-headers.ts';
import { signingAssets } from './assets.ts';
import { renderSigningPage } from './signing-page.ts';
import { sampleFields, sampleFile, sampleView } from './testing/sample-views.ts';

const { files, urlOf, stylesheets, scripts, fileStylesheets, fileScripts } = signingAssets();
const body = (address: string) => files.get(address.replace('/assets/', ''))?.body ?? Buffer.alloc(0);
/** Bytes of a page and what it loads, as browsers take them over HTTPS. Assets are sent with Brotli, pages with gzip. */
const sizeOf = (page: string, addresses: readonly string[]) =>
  addresses.reduce((sum, address) => sum + brotliCompressSync(body(address)).length, gzipSync(page).length);

test('a page with its styles and scripts stays below 18 KB before the drawing area is asked for', () => {
  expect(sizeOf(renderSigningPage(sampleView()), [...stylesheets, ...scripts])).toBeLessThan(18_000);
});

test('a page with a file stays below 30 KB before its images, and below 60 KB with 80 pages and a hundred fields too', () => {
  const fields = Array.from({ length: 100 }, (_, index) => ({
    ...(sampleFields[index % sampleFields.length] as (typeof sampleFields)[number]),
    id: crypto.randomUUID(),
    page: (index % 80) + 1,
  }));
  const sizes = [sampleFile(), sampleFile({ pageCount: 80, fields })].map((file) =>
    sizeOf(renderSigningPage(sampleView({ file })), [...fileStylesheets, ...fileScripts]),
  );
  expect(Math.max(...sizes)).toBeLessThan(60_000);
  expect(sizes[0]).toBeLessThan(30_000);
});

test('a page without a file loads nothing that only a file needs', () => {
  const page = renderSigningPage(sampleView());
  const withFile = renderSigningPage(sampleView({ file: sampleFile() }));
  for (const address of fileScripts) {
    expect(page).not.toContain(address);
    expect(withFile).toContain(address);
  }
  expect(scripts.map(body).join()).not.toContain('.sheet');
});

test('every address a page, stylesheet or script refers to is served', () => {
  const sources = [
    renderSigningPage(sampleView()),
    renderSigningPage(sampleView({ file: sampleFile() })),
    ...[...files.values()].map((asset) => asset.body.toString('latin1')),
  ];
  const addresses = sources.flatMap((source) => source.match(/\/assets\/[\w.-]+/g) ?? []);
  expect(addresses.length).toBeGreaterThan(8);
  for (const address of addresses) expect(files.has(address.replace('/assets/', '')), address).toBe(true);
});

test('each name holds a hash, so that it can be cached for ever', () => {
  for (const [name, asset] of files) {
    expect(name).toMatch(/^[\w-]+\.[0-9a-f]{10}\.(css|js|svg|woff2)$/);
    expect(asset.etag).toMatch(/^"[0-9a-f]{10}"$/);
    expect(asset.body.length).toBeGreaterThan(0);
  }
  expect(() => urlOf('nothing.css')).toThrow('there is no asset nothing.css');
});

test('the policy allows nothing inline, nothing foreign and no frame', () => {
  expect(contentSecurityPolicy).toContain("default-src 'none'");
  expect(contentSecurityPolicy).toContain("frame-ancestors 'none'");
  expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*|data:/);
});
