import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import type { Log } from '../world/log.ts';
import { type Cluster, ensureCluster } from './embedded-cluster.ts';
import { type Control, openControl } from './embedded-control.ts';
import { startPostmaster, stopPostmaster } from './embedded-postmaster.ts';

/** One process's use of a cluster. */
export interface Use {
  cluster: Cluster;
  /** The directory of the server's socket. */
  host: string;
  log: Log;
}

const attachMsMax = 30_000;

/** Several processes may be at this at once, and others about to stop the server: try until one of us has it running. */
export async function attach(use: Use, signal?: AbortSignal): Promise<Control> {
  const deadline = performance.now() + attachMsMax;
  let obstacle: unknown = new Error('the remains of an earlier server are in the way');
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    const attempt = await openControl(use.host);
    if (attempt.kind === 'attached') return attempt.control;
    if (attempt.kind === 'absent' && (await start(use)) === 'ready') continue;
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

/** Commands are short; what still runs after this has lost. */
const serverPatienceMs = 2500;

/** The last to leave stops the server. A Countersign server stops it in any case, for nobody would supervise it. */
export async function detach({ cluster, log }: Use, control: Control, as: 'server' | 'command'): Promise<void> {
  const patienceMs = as === 'server' ? serverPatienceMs : 0;
  try {
    const empty = await control.leaveEmpty(patienceMs).catch(() => false);
    if (!empty && as === 'command') return;
    await stopPostmaster(cluster);
    log.info('embedded database stopped', { others_attached: !empty });
  } finally {
    await control.close();
  }
}
