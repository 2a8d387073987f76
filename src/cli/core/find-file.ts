import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Refusal } from '../../errors.ts';

/** Returns the file's status. Refuses a path that is missing, unreadable or not a file. */
export async function findFile(path: string): Promise<Stats> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(error.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${error.code}`);
  });
  if (!found.isFile()) throw new Refusal(`${path} is not a file`);
  return found;
}
