import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../errors.ts';
import { readPem } from './certificates-used.ts';

/**
 * Reads the certificates (DER) of trusted time-stamp authorities from the PEM file TSA_TRUST_FILE. Returns none for null.
 *
 * @throws an `OperatorError` when the file cannot be read, has no certificate, or has a damaged one.
 */
export async function readTrustAnchors(file: string | null): Promise<Uint8Array[]> {
  if (file === null) return [];
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw bad(error.code === 'ENOENT' ? `the file ${file} does not exist` : `the file ${file} cannot be read`, error);
  });
  const certificates = certificatesIn(file, bytes);
  if (certificates.length === 0) throw bad(`the file ${file} must hold certificates in PEM`);
  return certificates;
}

function certificatesIn(file: string, bytes: Buffer): Uint8Array[] {
  try {
    return readPem(bytes);
  } catch (error) {
    throw bad(`the file ${file} holds a damaged certificate`, error);
  }
}

function bad(problem: string, cause?: unknown): OperatorError {
  return new OperatorError(`bad setting TSA_TRUST_FILE: ${problem}`, { cause });
}
