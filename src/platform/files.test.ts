import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryDirectory } from '../../test/support/memory-directory.ts';
import type { S3Settings } from '../config/settings.ts';
import { createFileStore, type FileStore, readStoredFile, type StoredFile } from './files.ts';
import { FileStoreError } from './files-error.ts';
import { withLocalFile } from './with-local-file.ts';

const noS3: S3Settings = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null, endpoint: null };

const keyOf = (bytes: Uint8Array) => {
  const hex = createHash('sha256').update(bytes).digest('hex');
  return `sha256/${hex.slice(0, 2)}/${hex.slice(2)}`;
};

async function read(store: FileStore, key: string, bytesMax: number): Promise<Buffer> {
  const file = await store.get(key);
  if (file === null) throw new Error(`${key} is missing`);
  return readStoredFile(file, bytesMax);
}

interface S3Server {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3Server;

/** Tests of every driver. */
const drivers = {
  'a local directory': async (directory: string) => ({
    store: createFileStore(`file:${directory}/with space #1/50%`, noS3),
    stop: async () => {},
  }),
  's3rver, below a prefix': async (directory: string) => {
    const server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory,
      configureBuckets: [{ name: 'documents' }],
    });
    const { port } = await server.run();
    const s3 = { ...noS3, accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', endpoint: `http://127.0.0.1:${port}` };
    return { store: createFileStore('s3://documents/company/a', s3), stop: () => server.close() };
  },
};

describe.each(Object.entries(drivers))('%s', (_name, start) => {
  let directory: string;
  let store: FileStore;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'files-'));
    ({ store, stop } = await start(directory));
  });
  afterAll(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });

  test.each([0, 1, 65_536, 3_000_001])('returns the %d bytes that were stored', async (size) => {
    const bytes = randomBytes(size);
    const key = keyOf(bytes);
    expect(await store.has(key)).toBe(false);
    await store.put(key, bytes);
    expect(await store.has(key)).toBe(true);
    expect((await read(store, key, size)).equals(bytes)).toBe(true);
  });

  test.each([1, 3_000_001])('takes a finished file of %d bytes from elsewhere', async (size) => {
    const bytes = randomBytes(size);
    const path = join(directory, 'finished');
    await writeFile(path, bytes, { mode: 0o644 });
    await store.putFile(keyOf(bytes), path);
    expect((await read(store, keyOf(bytes), size)).equals(bytes)).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  test('taking the same file from many places at once is one file', async () => {
    const bytes = randomBytes(100_000);
    const paths = Array.from({ length: 8 }, (_, index) => join(directory, `finished-${index}`));
    await Promise.all(paths.map((path) => writeFile(path, bytes)));
    await Promise.all(paths.map((path) => store.putFile(keyOf(bytes), path)));
    expect((await read(store, keyOf(bytes), 100_000)).equals(bytes)).toBe(true);
  });

  test('a finished file that is not there is a failure of the store, with its key', async () => {
    const key = keyOf(Buffer.from('nowhere'));
    await expect(store.putFile(key, join(directory, 'nowhere'))).rejects.toThrow(`could not put the file ${key}: `);
    expect(await store.has(key)).toBe(false);
  });

  test('a local path to a stored file, and nothing left of it afterwards', async () => {
    const bytes = randomBytes(300_000);
    await store.put(keyOf(bytes), bytes);
    let used = '';
    const found = await withLocalFile(store, keyOf(bytes), (path) => {
      used = path;
      return readFile(path);
    });
    expect(found.equals(bytes)).toBe(true);
    expect(existsSync(used)).toBe(store.pathOf(keyOf(bytes)) !== null);
    const failing = withLocalFile(store, keyOf(bytes), async (path) => {
      used = path;
      throw new Error('of the reader');
    });
    await expect(failing).rejects.toThrow('of the reader');
    expect(existsSync(used)).toBe(store.pathOf(keyOf(bytes)) !== null);
    expect(await store.has(keyOf(bytes))).toBe(true);
  });

  test('no local path to what was never put', async () => {
    const key = keyOf(Buffer.from('never'));
    await expect(withLocalFile(store, key, async () => 'used')).rejects.toThrow(`the file store has no ${key}`);
  });

  test('a key that was never put is null, and absent', async () => {
    expect(await store.get(keyOf(Buffer.from('never')))).toBeNull();
    expect(await store.has(keyOf(Buffer.from('never')))).toBe(false);
  });

  test('putting a file again, and from many at once, is one file', async () => {
    const bytes = randomBytes(100_000);
    await Promise.all(Array.from({ length: 8 }, () => store.put(keyOf(bytes), bytes)));
    await store.put(keyOf(bytes), bytes);
    expect((await read(store, keyOf(bytes), 100_000)).equals(bytes)).toBe(true);
  });

  test.each([
    [0, 1],
    [0, 199_999],
    [1, 65_536],
    [65_535, 65_536],
    [199_999, 199_999],
  ])('bytes %i to %i of a file', async (first, last) => {
    const bytes = randomBytes(200_000);
    await store.put(keyOf(bytes), bytes);
    const part = await store.get(keyOf(bytes), { first, last });
    if (part === null) throw new Error('the file is missing');
    expect(part.sizeBytes).toBe(last + 1 - first);
    expect((await readStoredFile(part, 200_000)).equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test('a removed file is gone, and removing it again succeeds', async () => {
    const bytes = randomBytes(10);
    await store.put(keyOf(bytes), bytes);
    await store.remove(keyOf(bytes));
    expect(await store.has(keyOf(bytes))).toBe(false);
    await store.remove(keyOf(bytes));
  });

  test('keys that would leave the store, or mean two things, are refused', async () => {
    for (const key of [
      '',
      '/etc/passwd',
      '../x',
      'a/../b',
      'a//b',
      'a/',
      './a',
      '.tmp/a',
      'a\\b',
      'a\0b',
      'a b',
      'ä',
      'a?b',
      `${'a'.repeat(401)}`,
    ]) {
      await expect(store.put(key, Buffer.from('x')), key).rejects.toThrow('not a file key');
      await expect(store.get(key), key).rejects.toThrow('not a file key');
      await expect(store.has(key), key).rejects.toThrow('not a file key');
      await expect(store.putFile(key, '/dev/null'), key).rejects.toThrow('not a file key');
      expect(() => store.pathOf(key), key).toThrow('not a file key');
      await expect(store.remove(key), key).rejects.toThrow('not a file key');
    }
  });

  test('a file larger than the reader allows is refused before it is read', async () => {
    const bytes = randomBytes(2000);
    await store.put(keyOf(bytes), bytes);
    await expect(read(store, keyOf(bytes), 1999)).rejects.toThrow(FileStoreError);
  });

  test('a reader that stops half way leaves nothing open', async () => {
    const bytes = randomBytes(3_000_000);
    await store.put(keyOf(bytes), bytes);
    for (let round = 0; round < 50; round += 1) {
      const file = await store.get(keyOf(bytes));
      if (round % 2 === 0) for await (const _chunk of file?.stream ?? []) break;
      else await new Promise((resolve) => file?.stream.once('close', resolve).destroy());
    }
    if (existsSync('/proc/self/fd')) expect((await readdir('/proc/self/fd')).length).toBeLessThan(200);
  });
});

describe('a local directory', () => {
  test('keeps files and directories to the service itself', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'files-'));
    const store = createFileStore(`file:${directory}/deep/store`, noS3);
    await store.put('sha256/ab/cd', Buffer.from('x'));
    const modes = await Promise.all(
      ['deep/store', 'deep/store/sha256/ab', 'deep/store/sha256/ab/cd'].map(
        async (path) => (await stat(join(directory, path))).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o700, 0o600]);
    await rm(directory, { recursive: true });
  });

  test('deletes leftovers of killed writers after a day, and nothing younger', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'files-'));
    await createFileStore(`file:${directory}`, noS3).put('a/b', Buffer.from('x'));
    await writeFile(join(directory, '.tmp/old'), 'half');
    await utimes(join(directory, '.tmp/old'), new Date(Date.now() - 90_000_000), new Date(Date.now() - 90_000_000));
    await writeFile(join(directory, '.tmp/young'), 'half');
    await createFileStore(`file:${directory}`, noS3).put('a/c', Buffer.from('x'));
    expect(await readdir(join(directory, '.tmp'))).toEqual(['young']);
    await rm(directory, { recursive: true });
  });

  test('says what failed, of which file, and leaves no temporary file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'files-'));
    const store = createFileStore(`file:${directory}`, noS3);
    await store.put('a/b', Buffer.from('x'));
    await expect(store.put('a', Buffer.from('x'))).rejects.toThrow(/could not put the file a: .*EISDIR/);
    await expect(store.put('a/b/c', Buffer.from('x'))).rejects.toThrow(FileStoreError);
    expect(await readdir(join(directory, '.tmp'))).toEqual([]);
    await rm(directory, { recursive: true });
  });

  test('a file taken from elsewhere is private too, whatever it was and however old it is', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'files-'));
    const path = join(directory, 'finished');
    await writeFile(path, 'x', { mode: 0o644 });
    await utimes(path, new Date(0), new Date(0));
    await createFileStore(`file:${directory}/store`, noS3).putFile('a/b', path);
    expect((await stat(join(directory, 'store/a/b'))).mode & 0o777).toBe(0o600);
    await rm(directory, { recursive: true });
  });

  test.skipIf(memoryDirectory === null)('a file of another file system is copied, and gone from there', async () => {
    const [directory, elsewhere] = await Promise.all([
      mkdtemp(join(tmpdir(), 'files-')),
      mkdtemp(`${memoryDirectory}/files-`),
    ]);
    await writeFile(join(elsewhere, 'finished'), 'x');
    await createFileStore(`file:${directory}`, noS3).putFile('a/b', join(elsewhere, 'finished'));
    expect(await readFile(join(directory, 'a/b'), 'utf8')).toBe('x');
    expect([await readdir(elsewhere), await readdir(join(directory, '.tmp'))]).toEqual([[], []]);
    await Promise.all([rm(directory, { recursive: true }), rm(elsewhere, { recursive: true })]);
  });

  test('a truncated file is an error', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'files-'));
    const store = createFileStore(`file:${directory}`, noS3);
    await store.put('a/b', randomBytes(200_000));
    const file = await store.get('a/b');
    await writeFile(join(directory, 'a/b'), randomBytes(100_000));
    await expect(readStoredFile(file as StoredFile, 200_000)).rejects.toThrow('gave 100000 of its 200000 bytes');
    await rm(directory, { recursive: true });
  });

  test('a URL with three slashes is decoded', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'files-'));
    await createFileStore(`file://${directory}/a%20b`, noS3).put('x/y', Buffer.from('z'));
    expect(await readFile(join(directory, 'a b/x/y'), 'utf8')).toBe('z');
    await rm(directory, { recursive: true });
  });
});

describe('settings', () => {
  const s3 = { ...noS3, accessKeyId: 'k', secretAccessKey: 's', region: 'eu-central-1' };

  test.each([
    ['file:relative/path', s3, /FILES_URL/],
    ['file://other-host/path', s3, /FILES_URL/],
    ['ftp://x/y', s3, /FILES_URL/],
    ['s3://', s3, /FILES_URL/],
    ['s3://bucket/../up', s3, /FILES_URL/],
    ['s3://bucket?x=1', s3, /FILES_URL/],
    ['s3://bucket', { ...s3, accessKeyId: null }, /AWS_ACCESS_KEY_ID/],
    ['s3://bucket', { ...s3, secretAccessKey: null }, /AWS_SECRET_ACCESS_KEY/],
  ])('%s is refused with the setting named', (url, settings, message) => {
    expect(() => createFileStore(url, settings)).toThrow(message);
  });
});
