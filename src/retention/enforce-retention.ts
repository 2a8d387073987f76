import type { World } from '../platform/world.ts';
import type { RetainedData } from './retained-data.ts';
import type { RetentionMetrics } from './retention-metrics.ts';

/** Batches of one kind of data in one run, so that every kind gets its turn. The next run continues. */
const batchesMax = 1000;

/**
 * Removes the data that is older than it is kept, kind after kind in batches. A failure of one kind doesn't stop the others.
 * `stopping` ends the run after the current batch.
 */
export async function enforceRetention(
  world: World,
  retained: readonly RetainedData[],
  metrics: RetentionMetrics,
  stopping: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const data of retained) {
    if (stopping.aborted) break;
    try {
      const before = data.before(world.clock.now());
      if (before !== null) await removeBefore(data, before, metrics, stopping);
      if (stopping.aborted) break;
      metrics.setOldest(data.name, await data.oldest());
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function removeBefore(
  data: RetainedData,
  before: Date,
  metrics: RetentionMetrics,
  stopping: AbortSignal,
): Promise<void> {
  for (let batch = 0; batch < batchesMax && !stopping.aborted; batch += 1) {
    const { removed, isLast } = await data.removeBatch(before);
    metrics.countRemoved(data.name, removed);
    if (isLast) return;
  }
}
