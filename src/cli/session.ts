import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, processEnvironment, readConfig } from '../config.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import { systemClock } from '../world/clock.ts';
import { createNewId } from '../world/ids.ts';
import { createLog, type Log } from '../world/log.ts';
import { systemRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { onSignal } from './on-signal.ts';
import { requireSchema } from './require-schema.ts';
import { remark } from './terminal.ts';

/** What a command works with. */
export interface Session {
  config: Config;
  world: World;
  db: Database;
  /** For what keeps connections of its own, such as the queue. */
  databaseUrl: string;
}

/** For the audit trail: whoever may run this command line on this machine. */
export const actor = 'operator';

/** The database of the settings, migrated when it was empty, for as long as `work` takes. */
export async function withDatabase<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  const config = readSettings();
  return withServer(config, async (url) => {
    const world = commandWorld(config);
    const db = openDatabase({ url, connectionsMax: 2, timeoutMs: patienceMs, log: world.log, applicationName });
    try {
      await requireSchema(db, url, world.log);
      return await work({ config, world, db, databaseUrl: url });
    } finally {
      await db.close();
    }
  });
}

/** A command may wait for a lock, or read a long list. */
const patienceMs = 15_000;
const applicationName = 'countersign command';

export function readSettings(): Config {
  return readConfig(processEnvironment());
}

export function commandWorld(config: Config): World {
  const clock = systemClock;
  return { clock, random: systemRandom, newId: createNewId(clock, systemRandom), log: commandLog(config) };
}

/** Errors reach the operator as one line each; log lines would stand between them. */
export function commandLog(config: Config): Log {
  return createLog(config.logLevel === 'debug' ? 'debug' : 'silent');
}

/** A command is short: interrupted, it is given the time to end in order, with its result. */
const finishMs = 1000;

/** The external database server as it is, or the embedded one: joined while the service runs, else started for now. */
export async function withServer<Result>(config: Config, work: (url: string) => Promise<Result>): Promise<Result> {
  if (config.databaseUrl !== null) return work(config.databaseUrl);
  remarkNewDatabase(config);
  const { attachEmbedded } = await import('../postgres/embedded.ts');
  const attaching = attachEmbedded({ dataDir: config.dataDir, log: commandLog(config), purpose: 'command' });
  // The server outlives whoever started it, so a signal must not leave it running.
  const forget = onSignal((exitCode) => {
    const abandon = async () => (await attaching).release();
    setTimeout(() => {
      process.on('uncaughtException', () => {}); // our own connections, cut off by the stopping server
      abandon().finally(() => process.exit(exitCode));
    }, finishMs).unref();
  });
  try {
    const embedded = await attaching;
    try {
      return await work(embedded.url);
    } finally {
      // What was done is done: its result (a key, say) must still be shown.
      await embedded
        .release()
        .catch((error) => remark(`the embedded database was not left in order: ${error.message}`));
    }
  } finally {
    forget();
  }
}

const cloneDir = fileURLToPath(new URL('../..', import.meta.url));

/** From another directory than the service's, the default `./data` is not the service's either. */
function remarkNewDatabase({ dataDir }: Config): void {
  const isForeignDefault = dataDir === resolve('data') && dataDir !== join(cloneDir, 'data');
  if (!isForeignDefault || existsSync(join(dataDir, 'postgres'))) return;
  remark(`making a new database in ${dataDir}: set DATA_DIR if the service keeps its data elsewhere`);
}
