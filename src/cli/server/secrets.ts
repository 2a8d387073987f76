import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { type Resealed, resealSecrets } from '../../secrets/reseal-secrets.ts';
import { openSecretBox } from '../core/secret-box.ts';
import { withExistingDatabase } from '../core/session.ts';
import { answer } from '../core/terminal.ts';

export function define(secrets: Command): void {
  secrets
    .command('rotate')
    .description('after a change of SECRET_KEY: re-encrypt secrets that SECRET_KEY_PREVIOUS encrypted')
    .action(async (_options, command: Command) => {
      const resealed = await withExistingDatabase(async ({ config, world, db }) => {
        if (config.previousSecretKey === null) throw new Refusal(needsBoth);
        const { secretBox } = await openSecretBox({ config, world, db });
        return resealSecrets(db, secretBox);
      });
      answer(command, resealed, summary);
      if (resealed.unreadable > 0) throw new Refusal(`${resealed.unreadable} ${lost}`);
    });
}

const needsBoth = 'set SECRET_KEY_PREVIOUS to the key until now, and SECRET_KEY to the new one';

const lost = 'can be read with neither key: set SECRET_KEY_PREVIOUS to the key they need, or set them up again';

function summary({ resealed, current, unreadable }: Resealed): string {
  const done = unreadable === 0 ? 'Remove SECRET_KEY_PREVIOUS when every process runs with the new key.\n' : '';
  return `${resealed} encrypted again, ${current} were up to date.\n${done}`;
}
