import { readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './embedded-cluster.ts';
import { processCommand } from './embedded-process.ts';

/** Returns the process id of the running server of this cluster, or null. */
export function runningPostmaster(cluster: Cluster): number | null {
  const lock = readLock(cluster);
  return lock !== null && isPostmaster(cluster, lock) ? lock.pid : null;
}

export interface PostmasterLock {
  pid: number;
  ready: boolean;
}

/** Reads `postmaster.pid`: one value a line, more lines as the server starts. */
export function readLock(cluster: Cluster): PostmasterLock | null {
  try {
    const lines = readFileSync(join(cluster.directory, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number.parseInt(lines[0] ?? '', 10);
    return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : null;
  } catch {
    return null;
  }
}

/**
 * Checks that the process is this server. After a reboot or a container restart its id may belong to another process.
 */
function isPostmaster(cluster: Cluster, lock: PostmasterLock): boolean {
  return processCommand(lock.pid)?.split(' ').includes(nameSetting(cluster)) ?? false;
}

/**
 * Returns a setting that marks the server's command line and the titles of its children. It is not a path, because one
 * cluster may have several.
 */
export function nameSetting(cluster: Cluster): string {
  const { dev, ino } = statSync(cluster.directory);
  return `cluster_name=countersign-${dev}-${ino}`;
}

/**
 * Returns an environment that makes PostgreSQL ignore a reused process id in a left-over lock file. PostgreSQL refuses
 * to start while that process lives, unless it is its grandparent (pg_ctl's shell). Unlike deleting the file, this is
 * safe when several processes start at once.
 */
export function ignoreReusedPid(cluster: Cluster): Record<string, string> {
  const lock = readLock(cluster);
  return lock !== null && !isPostmaster(cluster, lock) ? { PG_GRANDPARENT_PID: String(lock.pid) } : {};
}

const emptyLockAgeMs = 3000;

/**
 * Deletes empty lock files, which a power cut may leave. PostgreSQL takes one for the lock of a server that is just
 * starting.
 */
export function removeEmptyLocks(cluster: Cluster): void {
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const path = join(cluster.directory, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.size === 0 && Date.now() - found.mtimeMs > emptyLockAgeMs) unlinkSync(path);
  }
}
