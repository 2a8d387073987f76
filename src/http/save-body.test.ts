import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { saveBody } from './save-body.ts';

/** Sends a body without a declared length, and returns what saving it comes to. `end`: whether the client finishes it. */
async function saved(chunks: Buffer[], end: 'finished' | 'open' | 'slow' | 'cut' = 'finished', name = 'body') {
  const directory = mkdtempSync(join(tmpdir(), 'save-body-'));
  const server = createServer();
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1', method: 'POST' }).on('error', () => {});
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
  client.flushHeaders();
  for (const chunk of chunks) client.write(chunk);
  const [incoming] = await arrived;
  const saving = saveBody(incoming, join(directory, name), 100).catch(({ kind, code }) => kind ?? code);
  if (end === 'finished') client.end();
  if (end === 'cut') client.destroy();
  const timer = setInterval(() => end === 'slow' && client.write('a'), 20);
  await saving;
  clearInterval(timer);
  return { result: await saving, file: () => readFileSync(join(directory, 'body')) };
}

test('a body up to the limit is saved with its hash', async () => {
  const body = Buffer.alloc(100, 'a');
  const { result, file } = await saved([body.subarray(0, 60), body.subarray(60)]);
  expect(result).toMatchObject({ bytes: 100, sha256: createHash('sha256').update(body).digest() });
  expect(file()).toEqual(body);
  expect((await saved([])).result).toMatchObject({ bytes: 0 });
});

test('a longer one is too large, also before the client has finished it, and one that was cut off is incomplete', async () => {
  expect((await saved([Buffer.alloc(101)])).result).toBe('too_large');
  expect((await saved([Buffer.alloc(101)], 'open')).result).toBe('too_large');
  expect((await saved([Buffer.alloc(50)], 'cut')).result).toBe('incomplete');
});

test('a disk that fails in the middle of a body is an error of the disk, not an incomplete body', async () => {
  expect((await saved([Buffer.alloc(50)], 'slow', 'missing/body')).result).toBe('ENOENT');
});
