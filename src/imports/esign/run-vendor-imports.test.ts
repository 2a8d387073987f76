import { expect, test } from 'vitest';
import { pauseMsAfter } from './run-vendor-imports.ts';

test('the pause doubles with each failure in a row, up to five minutes', () => {
  const pauses = [1, 2, 3, 6, 7, 8, 50, 5000].map(pauseMsAfter);
  expect(pauses).toEqual([5000, 10_000, 20_000, 160_000, 300_000, 300_000, 300_000, 300_000]);
});
