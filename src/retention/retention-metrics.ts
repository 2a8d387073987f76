import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../platform/clock.ts';

export interface RetentionMetrics {
  countRemoved(data: string, removed: number): void;
  setOldest(data: string, since: Date | null): void;
}

/** Adds what was removed, and the age of what is kept. The oldest rows are looked up by the scheduled job. */
export function createRetentionMetrics(registry: Registry, clock: Clock): RetentionMetrics {
  const removedTotal = new Counter({
    name: 'countersign_retention_removed_total',
    help: 'Rows and files that were removed because they were old.',
    labelNames: ['data'],
    registers: [registry],
  });
  const oldest = new Map<string, Date>();
  new Gauge({
    name: 'countersign_retention_oldest_seconds',
    help: 'Age of the oldest row or file. For sessions, links and codes: how long ago the first one expired.',
    labelNames: ['data'],
    registers: [registry],
    collect() {
      this.reset();
      const now = clock.now().getTime();
      for (const [data, since] of oldest) this.set({ data }, Math.max(0, (now - since.getTime()) / 1000));
    },
  });
  return {
    countRemoved: (data, removed) => removedTotal.inc({ data }, removed),
    setOldest(data, since) {
      if (since === null) oldest.delete(data);
      else oldest.set(data, since);
    },
  };
}
