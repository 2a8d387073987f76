import { constants, type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * As root, gives a new file or directory to the owner of the directory that it is in, unless that is root. So
 * `sudo countersign …` leaves nothing in DATA_DIR that the service's user can't use. Links are not followed.
 */
export async function inheritOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  await inheritOwnerOf(file, path).finally(() => file.close());
}

/** Like `inheritOwner`, for an open file at `path`. */
export async function inheritOwnerOf(file: FileHandle, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const [{ uid, gid }, present] = await Promise.all([stat(dirname(path)), file.stat()]);
  if (uid === 0 || uid === present.uid) return;
  await file.chown(uid, gid).catch((error: NodeJS.ErrnoException) => {
    // Some file systems and containers let nobody do this. Then it stays root's, as everything else there.
    if (!['EPERM', 'EINVAL', 'ENOTSUP'].includes(error.code ?? '')) throw error;
  });
}

/** Like `inheritOwner`, for a directory and everything in it. */
export async function inheritOwnerOfAll(directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  await inheritOwner(directory);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await inheritOwnerOfAll(path);
    else if (entry.isFile()) await inheritOwner(path);
  }
}
