import { randomUUID } from 'node:crypto';
import { copyFile, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryPrefix } from '../../platform/temporary-directory.ts';

/** An output directory for one process, which no other process writes to. It exists while a job runs. */
export interface OutputDirectory {
  directory: string;
  /** Runs a job. A job with an `output` path writes to the directory instead, and the file is then moved to `output`. */
  run<Result>(job: object, run: (job: object) => Promise<Result>): Promise<Result>;
}

export function createOutputDirectory(): OutputDirectory {
  const directory = join(tmpdir(), `${temporaryPrefix}${randomUUID()}`);
  return {
    directory,
    async run(job, run) {
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

/** Moves a file, also to another file system. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
  }
}
