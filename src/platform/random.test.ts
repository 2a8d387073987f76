import { expect, test } from 'vitest';
import { systemRandom } from './random.ts';

test('draws have the requested size and never repeat', () => {
  const drawn = Array.from({ length: 5000 }, () => systemRandom.bytes(16).toString('hex'));
  expect(new Set(drawn).size).toBe(drawn.length);
  for (const count of [0, 1, 32, 1024, 1025, 100_000]) expect(systemRandom.bytes(count)).toHaveLength(count);
});

test('further draws never change earlier ones', () => {
  const first = systemRandom.bytes(32);
  const copy = Buffer.from(first);
  for (let i = 0; i < 1000; i++) systemRandom.bytes(64).fill(0);
  expect(first.equals(copy)).toBe(true);
  expect(first.equals(Buffer.alloc(32))).toBe(false);
});
