import type { Registry } from 'prom-client';
import { addPolledGauge } from '../http/polled-gauge.ts';
import type { Clock } from '../platform/clock.ts';
import type { RunningQueue } from './job-queue.ts';
import { queueNames } from './queues.ts';

/** Adds the depth and the age of each queue. Both are read from the database, so every process reports the same. */
export function createJobMetrics(
  registry: Registry,
  clock: Clock,
  queue: Pick<RunningQueue, 'depths' | 'readySince'>,
): void {
  addPolledGauge(registry, {
    name: 'countersign_jobs',
    help: 'Jobs in each queue that are ready to be worked on, delayed until their next attempt, or active.',
    labelNames: ['queue', 'state'],
    async read(gauge) {
      for (const { queue: name, ...states } of await queue.depths()) {
        for (const [state, jobs] of Object.entries(states)) gauge.set({ queue: name, state }, jobs);
      }
    },
  });
  addPolledGauge(registry, {
    name: 'countersign_job_oldest_ready_seconds',
    help: 'How long the next job of each queue has been ready without being worked on.',
    labelNames: ['queue'],
    async read(gauge) {
      const [since, now] = [await queue.readySince(), clock.now().getTime()];
      for (const name of queueNames()) {
        const first = since.get(name)?.getTime() ?? now;
        gauge.set({ queue: name }, Math.max(0, (now - first) / 1000));
      }
    },
  });
}
