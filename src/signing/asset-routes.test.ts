import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { assetRoutes } from './asset-routes.ts';
import { signingAssets } from './pages/assets.ts';

const { files, fileScripts, drawTabScript, formViewScript, formViewStylesheet, urlOf } = signingAssets();
const [script = ''] = fileScripts;
const body = files.get(script.replace('/assets/', ''))?.body.toString();
const font = `/assets/${[...files.keys()].find((name) => name.endsWith('.woff2'))}`;

async function assets() {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(assetRoutes);
  return (path: string, accepted: string) => app.inject({ path, headers: { 'accept-encoding': accepted } });
}

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip, br;q=0', 'gzip', gunzipSync],
  ['gzip', 'gzip', gunzipSync],
  ['identity', undefined, (bytes: Buffer) => bytes],
] as const)(
  'a browser that accepts "%s" gets a script as %s, the first time and later',
  async (accepted, encoding, unpack) => {
    const get = await assets();
    const answers = await Promise.all([get(script, accepted), get(script, accepted)]);
    for (const { headers, rawPayload } of [...answers, await get(script, accepted)]) {
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
      expect(unpack(rawPayload).toString()).toBe(body);
    }
  },
);

test('a font is sent as it is, because it is compressed already', async () => {
  const get = await assets();
  const { statusCode, headers } = await get(font, 'br, gzip');
  expect([statusCode, headers['content-encoding']]).toEqual([200, undefined]);
});

/** The address that an asset had in another release. */
const inAnotherRelease = (address: string) => address.replace(/\.[0-9a-f]{10}\./, '.0123456789.');

test.each([drawTabScript, urlOf('signature-pad.js'), formViewScript, formViewStylesheet])(
  'a page that was opened before an upgrade can load the new version of %s, which nobody caches',
  async (address) => {
    const get = await assets();
    const [current, another] = await Promise.all([get(address, 'br'), get(inAnotherRelease(address), 'br')]);
    expect(another.statusCode).toBe(200);
    expect(another.rawPayload).toEqual(current.rawPayload);
    expect(another.headers['content-type']).toBe(current.headers['content-type']);
    expect(another.headers['cache-control']).toBe('no-store');
    expect(another.headers.etag).toBeUndefined();
    expect(current.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  },
);

test.each([
  ['a script that pages load when they open', inAnotherRelease(script)],
  ['a font', inAnotherRelease(font)],
  ['an unknown script', '/assets/nothing.0123456789.js'],
  ['a name without a hash', '/assets/draw-tab.js'],
  ['something else in place of the hash', '/assets/draw-tab.0123456789.map.js'],
])('another address of %s is not found', async (_what, address) => {
  const get = await assets();
  expect((await get(address, 'br')).statusCode).toBe(404);
});
