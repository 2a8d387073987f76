import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { ensureCluster, locateCluster } from '../../src/postgres/embedded-cluster.ts';
import { startPostmaster, stopPostmaster } from '../../src/postgres/embedded-postmaster.ts';
import { postmasterPid } from './embedded.ts';
import { openTestDatabase } from './open-database.ts';
import type { Ground } from './process.ts';

/** A ground with its own database server, which a test can kill. */
export interface OwnGround extends Ground {
  /** Kills the database server with `kill -9`, and starts it again on the same data. */
  crashDatabase(): Promise<void>;
}

/** Stored on disk with safe defaults, because commits must survive. The first service that starts migrates it. */
export async function prepareOwnGround(): Promise<OwnGround> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-own-'));
  const cluster = await locateCluster(dataDir);
  await ensureCluster(cluster);
  // Processes of a killed server may run on for a moment.
  const start = async () => {
    while ((await startPostmaster(cluster)) === 'occupied') await sleep(20);
  };
  await start();

  const databaseUrl = `postgresql:///postgres?host=${encodeURIComponent(cluster.directory)}&user=postgres`;
  const log = createLog('silent');
  const db = openTestDatabase(databaseUrl, 'test');
  return {
    databaseUrl,
    dataDir,
    settings: { DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    db,
    world: { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log },
    async crashDatabase() {
      process.kill(postmasterPid(dataDir) as number, 'SIGKILL');
      await start();
    },
    async clear() {
      await db.close();
      await stopPostmaster(cluster);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}
