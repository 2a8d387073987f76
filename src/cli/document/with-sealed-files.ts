import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createSealedFiles, type SealedFiles } from '../../documents/sealed-files.ts';
import { openDatabase } from '../../postgres/database.ts';
import { commandLog, withServer } from '../core/session.ts';

const timeoutMs = 5000;

/**
 * Calls `work` with the service's records of sealed files, or with null when the database is unreachable or too old to have
 * them. Does not start a stopped database.
 */
export async function withSealedFiles<Result>(
  config: Config | null,
  work: (sealedFiles: SealedFiles | null) => Promise<Result>,
): Promise<Result> {
  if (config === null || !mayRun(config)) return work(null);
  let begun = false;
  const start = (sealedFiles: SealedFiles | null) => {
    begun = true;
    return work(sealedFiles);
  };
  try {
    return await withServer(config, async (url) => {
      const db = openDatabase({ url, connectionsMax: 1, timeoutMs, log: commandLog(config), applicationName });
      try {
        const sealedFiles = createSealedFiles(db);
        await sealedFiles.find([]);
        return await start(sealedFiles);
      } finally {
        await db.close();
      }
    });
  } catch (error) {
    if (begun) throw error;
    return work(null);
  }
}

const applicationName = 'countersign command';

function mayRun({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, 'postgres', 'postmaster.pid'));
}
