import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { OperatorError } from '../../errors.ts';

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));

/** Replaces this process with the service, as `npm start` does, so that signals reach it. */
export function define(serve: Command): void {
  serve
    .description('run the service, as npm start does: it prints "ready <base_url>" and ends on SIGTERM')
    .action(() => {
      // Windows cannot replace a process.
      if (process.execve === undefined) throw new OperatorError('start the service with npm start');
      process.execve(process.execPath, [process.execPath, ...process.execArgv, main]);
    });
}
