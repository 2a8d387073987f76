import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { answer } from '../core/terminal.ts';
import { profileName } from './api-command.ts';
import { defaultProfile } from './connection.ts';
import { removeProfile } from './profiles.ts';

export function define(logout: Command): void {
  logout
    .description('delete a stored API key from this machine; the key itself stays valid')
    .option('--profile <name>', 'the profile to delete', profileName, defaultProfile)
    .action(async ({ profile }: { profile: string }, command: Command) => {
      if (!(await removeProfile(profile))) throw new Refusal(`there is no profile "${profile}"`);
      answer(command, { profile }, () => `deleted the profile ${profile}\n`);
    });
}
