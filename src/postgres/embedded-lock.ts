import { readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './embedded-cluster.ts';
import { processCommand } from './embedded-process.ts';

/** The number of the living process that runs this cluster, or null. */
export function runningPostmaster(cluster: Cluster): number | null {
  const lock = readLock(cluster);
  return lock !== null && isPostmaster(cluster, lock) ? lock.pid : null;
}

export interface PostmasterLock {
  pid: number;
  ready: boolean;
}

/** `postmaster.pid`: one value a line, growing while the server starts. */
export function readLock(cluster: Cluster): PostmasterLock | null {
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
  return processCommand(lock.pid)?.split(' ').includes(nameSetting(cluster)) ?? false;
}

/** On the server's command line, and in the titles of its children. Not a path: one cluster may have several. */
export function nameSetting(cluster: Cluster): string {
  const { dev, ino } = statSync(cluster.directory);
  return `cluster_name=countersign-${dev}-${ino}`;
}

/**
 * PostgreSQL refuses to start while the process in a left-over lock file is alive, whatever that process is. It makes
 * an exception for its grandparent (pg_ctl's shell); unlike removing the file, this is safe when several start at once.
 */
export function ignoringReusedNumber(cluster: Cluster): Record<string, string> {
  const lock = readLock(cluster);
  return lock !== null && !isPostmaster(cluster, lock) ? { PG_GRANDPARENT_PID: String(lock.pid) } : {};
}

const emptyLockAgeMs = 3000;

/** A power cut may leave a lock file without content, which PostgreSQL takes for that of a server just starting. */
export function removeEmptyLocks(cluster: Cluster): void {
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const path = join(cluster.directory, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.size === 0 && Date.now() - found.mtimeMs > emptyLockAgeMs) unlinkSync(path);
  }
}
