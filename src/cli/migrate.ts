import type { Command } from 'commander';
import { applyMigrations } from './apply-migrations.ts';
import { commandLog, readSettings, withServer } from './session.ts';
import { answer, oneLine } from './terminal.ts';

export function define(migrate: Command): void {
  migrate
    .description('bring the database and the job queue up to this version, as every start of the service does')
    .action(async (_options, command: Command) => {
      const config = readSettings();
      const applied = await withServer(config, (url) => applyMigrations(url, commandLog(config)));
      answer(
        command,
        { applied },
        () => applied.map((name) => `applied ${oneLine(name)}\n`).join('') || 'nothing to do\n',
      );
    });
}
