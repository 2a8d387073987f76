import { chown, cp, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAtomicWriter } from './files-atomic.ts';
import { inheritOwner, inheritOwnerOfAll } from './inherit-owner.ts';
import { makeDirectory } from './make-directory.ts';
import { systemRandom } from './random.ts';
import { ensureSecretKey } from './secret-key.ts';

let directory: string;
let data: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'owner-'));
  data = join(directory, 'data');
  await mkdir(data);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const ownerOf = async (path: string) => (await stat(path)).uid;

describe.runIf(process.getuid?.() === 0)('as root, in the directory of another user', () => {
  const service = 4711;
  beforeEach(() => chown(data, service, service));

  test('new directories and files belong to that user, however they came there', async () => {
    const writer = createAtomicWriter(join(data, 'files'));
    await writer.write('a/one', 'one');
    await writeFile(join(directory, 'two'), 'two');
    await writer.move('b/two', join(directory, 'two'));
    await ensureSecretKey(null, data, systemRandom);
    await makeDirectory(join(data, 'in', 'deep'));
    const made = ['files', 'files/.tmp', 'files/a/one', 'files/b', 'files/b/two', 'secret.key', 'in/deep'];
    expect(await Promise.all(made.map((name) => ownerOf(join(data, name))))).toEqual(made.map(() => service));
  });

  test('so does a copied tree, but not what a link in it leads to', async () => {
    await mkdir(join(directory, 'tree', 'inner'), { recursive: true });
    await writeFile(join(directory, 'tree', 'inner', 'file'), '');
    await cp(join(directory, 'tree'), join(data, 'tree'), { recursive: true });
    await writeFile(join(directory, 'foreign'), '');
    await symlink(join(directory, 'foreign'), join(data, 'tree', 'link'));
    await inheritOwnerOfAll(join(data, 'tree'));
    expect(await ownerOf(join(data, 'tree', 'inner', 'file'))).toBe(service);
    await expect(inheritOwner(join(data, 'tree', 'link'))).rejects.toThrow('ELOOP');
    expect(await ownerOf(join(directory, 'foreign'))).toBe(0);
  });
});

test('in the directory of the own user nothing changes hands', async () => {
  await createAtomicWriter(join(data, 'files')).write('a/one', 'one');
  expect(await ownerOf(join(data, 'files/a/one'))).toBe(process.getuid?.());
});
