import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportMeans } from '../import-means.ts';
import { LeaseLost, underLease } from '../lease.ts';
import { giveUpSweep } from './end-sweep.ts';
import { type RunningSweep, takeSweep } from './sweep.ts';
import { SweepEnded, SweepPaused } from './sweep-ended.ts';
import { sweepEnvelopes } from './sweep-envelopes.ts';

/** Of one process: most of the time a sweep waits for its vendor. */
const sweepsAtOnce = 32;
/** After a failure of ours, before anybody goes on: the vendor should not hear of it again and again. */
const pauseMs = 5000;

/**
 * Takes migrations that nobody runs and runs them, several at once, until there is none or the process stops. `underWay`
 * are those that this process runs already.
 */
export async function runMigrations(means: ImportMeans, underWay: Map<string, Promise<void>>): Promise<void> {
  while (!means.stopping.aborted && underWay.size < sweepsAtOnce) {
    const running = await takeSweep(means.world, means.database, [...underWay.keys()]);
    if (running === null) return;
    const { id } = running.import;
    underWay.set(
      id,
      run(means, running).finally(() => underWay.delete(id)),
    );
  }
}

/** Never throws: what cannot go on now is free for whoever takes it next. */
async function run(means: ImportMeans, running: RunningSweep): Promise<void> {
  const { world, database } = means;
  const import_id = running.import.id;
  await underLease(means, running.lease, async (signal) => {
    try {
      await sweepEnvelopes(means, running, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SweepPaused) world.log.info('a migration waits for its connection', { import_id });
      else if (error instanceof SweepEnded) {
        await database.transaction((tx) => giveUpSweep(world, tx, running.lease, error.reason));
      } else throw error;
    }
  }).catch(async (error) => {
    if (means.stopping.aborted || error instanceof LeaseLost) return;
    world.log.warn('a migration was interrupted and will go on', { import_id, error });
    await sleep(pauseMs, undefined, { signal: means.stopping }).catch(() => {});
  });
}
