import type { Registry } from 'prom-client';
import { addPolledGauge } from '../http/polled-gauge.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queryable } from '../postgres/database.ts';
import { unsealedSince } from './seal-document.ts';

/** Adds how long a completed document has waited for its seal. It is read from the database, so every process reports the same. */
export function createSealMetrics(registry: Registry, clock: Clock, db: Queryable): void {
  addPolledGauge(registry, {
    name: 'countersign_seal_oldest_waiting_seconds',
    help: 'How long ago the first of the documents that wait for their seal was completed. 0 if none waits.',
    async read(gauge) {
      const [since, now] = [await unsealedSince(db), clock.now().getTime()];
      gauge.set(since === null ? 0 : Math.max(0, (now - Date.parse(since)) / 1000));
    },
  });
}
