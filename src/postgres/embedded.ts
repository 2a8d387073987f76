import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import { attach, detach, type Use } from './embedded-attach.ts';
import { locateCluster } from './embedded-cluster.ts';
import type { Control } from './embedded-control.ts';
import { explainDataDirError, ServerAlreadyRunning } from './embedded-errors.ts';
import { openSocketDirectory } from './embedded-socket.ts';
import { keepRunning } from './embedded-supervisor.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /**
   * Only one server may attach at a time, and it keeps the database running. Commands may attach with or without a
   * server.
   */
  purpose: 'server' | 'command';
}

export interface EmbeddedPostgres {
  /**
   * URL of the service's database, for its own role. It stays the same while attached, also after a restart of the
   * database.
   */
  url: string;
  /** Detaches, and stops the database if no other process uses it. A server briefly waits for commands to end. */
  release(): Promise<void>;
}

const databaseName = 'countersign';

/**
 * Attaches to the embedded PostgreSQL of a DATA_DIR. Creates it if it doesn't exist and starts it if it doesn't run.
 * Throws an `OperatorError` with the reason in one line, or `ServerAlreadyRunning`.
 */
export async function attachEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    const cluster = await locateCluster(dataDir);
    const socket = openSocketDirectory(cluster);
    const use = { cluster, host: socket.path, log: options.log };
    const end = await register(use, options.purpose).catch((error) => {
      socket.close();
      throw error;
    });
    return { url: databaseUrl(socket.path), release: once(() => end().finally(socket.close)) };
  } catch (error) {
    throw explainDataDirError(error, dataDir);
  }
}

/** Registers this use. Returns a function that ends it. */
async function register(use: Use, purpose: EmbeddedOptions['purpose']): Promise<() => Promise<void>> {
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

/** Time for PostgreSQL to notice that a killed server's connection is gone. */
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

/** Builds a complete URL, so that no `PG…` variable of the environment changes it. */
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
