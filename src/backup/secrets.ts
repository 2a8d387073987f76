import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../errors.ts';
import { inheritOwner, inheritOwnerOfAll } from '../platform/inherit-owner.ts';
import { makeDirectory } from '../platform/make-directory.ts';

/** Files in DATA_DIR next to the database and the documents. They cannot be recreated. */
const secretKeyFile = 'secret.key';
const kept = [secretKeyFile, 'signing-certificate.p12', 'certificates'];

export function secretKeySha256(secretKey: Buffer): string {
  return createHash('sha256').update(secretKey).digest('hex');
}

export async function saveSecrets(dataDir: string, directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  for (const name of kept) {
    if (await exists(join(dataDir, name))) await cp(join(dataDir, name), join(directory, name), { recursive: true });
  }
}

/**
 * Copies the secrets into a DATA_DIR without any. Throws a `Refusal` when it has others, because they belong to another
 * service. The files of `certificates` are added to existing ones.
 */
export async function restoreSecrets(directory: string, dataDir: string): Promise<void> {
  const files = kept.filter((name) => name !== 'certificates');
  for (const name of files) await assertSameOrAbsent(join(directory, name), join(dataDir, name));
  await makeDirectory(dataDir, 0o700);
  for (const name of files) {
    if (!(await exists(join(directory, name)))) continue;
    await copyFile(join(directory, name), join(dataDir, name));
    await inheritOwner(join(dataDir, name));
  }
  if (await exists(join(directory, 'certificates'))) {
    await cp(join(directory, 'certificates'), join(dataDir, 'certificates'), { recursive: true });
    await inheritOwnerOfAll(join(dataDir, 'certificates'));
  }
}

async function assertSameOrAbsent(from: string, to: string): Promise<void> {
  if (!(await exists(from)) || !(await exists(to))) return;
  const [saved, present] = await Promise.all([readFile(from), readFile(to)]);
  if (!saved.equals(present)) throw new Refusal(`${to} is another than the backup's: restore into an empty DATA_DIR`);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
