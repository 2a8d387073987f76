import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Becomes the service, as `npm start` does: the same process goes on, so that signals reach it. */
export function define(serve: Command): void {
  serve
    .description('run the service, as npm start does: it prints "ready <base_url>" and ends on SIGTERM')
    .action(() => {
      process.execve?.(process.execPath, [process.execPath, ...process.execArgv, main], process.env);
    });
}
