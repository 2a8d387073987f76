import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../../test/support/postgres.ts';
import { TestClock } from '../../test/support/service.ts';
import { createFileStore, type FileStore } from '../platform/files.ts';
import { createNewId } from '../platform/ids.ts';
import { createLog } from '../platform/log.ts';
import { systemRandom } from '../platform/random.ts';
import type { World } from '../platform/world.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import {
  type FileContent,
  fileKey,
  releaseFile,
  removeUnreferencedFiles,
  retainFile,
  storeFile,
} from './stored-files.ts';

let database: { url: string; drop(): Promise<void> };
let db: Database;
let directory: string;
let files: FileStore;
const clock = new TestClock();
const log = createLog('silent');
const world: World = { clock, random: systemRandom, newId: createNewId(clock, systemRandom), log };
const noS3 = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null, endpoint: null };

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, connectionsMax: 4, log });
  directory = await mkdtemp(join(tmpdir(), 'stored-'));
  files = createFileStore(`file:${directory}/store`, noS3);
});
afterAll(async () => {
  await db.close();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

async function finishedFile(bytes = randomBytes(1000)): Promise<{ content: FileContent; path: string; key: string }> {
  const sha256 = createHash('sha256').update(bytes).digest();
  const path = join(directory, randomBytes(8).toString('hex'));
  await writeFile(path, bytes);
  return { content: { sha256, bytes: bytes.length }, path, key: fileKey(sha256.toString('hex')) };
}

const retain = (content: FileContent) => db.transaction((tx) => retainFile(tx, content));
const release = (content: FileContent) => db.transaction((tx) => releaseFile(tx, world, content.sha256));
const removeFiles = (graceDays = 0) => removeUnreferencedFiles(world, db, files, graceDays);

async function isRemoved({ content, key }: { content: FileContent; key: string }): Promise<boolean> {
  const rows = await db.query({
    name: 'row',
    text: 'select from stored_files where sha256 = $1',
    values: [content.sha256],
  });
  const isStored = await files.has(key);
  expect(isStored).toBe(rows.length === 1);
  return !isStored;
}

test('removes a file an hour after its last reference', async () => {
  const file = await finishedFile();
  await storeFile(world, db, files, file.content, file.path);
  await retain(file.content);
  await retain(file.content);
  clock.advance({ days: 400 });
  await removeFiles();
  await release(file.content);
  clock.advance({ days: 1 });
  await removeFiles();
  expect(await isRemoved(file)).toBe(false);
  await release(file.content);
  clock.advance({ minutes: 59 });
  await removeFiles();
  expect(await isRemoved(file)).toBe(false);
  clock.advance({ minutes: 2 });
  await removeFiles();
  expect(await isRemoved(file)).toBe(true);
});

test('removes a file without references an hour after it was last stored', async () => {
  const file = await finishedFile(Buffer.from('the same'));
  await storeFile(world, db, files, file.content, file.path);
  clock.advance({ minutes: 50 });
  const again = await finishedFile(Buffer.from('the same'));
  await storeFile(world, db, files, again.content, again.path);
  clock.advance({ minutes: 50 });
  await removeFiles();
  expect(await isRemoved(file)).toBe(false);
  clock.advance({ minutes: 11 });
  await removeFiles();
  expect(await isRemoved(file)).toBe(true);
});

test('refuses to retain a file that was not stored or has been removed', async () => {
  const file = await finishedFile();
  await expect(retain(file.content)).rejects.toThrow('is not stored');
  await storeFile(world, db, files, file.content, file.path);
  await expect(retain({ ...file.content, bytes: 999 })).rejects.toThrow('is not stored');
  clock.advance({ hours: 2 });
  await removeFiles();
  await expect(retain(file.content)).rejects.toThrow('is not stored');
});

test('waits for a running removal before it stores the same file again', async () => {
  const bytes = randomBytes(1000);
  const file = await finishedFile(bytes);
  await storeFile(world, db, files, file.content, file.path);
  clock.advance({ hours: 2 });
  const storing = Promise.withResolvers<void>();
  const slow: FileStore = {
    ...files,
    async remove(key) {
      const again = await finishedFile(bytes);
      void storeFile(world, db, files, again.content, again.path).then(storing.resolve, storing.reject);
      await expect(retain(file.content)).rejects.toThrow('is not stored');
      await files.remove(key);
    },
  };
  expect(await removeUnreferencedFiles(world, db, slow, 0)).toBe(1);
  await storing.promise;
  await retain(file.content);
  expect(await files.has(file.key)).toBe(true);
});

test('removes everything that is due in one run, and what a failing store does not keep it from', async () => {
  const made = Array.from({ length: 250 }, () => finishedFile(randomBytes(20)));
  for (const file of await Promise.all(made)) await storeFile(world, db, files, file.content, file.path);
  clock.advance({ hours: 2 });
  expect(await removeFiles()).toBe(250);

  const [kept, removed] = [await finishedFile(), await finishedFile()];
  for (const file of [kept, removed]) await storeFile(world, db, files, file.content, file.path);
  clock.advance({ hours: 2 });
  const remove = (key: string) => (key === kept.key ? Promise.reject(new Error('in use')) : files.remove(key));
  await expect(removeUnreferencedFiles(world, db, { ...files, remove }, 0)).rejects.toThrow('in use');
  expect([await isRemoved(kept), await isRemoved(removed)]).toEqual([false, true]);
  clock.advance({ minutes: 11 });
  expect(await removeFiles()).toBe(1);
});

test('repeats a failed removal, in one of several concurrent runs', async () => {
  const file = await finishedFile();
  await storeFile(world, db, files, file.content, file.path);
  clock.advance({ hours: 2 });
  const broken = { ...files, remove: () => Promise.reject(new Error('killed')) };
  await expect(removeUnreferencedFiles(world, db, broken, 0)).rejects.toThrow('killed');
  expect(await removeFiles()).toBe(0);
  clock.advance({ minutes: 11 });
  const removed = await Promise.all([removeFiles(), removeFiles(), removeFiles()]);
  expect(removed.reduce((sum, count) => sum + count)).toBe(1);
  expect(await isRemoved(file)).toBe(true);
});

test('never removes a file that has references, with concurrent stores, retains, releases and removals', async () => {
  const bytes = randomBytes(1000);
  const { content, key } = await finishedFile(bytes);
  const use = async () => {
    const file = await finishedFile(bytes);
    await storeFile(world, db, files, file.content, file.path);
    await retain(content);
    expect(await files.has(key)).toBe(true);
    await release(content);
  };
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([use(), use(), use(), removeFiles(), removeFiles()]);
    clock.advance({ minutes: 61 });
    await Promise.all([removeFiles(), use(), removeFiles()]);
  }
});

test('keeps a file for days after its last row is gone, for a database that is restored to an earlier time', async () => {
  const [used, unused] = [await finishedFile(), await finishedFile()];
  for (const { content, path } of [used, unused]) await storeFile(world, db, files, content, path);
  await retain(used.content);
  await release(used.content);
  clock.advance({ days: 2, hours: 23 });
  await removeFiles(3);
  expect([await files.has(used.key), await files.has(unused.key)]).toEqual([true, false]);
  // The row came back, and with it the file. Its days begin again.
  await retain(used.content);
  clock.advance({ days: 2 });
  await release(used.content);
  clock.advance({ days: 2, hours: 23 });
  await removeFiles(3);
  expect(await files.has(used.key)).toBe(true);
  clock.advance({ hours: 2 });
  await removeFiles(3);
  expect(await files.has(used.key)).toBe(false);
});

test('keeps the bytes of a sealed PDF that was also attached to another document', async () => {
  const file = await finishedFile();
  await storeFile(world, db, files, file.content, file.path);
  await db.query({
    name: 'company',
    text: `insert into accounts (id, display_name, tier, created_at) values ($1, 'Acme', 'pro', $2)`,
    values: ['00000000-0000-7000-8000-000000000001', clock.now()],
  });
  await db.query({
    name: 'sealed',
    text: `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode, recipient_count,
             sent_at, sent_mode, completed_at, sealed_at, sealed_file, created_at, updated_at, audit_seq, audit_hash)
           values ($1, $1, 'contract', 'completed', 'T', 'en', 'parallel', 1, $2, 'live', $2, $2, $3, $2, $2, 1, $4)`,
    values: ['00000000-0000-7000-8000-000000000001', clock.now(), file.key, Buffer.alloc(32)],
  });
  clock.advance({ hours: 2 });
  await removeFiles();
  expect(await files.has(file.key)).toBe(true);
  await expect(retain(file.content)).rejects.toThrow('is not stored');
});
