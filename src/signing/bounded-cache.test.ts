import { expect, test } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

function counting(bytesMax: number) {
  const cache = createBoundedCache<string>(bytesMax, (value) => value.length);
  const made: string[] = [];
  const get = (name: string, bytes = 10) =>
    cache.get(name, async () => {
      made.push(name);
      return name.padEnd(bytes, '.');
    });
  return { cache, made, get };
}

test('keeps what was asked for last, up to its bound', async () => {
  const { made, get } = counting(30);
  for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await get(name);
  expect(made).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('a value larger than the limit is returned but not cached', async () => {
  const { made, get } = counting(30);
  expect(await get('a', 31)).toHaveLength(31);
  await get('a', 31);
  expect(made).toEqual(['a', 'a']);
});

test('a failure reaches all waiting callers and is not cached', async () => {
  const { cache } = counting(30);
  const failing = Array.from({ length: 3 }, () => cache.get('a', () => Promise.reject(new Error('no'))));
  for (const answer of failing) await expect(answer).rejects.toThrow('no');
  expect(await cache.get('a', async () => 'yes')).toBe('yes');
});
