import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../errors.ts';

/**
 * What a backup holds, written last: a directory without it is no backup, or half of one.
 *
 *     manifest.json   this
 *     tables/NAME     the rows of a table, as PostgreSQL's COPY writes them
 *     jobs.json       what the queue had yet to do: `[{ name, … }, …]`
 *     files/KEY       the documents' files, by their key in the file store, which is their SHA-256
 *     secrets/…       what DATA_DIR holds of keys and certificates
 */
export interface Manifest {
  format: 1;
  created_at: string;
  /** The schema the rows belong to: they are restored into exactly this, which is then brought up to date. */
  migrations: Array<{ version: number; name: string; sha256: string }>;
  /** In an order in which every row finds those it refers to. */
  tables: Array<{ name: string; columns: string[]; rows: number; sha256: string }>;
  files: { count: number; bytes: number; missing: string[] };
  /** SHA-256 of SECRET_KEY, in hex: without the same key nothing encrypted in the tables can be read. */
  secret_key_sha256: string;
}

export const manifestName = 'manifest.json';

/** Throws a `Refusal` for what is no backup of ours. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, manifestName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
      throw new Refusal(`${directory} holds no backup, or one that was not finished: it has no ${manifestName}`);
    }
    throw new Refusal(`${directory} cannot be read: ${error.message}`);
  });
  const manifest = parse(text);
  if (manifest?.format !== 1)
    throw new Refusal(`${join(directory, manifestName)} is not that of a backup this version knows`);
  return manifest as Manifest;
}

function parse(text: string): Partial<Manifest> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
