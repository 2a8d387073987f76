import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { makeDirectory } from '../make-directory.ts';
import type { Random } from '../random.ts';

export interface SigningCertificateFile {
  file: string;
  password: string;
}

export interface EnsureOptions {
  dataDir: string;
  /** What encrypts the file. */
  password: string;
  /** What encrypted it before SECRET_KEY was changed. */
  previousPassword?: string | null;
  clock: Clock;
  random: Random;
}

const years = 10;
const dayMs = 86_400_000;

/**
 * The service's own certificate, for when no `SIGNING_CERT_FILE` is given: a self-signed PKCS#12 in `dataDir`, made at
 * the first start. Of two processes that start at once, one makes the file and both use it.
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
  // Loaded here only: every later start does without the libraries that make certificates.
  const { createSelfSigned } = await import('./certificate/self-signed.ts');
  const { writePkcs12 } = await import('./certificate/write-pkcs12.ts');
  // A day early, so that a reader whose clock is behind does not call the first seals premature.
  const notBefore = new Date(clock.now().getTime() - dayMs);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notBefore.getUTCFullYear() + years);
  const identity = await createSelfSigned({ commonName: 'Countersign', notBefore, notAfter, serial: random.bytes(16) });
  return writePkcs12(identity, password);
}

/** A file that neither password opens is left as it is: it is complained of where it is used. */
async function changePassword(
  file: string,
  { dataDir, password, random }: EnsureOptions,
  previousPassword: string,
): Promise<void> {
  const { readPkcs12 } = await import('./certificate/read-pkcs12.ts');
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
  const { writePkcs12 } = await import('./certificate/write-pkcs12.ts');
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

/** Complete or not at all, and never over a file that another process has put there meanwhile. */
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
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A link fails where the name is taken, which a rename would overwrite; a rename serves file systems without links. */
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
  const handle = await open(directory).catch(() => null); // Windows opens no directories
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
