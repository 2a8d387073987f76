/** Thrown when work could not start in time because other work ran. */
export class NoTurnError extends Error {}

export interface AtOnceLimits {
  /** How many run at once. */
  max: number;
  /** Work that has waited this long for its turn is not started. */
  waitMs: number;
}

/** Returns a function that runs work in the order of the calls, a limited number at once. It throws a `NoTurnError` after `waitMs`. */
export function limitAtOnce({ max, waitMs }: AtOnceLimits): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting = new Set<() => void>();

  async function waitForTurn(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const timer = setTimeout(() => {
      // It may have got its turn meanwhile.
      if (waiting.delete(resolve)) reject(new NoTurnError());
    }, waitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  /** The first that waits takes the place of the work that ended. */
  function passOn(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
    } else {
      waiting.delete(next);
      next();
    }
  }

  return async (work) => {
    if (running >= max) await waitForTurn();
    else running += 1;
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}
