import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { OperatorError } from '../errors.ts';

export interface ServerUser {
  uid: number;
  gid: number;
}

const nobody: ServerUser = { uid: 65534, gid: 65534 };

/**
 * Returns the user to run PostgreSQL as, or null for the current user. PostgreSQL refuses to run as root. As root, it
 * runs as the owner of the first of `paths` that exists and isn't root's. So `sudo countersign …` leaves data with the
 * service's user.
 */
export function serverUser(paths: string[]): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  if (process.platform !== 'linux') {
    throw new OperatorError(
      'the embedded PostgreSQL cannot run as root here: start as an ordinary user, or set DATABASE_URL',
    );
  }
  for (const path of paths) {
    const owner = statSync(path, { throwIfNoEntry: false });
    if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  return nobody;
}

/** Excludes our own environment: it holds secrets, and `PG…` variables would change the server's behaviour. */
export const serverEnvironment = { LC_ALL: 'C', TZ: 'UTC' };

export interface ProgramResult {
  code: number | null;
  /** Standard output and standard error. */
  output: string;
}

/** Runs a PostgreSQL program and waits for it to end. */
export async function runProgram(path: string, args: string[], cwd: string, user: ServerUser | null) {
  const child = spawnProgram(path, args, user, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise<ProgramResult>((resolve, reject) => {
    child.once('error', (error) => reject(explainSpawnError(error, path, user)));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Starts a program in its own session, so that neither Ctrl-C nor a closed terminal ends it. */
export function spawnProgram(
  path: string,
  args: string[],
  user: ServerUser | null,
  options: SpawnOptions,
): ChildProcess {
  try {
    return spawn(path, args, { env: serverEnvironment, ...options, ...user, detached: true });
  } catch (error) {
    // Node reports most failures as an event, but throws when it may not change the user.
    throw explainSpawnError(error as NodeJS.ErrnoException, path, user);
  }
}

export function explainSpawnError(error: NodeJS.ErrnoException, path: string, user: ServerUser | null): OperatorError {
  // The file exists, so its loader is missing: the system's C library is not glibc.
  if (error.code === 'ENOENT' && existsSync(path)) {
    return new OperatorError(
      'the embedded PostgreSQL needs glibc, which this system (Alpine?) lacks: set DATABASE_URL',
      { cause: error },
    );
  }
  return (
    explainUserError(error, user) ?? new OperatorError(`${path} cannot be run: ${error.message}`, { cause: error })
  );
}

/**
 * Explains why a program could not change its user: root in a container may lack the right to, or no other user exists.
 * Returns null for other errors.
 */
export function explainUserError(error: NodeJS.ErrnoException, user: ServerUser | null): OperatorError | null {
  if (user === null || (error.code !== 'EPERM' && error.code !== 'EINVAL')) return null;
  return new OperatorError(
    `PostgreSQL does not run as root, and this process may not switch to user ${user.uid} (${error.code}): start as an ordinary user, or set DATABASE_URL`,
    { cause: error },
  );
}

/**
 * Returns the start time of a process as a word, or null. Process ids are reused soon, in a container at each restart.
 */
export function processStart(pid: number): string | null {
  if (process.platform !== 'linux') return ps('lstart=', pid)?.replace(/\W/g, '') ?? null;
  const stat = readProc(pid, 'stat');
  // Format: `pid (program) state …`. The program may hold spaces and parentheses. Field 22 counts ticks since boot.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return state === undefined || state === 'Z' ? null : (fields[18] ?? null);
}

/** Returns the command line of a process, or null. */
export function processCommand(pid: number): string | null {
  if (process.platform !== 'linux') return ps('command=', pid);
  return readProc(pid, 'cmdline')?.replaceAll('\0', ' ') ?? null;
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

function ps(column: string, pid: number): string | null {
  const { stdout } = spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() || null;
}

/** Extracts the reason of a failure from the output of a PostgreSQL program, as one line. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /\b(FATAL|PANIC|error|invalid|could not|cannot|not found)\b/.test(line));
  const last = (telling.length > 0 ? telling : lines).slice(-3);
  const plain = last.map((line) => line.replace(/^.*?\b(LOG|FATAL|PANIC|error):\s*/, '').trim());
  return [...new Set(plain)].join('; ') || 'no reason given';
}
