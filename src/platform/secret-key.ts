import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { inheritOwnerOf } from './inherit-owner.ts';
import { makeDirectory } from './make-directory.ts';
import type { Random } from './random.ts';

const keyBytes = 32;

/**
 * Returns the service's 32-byte secret: the configured one, the one stored in `dataDir`, or a new one stored there. If
 * two processes start at once, both get the same secret.
 */
export async function ensureSecretKey(configured: Buffer | null, dataDir: string, random: Random): Promise<Buffer> {
  if (configured !== null) return configured;
  return (await readSecretKey(dataDir)) ?? (await writeKey(fileIn(dataDir), random));
}

/** Returns the secret stored in a directory, or null. Throws an `OperatorError` when it can't be read. */
export function readSecretKey(directory: string): Promise<Buffer | null> {
  return readKey(fileIn(directory));
}

const fileIn = (directory: string) => join(directory, 'secret.key');

async function readKey(file: string): Promise<Buffer | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`cannot read ${file}: ${(error as Error).message}`);
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes) throw new OperatorError(`${file} does not hold ${keyBytes} bytes in base64`);
  return key;
}

async function writeKey(file: string, random: Random): Promise<Buffer> {
  const temporary = `${file}.${random.bytes(6).toString('hex')}`;
  try {
    await makeDirectory(dirname(file));
    const handle = await open(temporary, 'wx', 0o600);
    await handle.writeFile(`${random.bytes(keyBytes).toString('base64')}\n`);
    await inheritOwnerOf(handle, temporary);
    await handle.sync();
    await handle.close();
    await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw new OperatorError(`cannot write ${file}: ${(error as Error).message}`);
  } finally {
    await rm(temporary, { force: true });
  }
  return (await readKey(file)) as Buffer;
}
