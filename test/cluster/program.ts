import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { serverUser } from '../../src/postgres/embedded-process.ts';

/** A program of the cluster. PostgreSQL and others refuse to run as root, so it runs as an ordinary user. */
export interface Program {
  start(): void;
  kill(): Promise<void>;
}

const user = serverUser([]) ?? {};

/** Describes a program that writes its output to `<directory>/<name>.log`. `start` starts it, also again. */
export function describeProgram(name: string, directory: string, command: readonly string[]): Program {
  const [program = '', ...args] = command;
  let child: ChildProcess | null = null;
  return {
    start() {
      const log = openSync(join(directory, `${name}.log`), 'a');
      const { PATH = '' } = process.env;
      child = spawn(program, args, {
        ...user,
        cwd: directory,
        env: { PATH: `${PATH}:/usr/sbin`, HOME: directory, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
        stdio: ['ignore', log, log],
      });
    },
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
