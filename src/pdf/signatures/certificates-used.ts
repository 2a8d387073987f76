import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { makeDirectory } from '../../platform/make-directory.ts';

/**
 * Suffix of the files with the certificates that have sealed documents, one PEM file each. Seals are checked against them.
 * They are not secret. An operator may add files, for example after moving a service.
 */
const suffix = '.pem';

/** Stores a certificate (DER) under its SHA-256, unless it is already stored. */
export async function storeCertificate(directory: string, der: Uint8Array): Promise<void> {
  await makeDirectory(directory);
  const name = createHash('sha256').update(der).digest('hex') + suffix;
  if ((await readdir(directory)).includes(name)) return;
  const temporary = join(directory, `${name}.${randomUUID()}.tmp`);
  try {
    await writeDurably(temporary, new X509Certificate(der).toString());
    await rename(temporary, join(directory, name));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Returns all stored certificates as DER. Returns none when the directory does not exist. */
export async function readCertificatesUsed(directory: string): Promise<Uint8Array[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith(suffix)).sort();
  return (await Promise.all(files.map((name) => readCertificateFile(join(directory, name))))).flat();
}

/** Reads the certificates of a PEM file. Throws an `OperatorError` that names the file when a certificate is damaged. */
async function readCertificateFile(file: string): Promise<Uint8Array[]> {
  const text = await readFile(file);
  try {
    return readPem(text);
  } catch (error) {
    throw new OperatorError(`${file} contains a damaged certificate`, { cause: error });
  }
}

/** Reads the certificates of a PEM text as DER. Ignores other text between them. Throws when a certificate is damaged. */
export function readPem(text: Buffer): Uint8Array[] {
  const blocks = text.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block).raw);
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
