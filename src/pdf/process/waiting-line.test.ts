import { expect, test } from 'vitest';
import { createWaitingLine } from './waiting-line.ts';

test('owners take turns, each with its oldest entry', () => {
  const line = createWaitingLine<string>({ ownerMax: 9, max: 99 });
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) line.add(entry.charAt(0), entry);
  expect([line.next(), line.next()]).toEqual(['a1', 'b1']);
  line.add('d', 'd1');
  line.add('c', 'c2');
  expect(Array.from({ length: 7 }, () => line.next())).toEqual(['c1', 'a2', 'b2', 'd1', 'c2', 'a3', undefined]);
});

test('a newcomer waits for one entry of each other owner at most', () => {
  const line = createWaitingLine<string>({ ownerMax: 9, max: 99 });
  for (const entry of ['a1', 'a2', 'a3']) line.add('a', entry);
  line.next();
  line.add('b', 'b1');
  expect([line.next(), line.next(), line.next()]).toEqual(['a2', 'b1', 'a3']);
});

test('refuses what has no room, and keeps room for other owners', () => {
  const line = createWaitingLine<number>({ ownerMax: 2, max: 4 });
  expect([1, 2, 3].map((entry) => line.add('a', entry))).toEqual([true, true, false]);
  expect([4, 5].map((entry) => line.add(`b${entry}`, entry))).toEqual([true, true]);
  expect(line.add('c', 6)).toBe(false);
  expect(line.clear()).toEqual([1, 2, 4, 5]);
  expect(line.next()).toBeUndefined();
  expect(line.add('a', 7)).toBe(true);
});
