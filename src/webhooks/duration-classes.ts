/** Durations are counted in ten classes per factor of ten, so that percentiles of many attempts need few numbers. */
const classesPerDecade = 10;

/** Highest class: a hundred seconds and more. */
export const durationClassMax = 50;

/** Returns the class of a duration: class n is up to 10^(n/10) ms, and more than class n - 1. */
export function durationClass(ms: number): number {
  return Math.min(durationClassMax, Math.ceil(classesPerDecade * Math.log10(Math.max(1, ms))));
}

/**
 * Returns a percentile in milliseconds, such as 0.95, from the number of durations in each class. It is at most 26 percent
 * from the exact one. Null without durations.
 */
export function percentileMs(counts: ReadonlyMap<number, number>, share: number): number | null {
  const classes = [...counts].sort(([one], [other]) => one - other);
  const rank = share * classes.reduce((sum, [, count]) => sum + count, 0);
  let below = 0;
  for (const [number, count] of classes) {
    if (count > 0 && below + count >= rank) {
      const exponent = (number - 1 + (rank - below) / count) / classesPerDecade;
      return Math.max(1, Math.round(10 ** exponent));
    }
    below += count;
  }
  return null;
}
