import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Manifest } from '../../backup/manifest.ts';
import { Refusal } from '../../errors.ts';
import { createFileStore } from '../../platform/files.ts';
import { readSecretKey } from '../../platform/secret-key.ts';
import { makeKey } from '../core/secret-box.ts';
import { type Session, withExistingDatabase } from '../core/session.ts';
import { answer, card, remark } from '../core/terminal.ts';

export function define(backup: Command): void {
  backup
    .description('save tables, files, keys and certificates to a directory; works while the service runs')
    .requiredOption('--out <directory>', 'new or empty directory; anyone who can read it can act as this service')
    .action(async ({ out }: { out: string }, command: Command) => {
      if (out === '') throw new Refusal('--out must name a directory');
      const directory = resolve(out);
      const manifest = await withExistingDatabase(async (session) => {
        const { config, world, databaseUrl } = session;
        const { writeBackup } = await import('../../backup/write-backup.ts');
        const files = createFileStore(config.filesUrl, config.s3);
        const secretKey = await secretKeyOf(session);
        const source = { databaseUrl, dataDir: config.dataDir, files, secretKey, now: world.clock.now() };
        return writeBackup(source, directory);
      });
      for (const key of manifest.files.missing)
        remark(`the file store has lost ${key}, can't read it, or holds other bytes for it`);
      answer(command, summary(directory, manifest), card);
    });
}

/** Only with the database in DATA_DIR is a key made here: with another one, the service may have its key elsewhere. */
async function secretKeyOf(session: Session): Promise<Buffer> {
  const { secretKey, dataDir, databaseUrl } = session.config;
  const key = secretKey ?? (await readSecretKey(dataDir));
  if (key !== null) return key;
  if (databaseUrl === null) return makeKey(session);
  throw new Refusal(`SECRET_KEY is not set, and ${dataDir} has no secret.key: set it as for the service`);
}

export function summary(directory: string, { created_at, tables, files }: Manifest) {
  return {
    directory,
    created_at,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: files.count,
    file_bytes: files.bytes,
    missing_files: files.missing,
  };
}
