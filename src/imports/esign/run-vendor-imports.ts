import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportDeps } from '../import-deps.ts';
import { LeaseLost, underLease } from '../lease.ts';
import { failVendorImport } from './end-vendor-import.ts';
import { importEnvelopes } from './import-envelopes.ts';
import { type RunningVendorImport, takeVendorImport } from './vendor-import.ts';
import { VendorImportEnded, VendorImportPaused } from './vendor-import-ended.ts';

/** Of one process: most of the time a sweep waits for its vendor. */
const concurrentMax = 32;
/** After a failure of ours, before anybody goes on: the vendor should not hear of it again and again. */
const pauseMs = 5000;

/**
 * Takes migrations that nobody runs and runs them, several at once, until there is none or the process stops. `underWay`
 * are those that this process runs already.
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

/** Never throws: what cannot go on now is free for whoever takes it next. */
async function run(deps: ImportDeps, running: RunningVendorImport): Promise<void> {
  const { world, database } = deps;
  const import_id = running.import.id;
  await underLease(deps, running.lease, async (signal) => {
    try {
      await importEnvelopes(deps, running, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof VendorImportPaused) world.log.info('a migration waits for its connection', { import_id });
      else if (error instanceof VendorImportEnded) {
        await database.transaction((tx) => failVendorImport(world, tx, running.lease, error.reason));
      } else throw error;
    }
  }).catch(async (error) => {
    if (deps.stopping.aborted || error instanceof LeaseLost) return;
    world.log.warn('a migration was interrupted and will go on', { import_id, error });
    await sleep(pauseMs, undefined, { signal: deps.stopping }).catch(() => {});
  });
}
