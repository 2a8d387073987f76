import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { assets, assetUrl, contentSecurityPolicy, signingScripts, signingStylesheets } from './assets.ts';
import { renderSigningPage } from './signing-page.ts';
import { sampleView } from './testing/sample-views.ts';

const body = (address: string) => assets.get(address.replace('/assets/', ''))?.body ?? Buffer.alloc(0);
const gzipped = (content: string | Buffer) => gzipSync(content).length;

test('a page with its styles and scripts stays below 20 KB before the drawing area is asked for', () => {
  const loaded = [...signingStylesheets, ...signingScripts].map((address) => gzipped(body(address)));
  const total = loaded.reduce((sum, bytes) => sum + bytes, gzipped(renderSigningPage(sampleView())));
  expect(total).toBeLessThan(19_000);
});

test('every address a page, stylesheet or script refers to is served', () => {
  const sources = [
    renderSigningPage(sampleView()),
    ...[...assets.values()].map((asset) => asset.body.toString('latin1')),
  ];
  const addresses = sources.flatMap((source) => source.match(/\/assets\/[\w.-]+/g) ?? []);
  const imports = sources.flatMap((source) =>
    [...source.matchAll(/ from '\.\/([^']+)'/g)].map((match) => match[1] ?? ''),
  );
  expect(addresses.length).toBeGreaterThan(10);
  expect(imports.length).toBeGreaterThan(10);
  for (const address of addresses) expect(assets.has(address.replace('/assets/', '')), address).toBe(true);
  for (const name of imports) expect(assets.has(name), name).toBe(true);
});

test('each name holds a hash, so that it can be cached for ever', () => {
  for (const [name, asset] of assets) {
    expect(name).toMatch(/^[\w-]+\.[0-9a-f]{10}\.(css|js|svg|woff2)$/);
    expect(asset.etag).toMatch(/^"[0-9a-f]{10}"$/);
    expect(asset.body.length).toBeGreaterThan(0);
  }
  expect(() => assetUrl('nothing.css')).toThrow('there is no asset nothing.css');
});

test('the policy allows nothing inline, nothing foreign and no frame', () => {
  expect(contentSecurityPolicy).toContain("default-src 'none'");
  expect(contentSecurityPolicy).toContain("frame-ancestors 'none'");
  expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*|data:/);
});
