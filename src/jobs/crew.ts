/** The workers of one queue, of which as few as possible look for the same jobs. */
export interface Crew {
  add(id: string): void;
  /** Tells that there are new jobs. */
  announce(): void;
  /** `work` is what a worker does with the jobs that it found. `isFull`: it could not have taken more. */
  during<Result>(id: string, isFull: boolean, work: () => Promise<Result>): Promise<Result>;
}

/**
 * New jobs wake one idle worker, and one that has found jobs wakes the next: looking for a job costs the database as much as a
 * small job does. The worker who was idle the longest is woken again and again until it finds something, so that jobs which
 * commit meanwhile are taken together.
 */
export function createCrew(notify: (id: string) => void): Crew {
  const idle = new Set<string>();
  /** There are new jobs, and since then no worker has found any. */
  let isAnnounced = false;

  const wake = () => {
    const [next] = idle;
    if (next !== undefined) notify(next);
  };

  return {
    add: (id) => void idle.add(id),
    announce() {
      isAnnounced = true;
      wake();
    },
    async during(id, isFull, work) {
      idle.delete(id);
      // What was found may be older than what was announced, so another one looks.
      if ((isFull || isAnnounced) && idle.size > 0) {
        isAnnounced = false;
        wake();
      }
      try {
        return await work();
      } finally {
        idle.add(id);
        // It looks again before it rests.
        if (isFull || isAnnounced) notify(id);
      }
    },
  };
}
