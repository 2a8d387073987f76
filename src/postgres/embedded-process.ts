import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { OperatorError } from '../errors.ts';

export interface ServerUser {
  uid: number;
  gid: number;
}

const nobody: ServerUser = { uid: 65534, gid: 65534 };

/**
 * The user PostgreSQL runs as, or null for our own. It refuses to run as root; then it runs as the owner of the first
 * of `paths` that exists and is not root's, so that `sudo countersign …` leaves a service's data to the service's user.
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

/** Nothing of our own environment: it holds secrets, and `PG…` variables would steer the server. */
export const serverEnvironment = { LC_ALL: 'C', TZ: 'UTC' };

export interface ProgramResult {
  code: number | null;
  /** Both output streams. */
  output: string;
}

/** Runs one of PostgreSQL's programs to its end. */
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

/** In a session of its own: neither Ctrl-C nor the closing of a terminal reaches it. */
export function spawnProgram(
  path: string,
  args: string[],
  user: ServerUser | null,
  options: SpawnOptions,
): ChildProcess {
  try {
    return spawn(path, args, { env: serverEnvironment, ...options, ...user, detached: true });
  } catch (error) {
    // Node reports most failures as an event, a refused change of user at once.
    throw explainSpawnError(error as NodeJS.ErrnoException, path, user);
  }
}

export function explainSpawnError(error: NodeJS.ErrnoException, path: string, user: ServerUser | null): OperatorError {
  // The file is there, so it is its loader that is missing: the system's C library is not glibc.
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

/** Root in a container may lack the right to become another user, or there may be no other user. */
export function explainUserError(error: NodeJS.ErrnoException, user: ServerUser | null): OperatorError | null {
  if (user === null || (error.code !== 'EPERM' && error.code !== 'EINVAL')) return null;
  return new OperatorError(
    `PostgreSQL does not run as root, and this process may not switch to user ${user.uid} (${error.code}): start as an ordinary user, or set DATABASE_URL`,
    { cause: error },
  );
}

/** When a living process started, as a word. A number alone soon returns: in a container, with every restart. */
export function processStart(pid: number): string | null {
  if (process.platform !== 'linux') return ps('lstart=', pid)?.replace(/\W/g, '') ?? null;
  const stat = readProc(pid, 'stat');
  // `pid (program) state …`, where the program may hold spaces and parentheses. Field 22 counts ticks since boot.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return state === undefined || state === 'Z' ? null : (fields[18] ?? null);
}

/** Program and arguments of a living process. */
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

/** What the output of a PostgreSQL program says went wrong, as one line. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /\b(FATAL|PANIC|error|invalid|could not|cannot|not found)\b/.test(line));
  const last = (telling.length > 0 ? telling : lines).slice(-3);
  const plain = last.map((line) => line.replace(/^.*?\b(LOG|FATAL|PANIC|error):\s*/, '').trim());
  return [...new Set(plain)].join('; ') || 'no reason given';
}
