import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { PublicFetchError } from '../public-fetch/public-fetch.ts';
import { receiveFile } from './receive-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'receive-'));
afterAll(() => rmSync(directory, { recursive: true }));
let path = '';
let files = 0;
beforeEach(() => {
  files += 1;
  path = join(directory, String(files));
});

const bytesMax = 5000;

function receive(body: Readable, declaredBytes: number | null = null) {
  const content = { bytesMax, tooLarge: 'too_large', htmlReason: 'link_expired' } as const;
  return receiveFile(content, { declaredBytes, body }, path);
}

const pdf = (bytes: number) => Buffer.from('%PDF-'.padEnd(bytes, 'x'));
const inChunks = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    ),
  );

test.for([1, 3, 1000, 5000])('what came in chunks of %i bytes is there, hashed and counted', async (size) => {
  const bytes = pdf(bytesMax);
  const sha256 = createHash('sha256').update(bytes).digest();
  expect(await receive(inChunks(bytes, size))).toEqual({ kind: 'received', path, sha256, bytes: bytesMax });
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test.for([
  ['one byte too many', 'too_large', pdf(bytesMax + 1)],
  ['a page', 'link_expired', Buffer.from(' <!doctype html>'.padEnd(3000))],
  ['something else', 'unsupported_type', Buffer.alloc(3000)],
  ['a PDF that begins too late', 'unsupported_type', Buffer.concat([Buffer.alloc(1024), pdf(100)])],
] as const)('%s ends it at the byte that shows it, and leaves nothing', async ([, reason, bytes]) => {
  for (const size of [100, 1024, 10_000]) {
    const body = inChunks(bytes, size);
    expect(await receive(body)).toEqual({ kind: 'failed', reason });
    expect([body.destroyed, existsSync(path)]).toEqual([true, false]);
  }
});

test('what declares to be too large is not even begun', async () => {
  const body = inChunks(pdf(10), 10);
  expect(await receive(body, bytesMax + 1)).toEqual({ kind: 'failed', reason: 'too_large' });
  expect([body.destroyed, existsSync(path)]).toEqual([true, false]);
});

/** A body that fails while it is read, like a broken response. */
const aBody = () => new PassThrough().on('error', () => {});

test('a way that breaks is worth another attempt, a call that was given up is not', async () => {
  const broken = aBody();
  broken.write(pdf(2000), () => broken.destroy(new PublicFetchError('connection', 'the connection was reset')));
  expect(await receive(broken)).toEqual({ kind: 'broken' });
  const givenUp = aBody();
  givenUp.write(pdf(2000), () => givenUp.destroy(new PublicFetchError('aborted', 'the call was aborted')));
  await expect(receive(givenUp)).rejects.toThrow('the call was aborted');
  expect(existsSync(path)).toBe(false);
});

test('a file that drips is given up', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const body = aBody();
  const received = receive(body);
  await vi.waitUntil(() => existsSync(path), { timeout: 60_000 });
  body.write(pdf(2000));
  while (!body.destroyed) {
    vi.advanceTimersByTime(20_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await received).toEqual({ kind: 'slow' });
  expect(existsSync(path)).toBe(false);
});
