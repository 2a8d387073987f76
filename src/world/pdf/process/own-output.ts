import { randomUUID } from 'node:crypto';
import { copyFile, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryPrefix } from '../../temporary-directory.ts';

/** Where a process writes its results: a directory that no other process writes to, there while a job runs. */
export interface OwnOutput {
  directory: string;
  /** Runs a job that names its result `output`: it is written to the directory, and moved where it belongs at the end. */
  around<Result>(job: object, run: (job: object) => Promise<Result>): Promise<Result>;
}

export function createOwnOutput(): OwnOutput {
  const directory = join(tmpdir(), `${temporaryPrefix}${randomUUID()}`);
  return {
    directory,
    async around(job, run) {
      const wanted = (job as { output?: unknown }).output;
      if (typeof wanted !== 'string') return run(job);
      await mkdir(directory, { mode: 0o700 });
      try {
        const output = join(directory, 'output');
        const result = await run({ ...job, output });
        const found = await lstat(output).catch(() => null);
        if (found?.isFile()) await move(output, wanted);
        return result;
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}

/** Also to another file system. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
  }
}
