import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Actor } from '../../actor.ts';
import { type Config, processEnvironment, readConfig } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { systemClock } from '../../platform/clock.ts';
import { createNewId } from '../../platform/ids.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { systemRandom } from '../../platform/random.ts';
import type { World } from '../../platform/world.ts';
import { type Database, openDatabase } from '../../postgres/database.ts';
import { onSignal } from './on-signal.ts';
import { requireSchema, type WhenEmpty } from './require-schema.ts';
import { remark } from './terminal.ts';

/** The dependencies of a command. */
export interface Session {
  config: Config;
  world: World;
  db: Database;
  /** For code that opens its own connections, such as the job queue. */
  databaseUrl: string;
}

/** The actor in the audit trail: anyone who can run this command line on this machine. */
export const actor: Actor = 'operator';

/** Opens the configured database for `work`. Migrates an empty one first. Throws an `OperatorError` for one of another application. */
export async function withDatabase<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  return openSession(readSettings(), 'migrate', work);
}

/**
 * Like `withDatabase`, for commands that need what is there. Throws a `Refusal` or an `OperatorError` where a database or its tables would
 * have to be made, which means that DATA_DIR or DATABASE_URL are not those of the service.
 */
export async function withExistingDatabase<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  const config = readSettings();
  if (config.databaseUrl === null && !hasDatabase(config.dataDir))
    throw new Refusal(`${config.dataDir} has no database: set DATA_DIR or DATABASE_URL as for the service`);
  return openSession(config, 'refuse', work);
}

async function openSession<Result>(
  config: Config,
  empty: WhenEmpty,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return withServer(config, async (url) => {
    const world = commandWorld(config);
    const db = openDatabase({ url, connectionsMax: 2, timeoutMs: patienceMs, log: world.log, applicationName });
    try {
      await requireSchema(db, url, world.log, empty);
      return await work({ config, world, db, databaseUrl: url });
    } finally {
      await db.close();
    }
  });
}

/** Longer than in the service: a command may wait for a lock or read a long list. */
const patienceMs = 15_000;
const applicationName = 'countersign command';

export function readSettings(): Config {
  return readConfig(processEnvironment());
}

export function commandWorld(config: Config): World {
  const clock = systemClock;
  return { clock, random: systemRandom, newId: createNewId(clock, systemRandom), log: commandLog(config) };
}

/** Discards log lines. Errors reach the operator as one line each. */
export function commandLog(config: Config): Log {
  return createLog(config.logLevel === 'debug' ? 'debug' : 'silent');
}

/** Lets an interrupted command finish and print its result. */
const finishMs = 1000;

/** Connects to the external server, without a pooler, or to the embedded one. Starts the embedded one when the service is not running. */
export async function withServer<Result>(config: Config, work: (url: string) => Promise<Result>): Promise<Result> {
  if (config.databaseUrl !== null) return work(config.databaseDirectUrl ?? config.databaseUrl);
  remarkNewDatabase(config);
  const { attachEmbedded } = await import('../../postgres/embedded.ts');
  const attaching = attachEmbedded({ dataDir: config.dataDir, log: commandLog(config), purpose: 'command' });
  // The server outlives its parent process, so stop it on a signal too.
  const forget = onSignal((exitCode) => {
    const abandon = async () => (await attaching).release();
    setTimeout(() => {
      process.on('uncaughtException', () => {}); // the stopping server closes our connections
      abandon().finally(() => process.exit(exitCode));
    }, finishMs).unref();
  });
  try {
    const embedded = await attaching;
    try {
      return await work(embedded.url);
    } finally {
      // The change is committed: still print its result, such as a key.
      await embedded
        .release()
        .catch((error) => remark(`the embedded database was not left in order: ${error.message}`));
    }
  } finally {
    forget();
  }
}

const cloneDir = fileURLToPath(new URL('../../..', import.meta.url));

/** The default `./data` depends on the working directory, which may not be the service's. */
function remarkNewDatabase({ dataDir }: Config): void {
  const isForeignDefault = dataDir === resolve('data') && dataDir !== join(cloneDir, 'data');
  if (!isForeignDefault || hasDatabase(dataDir)) return;
  remark(`making a new database in ${dataDir}: set DATA_DIR if the service keeps its data elsewhere`);
}

const hasDatabase = (dataDir: string) => existsSync(join(dataDir, 'postgres'));
