import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import type { Log } from '../platform/log.ts';
import { type Cluster, ensureCluster } from './embedded-cluster.ts';
import { type Control, openControl } from './embedded-control.ts';
import { startPostmaster, stopPostmaster } from './embedded-postmaster.ts';

/** The use of a cluster by one process. */
export interface Use {
  cluster: Cluster;
  /** Directory of the server's socket. */
  host: string;
  log: Log;
}

const attachMsMax = 30_000;

/**
 * Connects to the cluster and starts its server if needed. Retries, because other processes may start or stop it at the
 * same time. Throws an `OperatorError` after 30 seconds, in addition to the time that the server takes to start.
 */
export async function attach(use: Use, signal?: AbortSignal): Promise<Control> {
  let deadline = performance.now() + attachMsMax;
  let obstacle: unknown = new Error('an earlier server has not ended completely');
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    const attempt = await openControl(use.host);
    if (attempt.kind === 'attached') return attempt.control;
    if (attempt.kind === 'absent' && (await start(use)) === 'ready') {
      // Starting may have taken longer than the limit: after a crash the server reads its log first.
      deadline = performance.now() + attachMsMax;
      continue;
    }
    if (attempt.kind === 'busy') obstacle = attempt.cause;
    await sleep(10 + Math.random() * 30);
  }
  const reason = (obstacle as Error).message;
  throw new OperatorError(`the database in ${use.cluster.directory} is not available: ${reason}`, { cause: obstacle });
}

async function start({ cluster, log }: Use): Promise<'ready' | 'occupied'> {
  const began = performance.now();
  const created = await ensureCluster(cluster);
  const outcome = await startPostmaster(cluster);
  if (outcome === 'ready') {
    log.info('embedded database started', { created, duration_ms: Math.round(performance.now() - began) });
  }
  return outcome;
}

/** Commands are short, so a stopping server waits this long for them. */
const serverWaitMs = 2500;

/**
 * Detaches from the cluster and stops it if no other process uses it. A Countersign server always stops it, because
 * nothing would supervise it.
 */
export async function detach({ cluster, log }: Use, control: Control, as: 'server' | 'command'): Promise<void> {
  const waitMs = as === 'server' ? serverWaitMs : 0;
  try {
    const empty = await control.leaveEmpty(waitMs).catch(() => false);
    if (!empty && as === 'command') return;
    await stopPostmaster(cluster);
    log.info('embedded database stopped', { others_attached: !empty });
  } finally {
    await control.close();
  }
}
