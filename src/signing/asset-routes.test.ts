import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { assetRoutes } from './asset-routes.ts';
import { signingAssets } from './pages/assets.ts';

const { files, fileScripts } = signingAssets();
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
