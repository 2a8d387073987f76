import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { inheritOwnerOf } from '../../platform/inherit-owner.ts';
import { makeDirectory } from '../../platform/make-directory.ts';
import type { Random } from '../../platform/random.ts';

export interface SigningCertificateFile {
  file: string;
  password: string;
}

export interface EnsureOptions {
  dataDir: string;
  /** Password that encrypts the file. */
  password: string;
  /** Password before SECRET_KEY was changed. */
  previousPassword?: string | null;
  clock: Clock;
  random: Random;
}

const years = 10;
const dayMs = 86_400_000;

/**
 * Returns the service's own certificate, for use without `SIGNING_CERT_FILE`: a self-signed PKCS#12 file in `dataDir`. Creates
 * it at the first start. When two processes start at once, both use the file of one of them.
 */
export async function ensureSigningCertificate(options: EnsureOptions): Promise<SigningCertificateFile> {
  const file = join(options.dataDir, 'signing-certificate.p12');
  if (!(await exists(file))) {
    await makeDirectory(options.dataDir);
    await writeOnce(options.dataDir, file, await generate(options), options.random);
  } else if (options.previousPassword != null) {
    await changePassword(file, options, options.previousPassword);
  }
  return { file, password: options.password };
}

async function generate({ password, clock, random }: EnsureOptions): Promise<Buffer> {
  // Imported here, because later starts do not need these libraries.
  const { createSelfSigned } = await import('./self-signed.ts');
  const { writePkcs12 } = await import('./write-pkcs12.ts');
  // Valid from yesterday, so that the first seals are valid in readers whose clock is slow.
  const notBefore = new Date(clock.now().getTime() - dayMs);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notBefore.getUTCFullYear() + years);
  const identity = await createSelfSigned({ commonName: 'Countersign', notBefore, notAfter, serial: random.bytes(16) });
  return writePkcs12(identity, password);
}

/** Encrypts the file with the new password. Ignores a file that neither password opens: its use reports the error. */
async function changePassword(
  file: string,
  { dataDir, password, random }: EnsureOptions,
  previousPassword: string,
): Promise<void> {
  const { readPkcs12 } = await import('./read-pkcs12.ts');
  const bytes = await readFile(file);
  const opened = (by: string) => {
    try {
      return readPkcs12(bytes, by);
    } catch {
      return null;
    }
  };
  const held = opened(password) === null ? opened(previousPassword) : null;
  const [key, certificate] = [held?.keys[0], held?.certificates[0]];
  if (key === undefined || certificate === undefined) return;
  const { writePkcs12 } = await import('./write-pkcs12.ts');
  await replace(dataDir, file, await writePkcs12({ key, certificate: certificate.raw }, password), random);
}

async function exists(file: string): Promise<boolean> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  await handle?.close();
  return handle !== null;
}

/** Writes a file atomically, unless another process has created it in the meantime. */
async function writeOnce(directory: string, file: string, bytes: Buffer, random: Random): Promise<void> {
  const temporary = `${file}.${random.bytes(6).toString('hex')}.tmp`;
  try {
    await writeDurably(temporary, bytes);
    await linkOrRename(temporary, file);
    await syncDirectory(directory);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function replace(directory: string, file: string, bytes: Buffer, random: Random): Promise<void> {
  const temporary = `${file}.${random.bytes(6).toString('hex')}.tmp`;
  await writeDurably(temporary, bytes);
  await rename(temporary, file);
  await syncDirectory(directory);
}

async function writeDurably(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await inheritOwnerOf(handle, file);
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Moves a file without overwriting: a link fails when the name exists. Uses a rename on file systems without links. */
async function linkOrRename(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
    await rename(temporary, file);
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory).catch(() => null); // Windows cannot open directories
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
