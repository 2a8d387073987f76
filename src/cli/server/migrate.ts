import type { Command } from 'commander';
import { commandLog, readSettings, withServer } from '../core/session.ts';
import { answer, oneLine, remark } from '../core/terminal.ts';
import { applyMigrations } from './apply-migrations.ts';

export function define(migrate: Command): void {
  migrate
    .description('update the database and the job queue to this version, as every start of the service does')
    .option('--keep <id>', 'the person or member to keep among those with the same e-mail address', collect, [])
    .action(async ({ keep }: { keep: string[] }, command: Command) => {
      const config = readSettings();
      const options = { keep, onNotice: remark };
      const applied = await withServer(config, (url) => applyMigrations(url, commandLog(config), options));
      answer(
        command,
        { applied },
        () => applied.map((name) => `applied ${oneLine(name)}\n`).join('') || 'nothing to do\n',
      );
    });
}

function collect(id: string, earlier: readonly string[]): string[] {
  return [...earlier, id];
}
