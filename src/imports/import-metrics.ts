import type { Registry } from 'prom-client';
import { addPolledGauge } from '../http/polled-gauge.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { importSources } from './import.ts';

/**
 * Adds metrics that show whether imports make progress: how many run, and how long the slowest vendor import has made no
 * progress. Both are read from the database, so every process reports the same.
 */
export function createImportMetrics(registry: Registry, world: World, db: Queryable): void {
  addPolledGauge(registry, {
    name: 'countersign_imports_running',
    help: 'Imports that have not ended.',
    labelNames: ['source'],
    async read(gauge) {
      const running = await countRunning(db);
      for (const source of importSources) gauge.set({ source }, running.get(source) ?? 0);
    },
  });
  addPolledGauge(registry, {
    name: 'countersign_migration_waiting_seconds',
    help: 'Seconds since the slowest running vendor import last made progress. It waits for its vendor or to be connected again.',
    async read(gauge) {
      gauge.set(await longestWaitSeconds(db, world.clock.now()));
    },
  });
}

async function countRunning(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ source: string; running: number }>({
    name: 'count_running_imports',
    text: `select source, count(*)::int as running from imports where status = 'running' group by source`,
    values: [],
  });
  return new Map(rows.map(({ source, running }) => [source, running]));
}

async function longestWaitSeconds(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query<{ seconds: number | null }>({
    name: 'longest_migration_wait',
    text: `select extract(epoch from $1::timestamptz - min(s.progressed_at))::float8 as seconds
           from imports i join esign_sweeps s on s.import_id = i.id where i.status = 'running'`,
    values: [now],
  });
  return Math.max(0, rows[0]?.seconds ?? 0);
}
