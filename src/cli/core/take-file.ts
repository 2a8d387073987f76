import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileBytesMax } from '../../documents/attach-file.ts';
import type { FileContent } from '../../documents/stored-files.ts';
import { Refusal } from '../../errors.ts';
import { makeTemporaryDirectory } from '../../platform/temporary-directory.ts';
import { findFile } from './find-file.ts';
import { onSignal } from './on-signal.ts';

/** Our own copy. Its bytes match the hash, even if the original changes meanwhile. */
export interface TakenFile extends FileContent {
  path: string;
}

/** Copies a file for the duration of `use`. Throws a `Refusal` when it is missing, empty or too large to attach. */
export async function withTakenFile<Result>(
  source: string,
  use: (taken: TakenFile) => Promise<Result>,
): Promise<Result> {
  await assertAttachable(source);
  const directory = await makeTemporaryDirectory();
  const remove = () => rm(directory, { recursive: true, force: true });
  const forget = onSignal((exitCode) => remove().finally(() => process.exit(exitCode)));
  try {
    return await use(await copy(source, join(directory, 'copy')));
  } finally {
    await remove();
    forget();
  }
}

async function assertAttachable(source: string): Promise<void> {
  const found = await findFile(source);
  if (found.size === 0) throw new Refusal(`${source} is empty`);
  if (found.size > fileBytesMax) throw tooLarge(source);
}

async function copy(source: string, path: string): Promise<TakenFile> {
  const [from, to] = [await openToRead(source), await open(path, 'wx', 0o600)];
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of from.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > fileBytesMax) throw tooLarge(source);
      hash.update(chunk);
      await to.writeFile(chunk);
    }
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
  return { path, bytes, sha256: hash.digest() };
}

async function openToRead(source: string) {
  try {
    return await open(source, 'r');
  } catch (error) {
    throw new Refusal(`${source} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function tooLarge(source: string): Refusal {
  return new Refusal(`${source} is larger than ${fileBytesMax / 2 ** 20} MB`);
}
