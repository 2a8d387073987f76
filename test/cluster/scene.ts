import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import type { World } from '../../src/platform/world.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { serverUser } from '../../src/postgres/embedded-process.ts';
import { loadSettings } from '../chaos/signing-load.ts';
import { startFileStore } from '../support/file-store.ts';
import { freePort } from '../support/free-port.ts';
import { memoryDirectory } from '../support/memory-directory.ts';
import { type Pooler, startPooler } from '../support/pgbouncer.ts';
import { endServers, type ServerProcess, type Settings, startServer } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startMailServer } from '../support/smtp.ts';
import { type DatabaseCluster, startDatabaseCluster } from './database-cluster.ts';
import { startFront } from './front.ts';
import type { Program } from './program.ts';

/** A process of the service that starts again with the same settings. */
export interface Restartable {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Everything that an installation on many machines consists of, on one machine. */
export interface Scene {
  databases: DatabaseCluster;
  pooler: Pooler;
  nginx: Program;
  webs: readonly Restartable[];
  workers: readonly Restartable[];
  /** The API, through nginx. */
  baseUrl: string;
  receiver: Receiver;
  /** The addresses whose e-mails the mail server accepted. */
  mailedTo(): Set<string>;
  /** The test's own access. */
  db: Database;
  world: World;
  dataDir: string;
}

const webCount = 3;
const workerCount = 2;
/** Connections from PgBouncer to PostgreSQL, for all processes together. */
const poolSize = 12;

/** `stops` gets what ends it again, the last first, also when it does not come about. */
export async function startScene(stops: Array<() => Promise<unknown>>): Promise<Scene> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-cluster-'));
  const directory = mkdtempSync(join(memoryDirectory ?? tmpdir(), 'countersign-cluster-'));
  stops.push(async () => {
    for (const path of [dataDir, directory]) rmSync(path, { recursive: true, force: true });
  });
  const user = serverUser([]);
  if (user !== null) chownSync(directory, user.uid, user.gid);
  const databases = await startDatabaseCluster(directory, stops);
  const pooler = await startPooler(databases.url, {
    size: poolSize,
    settings: ['server_login_retry = 1', 'server_connect_timeout = 3', 'server_check_delay = 5'],
  });
  stops.push(() => pooler.stop());
  mkdirSync(join(dataDir, 'buckets'));
  const store = await startFileStore(join(dataDir, 'buckets'));
  stops.push(() => store.out());
  const receiver = await startReceiver();
  stops.push(() => receiver.stop());
  const mail = await startMailServer(() => 0);
  stops.push(() => mail.close());
  const webPorts = await Promise.all(Array.from({ length: webCount }, freePort));
  const { nginx, origin } = await startFront(directory, webPorts);
  stops.push(() => nginx.kill());
  stops.push(endServers);

  const settings: Settings = {
    ...loadSettings({ dataDir }, mail.url),
    ...store.settings,
    DATABASE_URL: pooler.through(databases.url),
    DATABASE_DIRECT_URL: databases.url,
    DATA_DIR: dataDir,
    PUBLIC_URL: origin,
    TRUST_PROXY: '127.0.0.1',
  };
  const starting = [
    ...webPorts.map((port) => startRestartable({ ...settings, ROLE: 'web', PORT: port })),
    ...Array.from({ length: workerCount }, () => startRestartable({ ...settings, ROLE: 'worker' })),
  ];
  const processes = await Promise.all(starting);
  const log = createLog('silent');
  const db = openDatabase({ url: databases.url, connectionsMax: 4, log });
  stops.push(() => db.close());
  return {
    ...{ databases, pooler, nginx, receiver, db, dataDir },
    webs: processes.slice(0, webCount),
    workers: processes.slice(webCount),
    baseUrl: `${origin}/api/v1`,
    mailedTo: () => new Set(mail.accepted.map(({ to }) => to)),
    world: { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log },
  };
}

async function startRestartable(settings: Settings): Promise<Restartable> {
  let process: ServerProcess = await startServer(settings);
  return {
    async kill() {
      process.kill('SIGKILL');
      await process.ended;
    },
    async start() {
      process = await startServer(settings);
    },
  };
}
