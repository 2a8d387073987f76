import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createFileStore, type FileStore } from './files.ts';
import { createLocalCopies, type LocalCopies } from './local-copies.ts';

const noS3 = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null, endpoint: null };
let directory: string;
let here: FileStore;
let elsewhere: FileStore;
let fetched: string[];
let copies: LocalCopies;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'local-copies-'));
  here = createFileStore(`file:${directory}`, noS3);
  fetched = [];
  // As a store across the network is: its files have no path here.
  elsewhere = {
    ...here,
    sizeOf: async () => null,
    pathOf: () => null,
    get(key) {
      fetched.push(key);
      return here.get(key);
    },
  };
  for (const name of ['a', 'b', 'c']) await here.put(`x/${name}`, Buffer.alloc(1000, name));
  copies = createLocalCopies(elsewhere, { bytesMax: 2000, ageMsMax: 3_600_000 });
});
afterEach(async () => {
  await copies.close();
  rmSync(directory, { recursive: true });
});

const read = (name: string) => copies.use(`x/${name}`, (path) => readFile(path, 'utf8'));

test('a local file is used in place', async () => {
  const local = createLocalCopies(here, { bytesMax: 0, ageMsMax: 0 });
  expect(await local.use('x/a', async (path) => path)).toBe(join(directory, 'x/a'));
  await expect(local.use('x/none', async () => 'used')).rejects.toThrow('the file store has no x/none');
});

test('a remote file is fetched once for all users and kept while there is room', async () => {
  const texts = [...(await Promise.all([read('a'), read('a')])), await read('b')];
  expect(texts.map((text) => [text.length, text[0]])).toEqual([
    [1000, 'a'],
    [1000, 'a'],
    [1000, 'b'],
  ]);
  for (const name of ['a', 'c', 'a', 'b']) await read(name);
  expect(fetched).toEqual(['x/a', 'x/b', 'x/c', 'x/b']);
});

test('a copy in use stays while others are fetched', async () => {
  const text = await copies.use('x/a', async (path) => {
    for (const name of ['b', 'c', 'b', 'c']) await read(name);
    return readFile(path, 'utf8');
  });
  expect(text).toBe('a'.repeat(1000));
});

test('a missing file is requested again next time, and closing deletes all copies', async () => {
  await expect(read('none')).rejects.toThrow('the file store has no x/none');
  await here.put('x/none', Buffer.from('now'));
  expect(await read('none')).toBe('now');
  const path = await copies.use('x/none', async (copy) => copy);
  expect(existsSync(path)).toBe(true);
  await copies.close();
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(tmpdir())).not.toContain(path.split('/').at(-2));
});

test('files are fetched again after something else has deleted the directory of a copy', async () => {
  const directoryOf = (name: string) => copies.use(`x/${name}`, async (path) => dirname(path));
  rmSync(await directoryOf('a'), { recursive: true });
  expect((await Promise.all([read('a'), read('a')])).map((text) => text[0])).toEqual(['a', 'a']);
  expect((await read('b'))[0]).toBe('b');
  expect(fetched).toEqual(['x/a', 'x/a', 'x/b']);
  // The age of a directory is the time since an entry was added, and old ones count as abandoned.
  expect(await directoryOf('a')).not.toBe(await directoryOf('b'));
});

test('a file that is gone from the store is gone here once its copy is old and no longer in use', async () => {
  const aging = createLocalCopies(elsewhere, { bytesMax: 2000, ageMsMax: 50 });
  onTestFinished(() => aging.close());
  const path = await aging.use('x/a', async (copy) => {
    await here.remove('x/a');
    await vi.waitFor(() => expect(aging.use('x/a', async () => 'used')).rejects.toThrow('the file store has no x/a'));
    expect(await readFile(copy, 'utf8')).toBe('a'.repeat(1000));
    return copy;
  });
  expect(existsSync(dirname(path))).toBe(false);
  const unused = await aging.use('x/b', async (copy) => copy);
  await vi.waitFor(() => expect(existsSync(dirname(unused))).toBe(false));
});
