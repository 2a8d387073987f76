import { Counter, type Registry } from 'prom-client';
import { addPolledGauge } from '../http/polled-gauge.ts';
import { madeAt } from '../platform/ids.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import type { StreamLane } from './claim-streams.ts';
import type { SendOutcome } from './sending.ts';
import type { StreamKind } from './stream.ts';

export interface StreamMetrics {
  onBatch: (kind: StreamKind, outcome: SendOutcome['kind']) => void;
}

const states: readonly StreamLane[] = ['sending', 'failing'];

/** Metrics of streams of audit logs: how far they lag, how many fail, and batches by their outcome. No label names a company. */
export function createStreamMetrics(registry: Registry, world: World, db: Queryable): StreamMetrics {
  addPolledGauge(registry, {
    name: 'countersign_audit_stream_lag_seconds',
    help: 'Age of the oldest audit entry that waits for a stream, by whether the destination fails. Paused streams do not count.',
    labelNames: ['state'],
    async read(gauge) {
      const lags = await readLags(db);
      for (const state of states) {
        const oldest = lags.find((lag) => lag.state === state)?.oldest ?? null;
        const lagMs = oldest === null ? 0 : world.clock.now().getTime() - madeAt(oldest).getTime();
        gauge.set({ state }, Math.max(0, lagMs / 1000));
      }
    },
  });
  addPolledGauge(registry, {
    name: 'countersign_audit_streams',
    help: 'Streams of audit logs that are not paused, by whether the destination fails.',
    labelNames: ['state'],
    async read(gauge) {
      const lags = await readLags(db);
      for (const state of states) gauge.set({ state }, lags.find((lag) => lag.state === state)?.streams ?? 0);
    },
  });
  const batches = new Counter({
    name: 'countersign_audit_stream_batches_total',
    help: 'Batches of audit entries, by the kind of the destination and by what came of them.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  return { onBatch: (kind, outcome) => batches.inc({ kind, outcome }) };
}

interface Lag {
  state: StreamLane;
  streams: number;
  /** The id of the oldest entry that waits. */
  oldest: string | null;
}

/** Reads the first entry of each stream, so that a long backlog costs no more than a short one. */
function readLags(db: Queryable): Promise<Lag[]> {
  return db.query<Lag>({
    name: 'read_audit_stream_lags',
    text: `select case when s.failures > 0 then 'failing' else 'sending' end as state, count(*)::int as streams,
             (array_agg(first.entry_id order by first.entry_id) filter (where first.entry_id is not null))[1] as oldest
           from audit_streams s join accounts a on a.id = s.account_id and a.removed_at is null
           left join lateral (
             select entry_id from audit_stream_entries e where e.account_id = s.account_id order by entry_id limit 1
           ) first on true
           where s.paused_at is null group by 1`,
    values: [],
  });
}
