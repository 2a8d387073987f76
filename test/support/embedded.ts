import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { locateCluster } from '../../src/postgres/embedded-cluster.ts';
import { stopPostmaster } from '../../src/postgres/embedded-postmaster.ts';

export interface User {
  uid: number;
  gid: number;
}

/** Returns a directory. After the test, its database is stopped and the directory removed. */
export function freshDataDir(owner?: User): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-embedded-'));
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid);
  onTestFinished(() => removeDataDir(directory));
  return directory;
}

/** Returns a copy of a directory with a stopped database, which is faster than creating a new one. */
export function copyDataDir(original: string): string {
  const directory = freshDataDir();
  const { status } = spawnSync('cp', ['-a', join(original, 'postgres'), directory]);
  if (status !== 0) throw new Error(`${original} could not be copied`);
  return directory;
}

async function removeDataDir(directory: string): Promise<void> {
  if (postmasterPid(directory) !== null) await stopPostmaster(await locateCluster(directory));
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

export interface EmbeddedProcess {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves to the address of the database when attached. Rejects with the process's report otherwise. */
  attached: Promise<string>;
  /** Resolves to the exit code (null after a deadly signal) and the whole output. */
  ended: Promise<{ code: number | null; output: string }>;
}

export interface ProcessOptions {
  /** Without it the process runs until SIGTERM. */
  holdMs?: number;
  user?: User;
  script?: string;
}

const attachScript = fileURLToPath(new URL('attach-embedded.ts', import.meta.url));

/** Starts a Node process that attaches to the embedded database, see `attach-embedded.ts`. */
export function startProcess(
  dataDir: string,
  purpose: 'server' | 'command',
  options: ProcessOptions = {},
): EmbeddedProcess {
  const hold = options.holdMs === undefined ? [] : [String(options.holdMs)];
  const child = spawn(process.execPath, [options.script ?? attachScript, dataDir, purpose, ...hold], {
    ...options.user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = collect(child);
  const attached = reported(child, ended);
  attached.catch(() => {}); // not every test awaits it
  return { pid: Number(child.pid), kill: (signal) => child.kill(signal), attached, ended };
}

async function collect(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

async function reported(child: ChildProcess, ended: EmbeddedProcess['ended']): Promise<string> {
  if (child.stdout === null) throw new Error('no output');
  const lines = createInterface({ input: child.stdout });
  const first = new Promise<string>((resolve) => lines.once('line', resolve));
  const line = await Promise.race([first, ended.then(({ output }) => output.split('\n')[0] ?? '')]);
  const { attached, message } = JSON.parse(line || '{}');
  if (attached === undefined) throw new Error(message ?? `nothing reported: ${(await ended).output}`);
  return attached;
}

export async function execute(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the process id in the database server's lock file, or null if there is none. */
export function postmasterPid(dataDir: string): number | null {
  const lock = join(dataDir, 'postgres/postmaster.pid');
  return existsSync(lock) ? Number.parseInt(readFileSync(lock, 'utf8'), 10) : null;
}
