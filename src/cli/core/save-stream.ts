import { createHash } from 'node:crypto';
import { link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Refusal } from '../../errors.ts';
import { systemRandom } from '../../platform/random.ts';
import { onSignal } from './on-signal.ts';

export interface Saved {
  bytes: number;
  sha256: string;
}

/** Checks before anything is fetched. A file that appears later is not replaced either. */
export async function assertWritable(path: string, mayReplace: boolean): Promise<void> {
  if (path === '') throw new Refusal('the file has no name');
  const present = await stat(path).catch(() => lstat(path).catch(() => null));
  if (present?.isDirectory()) throw new Refusal(`${path} is a directory`);
  const isSpecial = present !== null && !present.isFile() && !present.isSymbolicLink();
  if (isSpecial) throw new Refusal(`${path} is not a file that can be replaced`);
  if (present !== null && !mayReplace) throw taken(path);
  const directory = dirname(path);
  const isDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) throw new Refusal(`there is no directory ${directory}`);
}

/**
 * Writes the file completely or not at all: to a temporary name in the same directory, synced, then renamed. Replaces the
 * file that a symbolic link leads to, not the link.
 */
export async function saveStream(stream: Readable, out: string, mayReplace: boolean): Promise<Saved> {
  const path = mayReplace ? await realpath(out).catch(() => out) : out;
  const temporary = join(dirname(path), `.countersign-${systemRandom.bytes(8).toString('hex')}.part`);
  const removeTemporary = () => rm(temporary, { force: true });
  const forget = onSignal((exitCode) => removeTemporary().finally(() => process.exit(exitCode)));
  try {
    const saved = await write(stream, temporary);
    await (mayReplace ? rename(temporary, path) : linkAsNew(temporary, path));
    return saved;
  } finally {
    stream.destroy();
    await removeTemporary();
    forget();
  }
}

async function write(stream: Readable, path: string): Promise<Saved> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path, 'wx');
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Linking fails when the name exists, where renaming would replace the file. Some file systems have no links. */
async function linkAsNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken(to);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    await assertWritable(to, false);
    await rename(from, to);
  }
}

function taken(path: string): Refusal {
  return new Refusal(`${path} is there already: --force replaces it`);
}
