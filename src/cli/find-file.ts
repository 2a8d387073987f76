import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Refusal } from '../errors.ts';

/** What the file system knows of a file that somebody named. Refuses what is not there, cannot be looked at, or is no file. */
export async function findFile(path: string): Promise<Stats> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(error.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${error.code}`);
  });
  if (!found.isFile()) throw new Refusal(`${path} is not a file`);
  return found;
}
