import { closeSync, fchownSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import { type Cluster, dataDirectoryFor } from './embedded-cluster.ts';
import { ignoreReusedPid, nameSetting, readLock, removeEmptyLocks, runningPostmaster } from './embedded-lock.ts';
import { explainSpawnError, reasonIn, serverEnvironment, spawnProgram } from './embedded-process.ts';

/**
 * Settings passed on the command line at each start, so that a new version applies its settings to old data. Durability
 * (fsync, synchronous_commit, full_page_writes) stays at PostgreSQL's safe defaults.
 */
const settings: Record<string, string> = {
  listen_addresses: '', // no TCP
  ssl: 'off', // the OpenSSL in the package is old, see docs/security/dependencies.md
  unix_socket_directories: '.', // the data directory: private to the server's user
  max_connections: '100',
  shared_buffers: '64MB',
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  idle_in_transaction_session_timeout: '60s',
  // Features that short local statements don't use and that would cost processes and memory.
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  // Statement errors go to the client. In the log file they would expose contact details and tokens.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
};

/** Recovery after a crash takes seconds. This limit is for a very slow disk. */
const startMsMax = 120_000;
const pollMs = 5;

/**
 * Starts the server. `occupied` means that a server runs, starts or stops there, or that children of a killed server
 * still run: try again shortly. Throws an `OperatorError` with the server's message if it cannot start.
 */
export async function startPostmaster(cluster: Cluster): Promise<'ready' | 'occupied'> {
  if (runningPostmaster(cluster) !== null) return 'occupied';
  removeEmptyLocks(cluster);

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
  const child = spawnProgram(cluster.binaries.postgres, serverArguments(cluster), cluster.user, {
    cwd: cluster.directory,
    env: { ...serverEnvironment, ...ignoreReusedPid(cluster) },
    stdio: ['ignore', log, log],
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
    if (performance.now() > deadline) throw new OperatorError('the database took more than two minutes to start');
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

/**
 * PostgreSQL's fast shutdown rolls back open transactions. The immediate shutdown is tried next and needs recovery at
 * the next start.
 */
const shutdowns = [
  { signal: 'SIGINT', patienceMs: 3000 },
  { signal: 'SIGQUIT', patienceMs: 2000 },
] as const;

/** Stops the server if it runs. Takes milliseconds, unless the disk is slow to write the last checkpoint. */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const pid = runningPostmaster(cluster);
  for (const { signal, patienceMs } of shutdowns) {
    const deadline = performance.now() + patienceMs;
    if (pid === null || !signalProcess(pid, signal)) return;
    while (performance.now() < deadline) {
      if (runningPostmaster(cluster) !== pid) return;
      await sleep(pollMs);
    }
  }
  throw new OperatorError(`the database server (process ${pid}) did not stop`);
}

/** Sends a signal. False if the process no longer exists. */
function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

const logBytesMax = 1_000_000;

function openLog(cluster: Cluster): number {
  const size = statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logBytesMax) renameSync(cluster.logFile, `${cluster.logFile}.1`);
  const log = openSync(cluster.logFile, 'a+', 0o600);
  // A command of root may create the file first, and the service must be able to append to it.
  if (cluster.user !== null) fchownSync(log, cluster.user.uid, cluster.user.gid);
  return log;
}

function readFrom(file: number, position: number): string {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - position));
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, position));
}
