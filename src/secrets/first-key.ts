import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';
import type { Random } from '../platform/random.ts';
import { ensureSecretKey, readSecretKey } from '../platform/secret-key.ts';
import type { Queryable } from '../postgres/database.ts';
import { sealedColumns } from './sealed-columns.ts';

export interface Installation {
  dataDir: string;
  /** Null before there is a database. */
  db: Queryable | null;
  /** Whether it seals with the certificate that it made for itself. */
  hasOwnCertificate: boolean;
}

/**
 * Makes the secret key of an installation that has none yet. Throws an `OperatorError` when the key was lost: something is
 * there that only it can decrypt.
 */
export async function makeFirstKey(installation: Installation, random: Random): Promise<Buffer> {
  const lost = await explainLostKey(installation);
  if (lost === null) return ensureSecretKey(null, installation.dataDir, random);
  // Another process may have made it meanwhile, and used it.
  const made = await readSecretKey(installation.dataDir);
  if (made === null) throw new OperatorError(lost);
  return made;
}

/** Says what an installation without a secret key can't decrypt, and what to do. Null when nothing is encrypted. */
export async function explainLostKey(installation: Installation): Promise<string | null> {
  const encrypted = await findEncrypted(installation);
  const file = join(installation.dataDir, 'secret.key');
  return encrypted && `${file} is missing, and ${encrypted}: restore it from a backup, or set SECRET_KEY`;
}

async function findEncrypted({ db, dataDir, hasOwnCertificate }: Installation): Promise<string | null> {
  if (hasOwnCertificate && existsSync(join(dataDir, 'signing-certificate.p12')))
    return 'the signing certificate is encrypted with it';
  if (db === null) return null;
  for (const { table, key, column } of sealedColumns) {
    const rows = await db.query({
      name: `any_${table}_${column}`,
      text: `select ${key} from ${table} where ${column} is not null limit 1`,
      values: [],
    });
    if (rows.length > 0) return 'secrets in the database are encrypted with it';
  }
  return null;
}
