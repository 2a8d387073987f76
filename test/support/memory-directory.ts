import { accessSync, constants } from 'node:fs';

/** A file system in memory that this user may write to. Null where there is none. */
export const memoryDirectory = isWritable('/dev/shm') ? '/dev/shm' : null;

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
