import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Archive } from './archive.ts';
import { createZipArchive } from './zip-archive.ts';

/** Archives are read with Debian's unzip and with Python, which know nothing of the writer. */
const run = promisify(execFile);
let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zip-'));
  path = join(directory, 'archive.zip');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function write(fill: (archive: Archive) => Promise<void>, startAt = 0): Promise<number> {
  const file = await open(path, 'wx');
  if (startAt > 0) await file.truncate(startAt);
  const archive = await createZipArchive(file, {
    modifiedAt: new Date('2026-03-10T12:00:10.000Z'),
    directoryPath: join(directory, 'directory'),
    startAt,
  });
  await fill(archive);
  await archive.finish();
  await archive.close();
  await file.close();
  return archive.bytes;
}

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

const python = async (code: string) => (await run('python3', ['-c', code, path], { maxBuffer: 2 ** 24 })).stdout;
const listed = async (): Promise<Array<[string, number]>> =>
  JSON.parse(
    await python(`
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([(one.filename, one.file_size) for one in archive.infolist()]))`),
  );

test('an empty archive, and one with empty and large files, packed and not', async () => {
  await write(async () => {});
  expect(await listed()).toEqual([]);
  await rm(path);
  await rm(join(directory, 'directory'));
  const noise = randomBytes(300_000);
  const bytes = await write(async (archive) => {
    await archive.add('empty.txt', chunks(), { compress: true });
    await archive.add('empty.bin', chunks(), { compress: false });
    await archive.add('a/noise.bin', chunks(noise.subarray(0, 7), noise.subarray(7)), { compress: false });
    await archive.add('a/ñ.txt', chunks('x'.repeat(1_000_000), 'end'), { compress: true });
  });
  expect((await stat(path)).size).toBe(bytes);
  expect(await listed()).toEqual([
    ['empty.txt', 0],
    ['empty.bin', 0],
    ['a/noise.bin', 300_000],
    ['a/ñ.txt', 1_000_003],
  ]);
  await run('unzip', ['-tqq', path]);
  await run('unzip', ['-qq', path, '-d', join(directory, 'out')]);
  expect((await readFile(join(directory, 'out', 'a/noise.bin'))).equals(noise)).toBe(true);
  const { stdout } = await run('unzip', ['-Zv', path, 'empty.txt'], { env: { TZ: 'UTC' } });
  expect(stdout).toContain('2026 Mar 10 12:00:10');
});

test('a file that fails leaves nothing, and the next one is sound', async () => {
  async function* failing() {
    yield randomBytes(200_000);
    throw new Error('the store is out');
  }
  await write(async (archive) => {
    await archive.add('before.txt', chunks('before'), { compress: false });
    for (const compress of [true, false])
      await expect(archive.add('bad.bin', failing(), { compress })).rejects.toThrow('the store is out');
    await archive.add('after.txt', chunks('after'), { compress: true });
  });
  expect(await listed()).toEqual([
    ['before.txt', 6],
    ['after.txt', 5],
  ]);
  await run('unzip', ['-tqq', path]);
});

test.each([0xffff_fff0, 0x1_0000_0005, 5 * 2 ** 32])('offsets around and beyond 4 GiB: %i', async (startAt) => {
  // The beginning is a hole in the file, as before a self-extracting archive. It takes no space on the disk.
  await write(async (archive) => {
    await archive.add('first.txt', chunks('first'), { compress: false });
    await archive.add('second.txt', chunks('second'), { compress: true });
  }, startAt);
  expect(await listed()).toEqual([
    ['first.txt', 5],
    ['second.txt', 6],
  ]);
});

test('a file of more than 4 GiB', async () => {
  const zeros = Buffer.alloc(2 ** 24);
  const size = 2 ** 32 + 2 ** 24;
  async function* many() {
    for (let sent = 0; sent < size; sent += zeros.length) yield zeros;
  }
  await write(async (archive) => {
    await archive.add('zeros.bin', many(), { compress: true });
    await archive.add('after.txt', chunks('after'), { compress: false });
  });
  const { stdout } = await run('unzip', ['-l', path]);
  expect(stdout).toContain(String(size));
  expect(
    await python(`
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print([one.file_size for one in archive.infolist()], archive.read('after.txt'))`),
  ).toBe(`[${size}, 5] b'after'\n`);
});

test.each([65_535, 65_536])('%i files', async (count) => {
  await write(async (archive) => {
    for (let n = 0; n < count; n += 1) await archive.add(`${n}.txt`, chunks(String(n)), { compress: false });
  });
  const answer = await python(`
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(len(archive.infolist()), archive.read('${count - 1}.txt').decode())`);
  expect(answer).toBe(`${count} ${count - 1}\n`);
  await run('unzip', ['-tqq', path]);
});
