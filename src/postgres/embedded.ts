import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import type { Log } from '../world/log.ts';
import { attach, detach } from './embedded-attach.ts';
import { locateCluster } from './embedded-cluster.ts';
import type { Control } from './embedded-control.ts';
import { openSocketDirectory } from './embedded-socket.ts';
import { keepRunning } from './embedded-supervisor.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** Of servers there is one at a time, which keeps the database running. Commands come and go, with and without it. */
  purpose: 'server' | 'command';
}

export interface EmbeddedPostgres {
  /** The service's database. It stays the same while attached, also when the database had to be started anew. */
  url: string;
  /** Detaches and stops the database if nobody else uses it: a command leaves it to others, a server waits for them briefly. */
  release(): Promise<void>;
}

/** Another process serves from this DATA_DIR. */
export class ServerAlreadyRunning extends OperatorError {
  override name = 'ServerAlreadyRunning';
}

const databaseName = 'countersign';

/**
 * The embedded PostgreSQL of a DATA_DIR: created when there is none, started when it does not run, joined when it does.
 * Throws an `OperatorError` that says in one line what is wrong: `ServerAlreadyRunning`, or why it cannot run.
 */
export async function attachEmbedded({ dataDir, log, purpose }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await locateCluster(resolve(dataDir));
  const socket = openSocketDirectory(cluster);
  try {
    const use = { cluster, host: socket.path, log };
    const control = await attach(use);
    try {
      if (purpose === 'server') await claimServer(control, cluster.dataDir);
      await control.ensureDatabase(databaseName);
    } catch (error) {
      await detach(use, control, 'command');
      throw error;
    }
    const end = purpose === 'server' ? keepRunning(use, control) : () => detach(use, control, 'command');
    return { url: databaseUrl(socket.path), release: once(() => end().finally(socket.close)) };
  } catch (error) {
    socket.close();
    throw error;
  }
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
  const query = new URLSearchParams({ host, port: '5432', user: databaseName, sslmode: 'disable' });
  return `postgresql:///${databaseName}?${query}`;
}

function once(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
}
