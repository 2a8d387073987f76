import { spawn } from 'node:child_process';
import {
  closeSync,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import { type Cluster, dataDirectoryFor } from './embedded-cluster.ts';
import { explainSpawnError, processCommand, reasonIn, serverEnvironment } from './embedded-process.ts';

/**
 * Given on the command line at every start, so that a new version of Countersign brings its settings to old data.
 * Durability (fsync, synchronous_commit, full_page_writes) stays at PostgreSQL's safe defaults.
 */
const settings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_directories: '.', // the data directory: private to the server's user, and known to whoever knows DATA_DIR
  max_connections: '100',
  shared_buffers: '64MB',
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  idle_in_transaction_session_timeout: '60s',
  // What short statements on one machine never use, and what would cost processes and memory.
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  // Errors of statements reach their client. In this file they would quote contact details and tokens.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
};

/** Replaying the log after a crash takes seconds; this is for a very slow disk. */
const startMsMax = 120_000;
const pollMs = 5;

/**
 * Starts the server. `occupied` means that a server runs, starts or stops there, or that one was killed and its
 * children go on for a moment: ask again shortly. Throws an `OperatorError` with the server's own words when it cannot start.
 */
export async function startPostmaster(cluster: Cluster): Promise<'ready' | 'occupied'> {
  if (runningPostmaster(cluster) !== null) return 'occupied';
  removeEmptyLock(join(cluster.directory, 'postmaster.pid'));
  removeEmptyLock(join(cluster.directory, '.s.PGSQL.5432.lock'));

  const log = openLog(cluster);
  const before = fstatSync(log).size;
  try {
    const outcome = await untilReadyOrEnded(cluster, log);
    return outcome === 'ready' ? 'ready' : judgeEnd(cluster, outcome.signal, readFrom(log, before));
  } finally {
    closeSync(log);
  }
}

interface End {
  signal: NodeJS.Signals | null;
}

async function untilReadyOrEnded(cluster: Cluster, log: number): Promise<'ready' | End> {
  const child = spawn(cluster.binaries.postgres, serverArguments(cluster), {
    ...cluster.user,
    cwd: cluster.directory,
    env: { ...serverEnvironment, ...ignoringReusedNumber(cluster) },
    stdio: ['ignore', log, log],
    // A session of its own: neither Ctrl-C nor a closed terminal ends it, only we do.
    detached: true,
  });
  child.unref();
  let end: End | undefined;
  let failure: Error | undefined;
  child.once('exit', (_code, signal) => {
    end = { signal };
  });
  child.once('error', (error) => {
    failure = explainSpawnError(error, cluster.binaries.postgres, cluster.user);
  });

  const deadline = performance.now() + startMsMax;
  while (end === undefined) {
    if (failure !== undefined) throw failure;
    const lock = readLock(cluster);
    if (lock?.pid === child.pid && lock?.ready) return 'ready';
    if (performance.now() > deadline)
      throw new OperatorError(`the database did not start within ${startMsMax / 1000} s`);
    await sleep(pollMs);
  }
  return end;
}

function serverArguments(cluster: Cluster): string[] {
  const assignments = [nameSetting(cluster), ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
  return ['-D', dataDirectoryFor(cluster.user, cluster.directory), ...assignments.flatMap((one) => ['-c', one])];
}

function judgeEnd(cluster: Cluster, signal: NodeJS.Signals | null, output: string): 'occupied' {
  const occupied = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/.test(output);
  if (occupied || signal === 'SIGKILL') return 'occupied';
  const reason = signal === null ? reasonIn(output) : `it was ended by ${signal}`;
  throw new OperatorError(`the database in ${cluster.directory} did not start: ${reason}`);
}

/** Ends the server, rolling back what is open: within a moment, unless the disk is slow to take the last checkpoint. */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const pid = runningPostmaster(cluster);
  if (pid === null) return;
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one: the next start replays the log.
  for (const [signal, patienceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5000],
  ] as const) {
    process.kill(pid, signal);
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      if (runningPostmaster(cluster) !== pid) return;
      await sleep(pollMs);
    }
  }
  throw new OperatorError(`the database (process ${pid}) did not stop`);
}

/** The number of the living process that runs this cluster, or null. */
function runningPostmaster(cluster: Cluster): number | null {
  const lock = readLock(cluster);
  return lock !== null && isPostmaster(cluster, lock) ? lock.pid : null;
}

interface PostmasterLock {
  pid: number;
  ready: boolean;
}

/** `postmaster.pid`: one value a line, growing while the server starts. */
function readLock(cluster: Cluster): PostmasterLock | null {
  try {
    const lines = readFileSync(join(cluster.directory, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number.parseInt(lines[0] ?? '', 10);
    return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : null;
  } catch {
    return null;
  }
}

/** After a reboot, or in a restarted container, the number in the file may be another process's: ours, say. */
function isPostmaster(cluster: Cluster, lock: PostmasterLock): boolean {
  return processCommand(lock.pid)?.includes(nameSetting(cluster)) ?? false;
}

/** On the server's command line, and in the titles of its children. Not a path: one cluster may have several. */
function nameSetting(cluster: Cluster): string {
  const { dev, ino } = statSync(cluster.directory);
  return `cluster_name=countersign-${dev}-${ino}`;
}

/**
 * PostgreSQL refuses to start while the process in a left-over lock file is alive, whatever that process is. It makes
 * an exception for its grandparent (pg_ctl's shell); unlike removing the file, this is safe when several start at once.
 */
function ignoringReusedNumber(cluster: Cluster): Record<string, string> {
  const lock = readLock(cluster);
  return lock !== null && !isPostmaster(cluster, lock) ? { PG_GRANDPARENT_PID: String(lock.pid) } : {};
}

const emptyLockAgeMs = 3000;

/** A power cut may leave a lock file without content, which PostgreSQL takes for that of a server just starting. */
function removeEmptyLock(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.size === 0 && Date.now() - found.mtimeMs > emptyLockAgeMs) unlinkSync(path);
}

const logBytesMax = 1_000_000;

function openLog(cluster: Cluster): number {
  const size = statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logBytesMax) renameSync(cluster.logFile, `${cluster.logFile}.1`);
  const log = openSync(cluster.logFile, 'a+', 0o600);
  // Root's command line may be the first to write it; the service must be able to go on.
  if (cluster.user !== null) fchownSync(log, cluster.user.uid, cluster.user.gid);
  return log;
}

function readFrom(file: number, position: number): string {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - position));
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, position));
}
