import { expect, test } from 'vitest';
import { durationClass, durationClassMax, percentileMs } from './duration-classes.ts';

test('durations fall into classes that grow by a quarter, up to a hundred seconds', () => {
  expect([0, 1, 2, 10, 11, 100, 10_000, 99_000, 1e9].map(durationClass)).toEqual([
    0,
    0,
    4,
    10,
    11,
    20,
    40,
    durationClassMax,
    durationClassMax,
  ]);
});

test('percentiles of counted durations are within a class of the exact ones', () => {
  for (const durations of [
    [20],
    [1, 1, 1, 10_000],
    Array.from({ length: 100 }, (_, at) => at + 1),
    Array.from({ length: 1000 }, (_, at) => (at * 7919) % 5000),
  ]) {
    const counts = new Map<number, number>();
    for (const ms of durations) counts.set(durationClass(ms), (counts.get(durationClass(ms)) ?? 0) + 1);
    const sorted = durations.toSorted((one, other) => one - other);
    for (const share of [0.5, 0.95]) {
      const exact = Math.max(1, sorted[Math.ceil(share * sorted.length) - 1] as number);
      const ratio = (percentileMs(counts, share) as number) / exact;
      expect(ratio, `${share} of ${durations.length}`).toBeGreaterThan(1 / 1.26);
      expect(ratio, `${share} of ${durations.length}`).toBeLessThan(1.26);
    }
  }
  expect(percentileMs(new Map(), 0.5)).toBe(null);
});
