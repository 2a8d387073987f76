import { accessSync, constants } from 'node:fs';

/** Returns a writable directory of a file system in memory, or null if there is none. */
export const memoryDirectory = isWritable('/dev/shm') ? '/dev/shm' : null;

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
