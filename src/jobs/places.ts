import type { Job } from '../messages/job-queue.ts';
import type { Clock } from '../platform/clock.ts';
import { queues } from './queues.ts';

/** The order of the jobs of each queue, in which no company waits behind the many jobs of another. */
export interface Places {
  /** Returns the priority of the next job of a company. Jobs with a higher one are worked on first. Null: of no company. */
  next(queue: Job['name'], accountId: string | null): number;
}

const lookEverySeconds = 5;

/** Priorities are 32-bit integers. */
const firstSecond = Date.UTC(2026, 0, 1) / 1000;

/**
 * A job has the place of the second in which it comes, and the jobs of one company have places at least `secondsApart`: a
 * thousand that come at once are placed like one after each such time, and a job that another company adds meanwhile goes before
 * most of them. Places only order what waits. A job whose place is in the future is worked on as soon as none is before it, and the
 * time for it comes, however much the others add.
 *
 * Each process counts its own places. It forgets those in the future when `findWaiting` says that nothing waits in the queue:
 * a company that sends much all day, but no more than is worked on, stands behind nobody.
 */
export function createPlaces(clock: Clock, findWaiting: () => Promise<ReadonlySet<string>>): Places {
  /** The last place of each company, in seconds, by queue. */
  const placesOf = new Map<Job['name'], Map<string, number>>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  function look(second: number): void {
    lookedAt = second;
    for (const places of placesOf.values()) {
      for (const [accountId, place] of places) if (place < second) places.delete(accountId);
    }
    if ([...placesOf.values()].every((places) => places.size === 0)) return;
    const forget = (waiting: ReadonlySet<string>) => {
      for (const [queue, places] of placesOf) if (!waiting.has(queue)) places.clear();
    };
    // Without an answer the places are kept.
    findWaiting().then(forget, () => {});
  }

  return {
    next(queue, accountId) {
      const second = Math.floor(clock.now().getTime() / 1000) - firstSecond;
      if (accountId === null) return -second;
      // A clock may be put back.
      if (Math.abs(second - lookedAt) >= lookEverySeconds) look(second);
      const places = placesOf.get(queue) ?? new Map<string, number>();
      placesOf.set(queue, places);
      const last = places.get(accountId) ?? Number.NEGATIVE_INFINITY;
      const place = Math.max(second, last + queues[queue].secondsApart);
      places.set(accountId, place);
      return -place;
    },
  };
}
