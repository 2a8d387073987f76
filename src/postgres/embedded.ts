import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../world/log.ts';
import { attach, detach, type Use } from './embedded-attach.ts';
import { locateCluster } from './embedded-cluster.ts';
import type { Control } from './embedded-control.ts';
import { explainDataDirError, ServerAlreadyRunning } from './embedded-errors.ts';
import { openSocketDirectory } from './embedded-socket.ts';
import { keepRunning } from './embedded-supervisor.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** Of servers there is one at a time, which keeps the database running. Commands come and go, with and without it. */
  purpose: 'server' | 'command';
}

export interface EmbeddedPostgres {
  /** The service's database, for its own role. It stays the same while attached, also when the database had to be started anew. */
  url: string;
  /** Detaches and stops the database if nobody else uses it: a command leaves it to others, a server waits for them briefly. */
  release(): Promise<void>;
}

const databaseName = 'countersign';

/**
 * The embedded PostgreSQL of a DATA_DIR: created when there is none, started when it does not run, joined when it does.
 * Throws an `OperatorError` that says in one line what is wrong: `ServerAlreadyRunning`, or why it cannot run.
 */
export async function attachEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    const cluster = await locateCluster(dataDir);
    const socket = openSocketDirectory(cluster);
    const use = { cluster, host: socket.path, log: options.log };
    const end = await settleIn(use, options.purpose).catch((error) => {
      socket.close();
      throw error;
    });
    return { url: databaseUrl(socket.path), release: once(() => end().finally(socket.close)) };
  } catch (error) {
    throw explainDataDirError(error, dataDir);
  }
}

/** Returns what ends the use. */
async function settleIn(use: Use, purpose: EmbeddedOptions['purpose']): Promise<() => Promise<void>> {
  const control = await attach(use);
  try {
    if (purpose === 'server') await claimServer(control, use.cluster.dataDir);
    await control.ensureDatabase(databaseName);
  } catch (error) {
    await detach(use, control, 'command');
    throw error;
  }
  return purpose === 'server' ? keepRunning(use, control) : () => detach(use, control, 'command');
}

/** PostgreSQL may take a moment to notice that a killed predecessor is gone. */
const claimMsMax = 500;

async function claimServer(control: Control, dataDir: string): Promise<void> {
  const deadline = performance.now() + claimMsMax;
  while (performance.now() < deadline) {
    if (await control.claimServer()) return;
    await sleep(20);
  }
  throw new ServerAlreadyRunning(
    `another Countersign server is already running on DATA_DIR ${dataDir} (process ${await control.serverProcess()})`,
  );
}

/** Complete, so that no `PG…` variable of the environment adds to it. */
function databaseUrl(host: string): string {
  const directory = encodeURIComponent(host);
  return `postgresql:///${databaseName}?host=${directory}&port=5432&user=${databaseName}&sslmode=disable`;
}

function once(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
}
