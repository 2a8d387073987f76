import { expect, test } from 'vitest';
import { measurePace, paceText } from './import-pace.ts';

const row = (ended: number, total: number) =>
  ({
    object: 'import',
    id: '',
    source: 'esign_vendor',
    status: 'running',
    total_files: total,
    filed: ended,
    failed: 0,
    remaining: total - ended,
    created_at: '',
    finished_at: null,
  }) as const;

test('the pace is that of the last minute, and the time left is what remains at it', () => {
  const pace = measurePace();
  expect(pace(row(0, 100), 0)).toBe(null);
  expect(pace(row(20, 100), 10)).toEqual({ perSecond: 2, secondsLeft: 40 });
  expect(pace(row(20, 100), 70)).toEqual({ perSecond: 0, secondsLeft: null });
  expect(pace(row(80, 1000), 71)).toEqual({ perSecond: 60, secondsLeft: 920 / 60 });
});

test.for([
  [{ perSecond: 12.34, secondsLeft: 61.2 }, '12.3/s, 62 s left'],
  [{ perSecond: 250.4, secondsLeft: 600 }, '250/s, 10 min left'],
  [{ perSecond: 0.8, secondsLeft: 9000 }, '0.8/s, 2.5 h left'],
  [{ perSecond: 0, secondsLeft: null }, '0.0/s'],
] as const)('it reads %o as %s', ([pace, text]) => {
  expect(paceText(pace)).toBe(text);
});
