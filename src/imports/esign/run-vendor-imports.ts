import { setTimeout as sleep } from 'node:timers/promises';
import type { Timestamp } from '../../postgres/timestamp.ts';
import type { ImportDeps } from '../import-deps.ts';
import { LeaseLost, underLease } from '../lease.ts';
import { failVendorImport } from './end-vendor-import.ts';
import { importEnvelopes } from './import-envelopes.ts';
import { type RunningVendorImport, takeVendorImport } from './vendor-import.ts';
import { VendorImportEnded, VendorImportPaused } from './vendor-import-ended.ts';

/** The most vendor imports of one process. Each mostly waits for its vendor. */
const concurrentMax = 32;
/** The pause after a failure on our side, so that the vendor isn't called again and again. */
const pauseMsFirst = 5000;
const pauseMsMax = 300_000;

/** Failures of an import since it last stored something. */
interface Failures {
  count: number;
  progressedAt: Timestamp;
}

/**
 * Returns a function that takes vendor imports that no process runs, and runs several at once until none is left or the process
 * stops. It remembers which imports this process runs already.
 */
export function createVendorImportRunner(deps: ImportDeps): () => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const failures = new Map<string, Failures>();

  return async () => {
    while (!deps.stopping.aborted && underWay.size < concurrentMax) {
      const running = await takeVendorImport(deps.world, deps.database, [...underWay.keys()]);
      if (running === null) return;
      const { id } = running.import;
      underWay.set(
        id,
        run(deps, running, failures).finally(() => underWay.delete(id)),
      );
    }
  };
}

/** Returns the pause after so many failures in a row: it doubles with each, up to five minutes. */
export function pauseMsAfter(failuresInARow: number): number {
  return Math.min(pauseMsFirst * 2 ** (failuresInARow - 1), pauseMsMax);
}

/** Never throws. An import that can't continue now is released for the next process. */
async function run(deps: ImportDeps, running: RunningVendorImport, failures: Map<string, Failures>): Promise<void> {
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
    failures.delete(import_id);
  }).catch(async (error) => {
    if (deps.stopping.aborted || error instanceof LeaseLost) return;
    const { progressed_at: progressedAt } = running.vendorImport;
    const before = failures.get(import_id);
    const count = before?.progressedAt === progressedAt ? before.count + 1 : 1;
    failures.set(import_id, { count, progressedAt });
    const pauseMs = pauseMsAfter(count);
    world.log.warn('a vendor import was interrupted and will continue', { import_id, pause_ms: pauseMs, error });
    await sleep(pauseMs, undefined, { signal: deps.stopping }).catch(() => {});
  });
}
