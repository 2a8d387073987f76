import { expect, test } from 'vitest';
import { acceptsEncoding } from './accepts-encoding.ts';

test.each([
  ['br', true],
  ['gzip, deflate, br, zstd', true],
  ['gzip;q=0.5 , BR;q=1.0', true],
  ['br;q=0.001', true],
  ['br;q=0', false],
  ['gzip, br ; q=0.000', false],
  ['gzip', false],
  ['x-br', false],
  ['*', false],
  ['', false],
  [',;,', false],
])('"%s" accepts brotli: %s', (accepted, isAccepted) => {
  expect(acceptsEncoding({ 'accept-encoding': accepted }, 'br')).toBe(isAccepted);
});

test('a client that names no encoding gets none', () => {
  expect([acceptsEncoding({}, 'br'), acceptsEncoding({}, 'gzip')]).toEqual([false, false]);
});
