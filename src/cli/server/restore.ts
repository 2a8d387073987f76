import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { createFileStore } from '../../platform/files.ts';
import { commandLog, readSettings, withServer } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { summary } from './backup.ts';

export function define(restore: Command): void {
  restore
    .description('restore a backup into an empty database and DATA_DIR')
    .requiredOption('--from <directory>', 'what backup --out wrote')
    .action(async ({ from }: { from: string }, command: Command) => {
      if (from === '') throw new Refusal('--from must name a directory');
      const directory = resolve(from);
      const config = readSettings();
      const { restoreBackup } = await import('../../backup/restore-backup.ts');
      const { readManifest } = await import('../../backup/manifest.ts');
      await readManifest(directory); // before an embedded database is created
      const manifest = await withServer(config, (databaseUrl) => {
        const { dataDir, secretKey, filesUrl, s3 } = config;
        const target = {
          databaseUrl,
          dataDir,
          files: createFileStore(filesUrl, s3),
          secretKey,
          log: commandLog(config),
        };
        return restoreBackup(target, directory);
      });
      answer(command, summary(directory, manifest), card);
    });
}
