import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportDeps } from '../import-deps.ts';
import { LeaseLost, underLease } from '../lease.ts';
import { failVendorImport } from './end-vendor-import.ts';
import { importEnvelopes } from './import-envelopes.ts';
import { type RunningVendorImport, takeVendorImport } from './vendor-import.ts';
import { VendorImportEnded, VendorImportPaused } from './vendor-import-ended.ts';

/** The most vendor imports of one process. Each mostly waits for its vendor. */
const concurrentMax = 32;
/** The pause after a failure on our side, so that the vendor isn't called again and again. */
const pauseMs = 5000;

/**
 * Takes vendor imports that no process runs, and runs several at once until none is left or the process stops.
 * `underWay` holds those that this process runs already, by id.
 */
export async function runVendorImports(deps: ImportDeps, underWay: Map<string, Promise<void>>): Promise<void> {
  while (!deps.stopping.aborted && underWay.size < concurrentMax) {
    const running = await takeVendorImport(deps.world, deps.database, [...underWay.keys()]);
    if (running === null) return;
    const { id } = running.import;
    underWay.set(
      id,
      run(deps, running).finally(() => underWay.delete(id)),
    );
  }
}

/** Never throws. An import that can't continue now is released for the next process. */
async function run(deps: ImportDeps, running: RunningVendorImport): Promise<void> {
  const { world, database } = deps;
  const import_id = running.import.id;
  await underLease(deps, running.lease, async (signal) => {
    try {
      await importEnvelopes(deps, running, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof VendorImportPaused)
        world.log.info('a vendor import waits for its connection', { import_id });
      else if (error instanceof VendorImportEnded) {
        await database.transaction((tx) => failVendorImport(world, tx, running.lease, error.reason));
      } else throw error;
    }
  }).catch(async (error) => {
    if (deps.stopping.aborted || error instanceof LeaseLost) return;
    world.log.warn('a vendor import was interrupted and will continue', { import_id, error });
    await sleep(pauseMs, undefined, { signal: deps.stopping }).catch(() => {});
  });
}
