import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { freshDatabase } from '../support/postgres.ts';
import type { CommandEnded, CommandToRun } from './command-host.ts';

export interface Ended {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

/**
 * Runs the real command line with its own settings and nothing else of this process's environment. Commands that may start
 * the embedded database run in a process of their own.
 */
export interface Place {
  dataDir: string;
  cwd: string;
  /** Null for the embedded database. */
  databaseUrl: string | null;
  /** Runs a command to its end, whether it succeeds or fails. */
  run(...args: string[]): Promise<Ended>;
  /** Returns the value printed with `--json`. Fails if anything else was printed, or if the exit code is not 0. */
  json<Value = Record<string, unknown>>(...args: string[]): Promise<Value>;
  /** Returns the one line on stderr of a command that must fail with `code` and print no result. */
  fails(code: 1 | 2, ...args: string[]): Promise<string>;
}

export const bin = fileURLToPath(new URL('../../bin/countersign', import.meta.url));

/** A place with an external database, migrated and empty. */
export async function place(settings: Record<string, string> = {}): Promise<Place> {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  return placeOn({ DATABASE_URL: database.url, ...settings });
}

export function placeOn(settings: Record<string, string>): Place {
  const dataDir = settings.DATA_DIR ?? temporaryDirectory();
  const environment = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, ...settings };
  const cwd = temporaryDirectory();
  const run = (...args: string[]) =>
    settings.DATABASE_URL === undefined && settings.COUNTERSIGN_BASE_URL === undefined
      ? execute(bin, args, environment, cwd)
      : runCommand(args, environment, cwd);
  return {
    dataDir,
    cwd,
    databaseUrl: settings.DATABASE_URL ?? null,
    run,
    async json(...args) {
      const { code, stdout, stderr } = await run(...args, '--json');
      if (code !== 0) throw new Error(`countersign ${args.join(' ')} ended with ${code}: ${stderr}`);
      const lines = stdout.toString().split('\n');
      if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line of JSON: ${stdout}`);
      return JSON.parse(lines[0] as string);
    },
    async fails(wanted, ...args) {
      const { code, stdout, stderr } = await run(...args);
      if (code !== wanted) throw new Error(`countersign ${args.join(' ')} ended with ${code}: ${stderr}`);
      if (stdout.length > 0) throw new Error(`a result was printed: ${stdout}`);
      if (!/^countersign: [^\n]+\n$/.test(stderr)) throw new Error(`not one line: ${stderr}`);
      return stderr.slice('countersign: '.length, -1);
    },
  };
}

let host: ChildProcess | null = null;
let isBusy = false;

/** Runs a command in a process that is kept for the next one; while that is busy, in one of its own. */
export async function runCommand(args: string[], env: Record<string, string>, cwd: string, input = ''): Promise<Ended> {
  return isBusy ? execute(bin, args, env, cwd, input) : runInHost({ args, env, cwd, input });
}

async function runInHost(command: CommandToRun): Promise<Ended> {
  isBusy = true;
  host ??= startHost();
  const running = host;
  try {
    return await new Promise<CommandEnded>((resolve, reject) => {
      const onExit = (code: number | null, signal: string | null) =>
        reject(new Error(`countersign ${command.args.join(' ')} ended its process: ${code ?? signal}`));
      running.once('exit', onExit);
      running.once('message', (ended) => {
        running.off('exit', onExit);
        resolve(ended as CommandEnded);
      });
      running.send(command);
    });
  } finally {
    isBusy = false;
  }
}

/** It ends with this process. */
function startHost(): ChildProcess {
  const started = fork(hostModule, {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  started.once('exit', () => {
    host = null;
  });
  started.unref();
  started.channel?.unref();
  return started;
}

const hostModule = fileURLToPath(new URL('command-host.ts', import.meta.url));

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-cli-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return directory;
}

export async function execute(
  file: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
  input?: string,
): Promise<Ended> {
  const child = spawn(file, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk) => stdout.push(chunk));
  child.stderr.on('data', (chunk) => stderr.push(chunk));
  child.stdin.on('error', () => {}); // the program may end without reading
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  );
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}
