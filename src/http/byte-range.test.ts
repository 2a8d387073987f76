import { expect, test } from 'vitest';
import { readByteRange } from './byte-range.ts';

const file = { size: 100, etag: '"a"' };

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=0-99', { first: 0, last: 99 }],
  ['bytes=0-100', { first: 0, last: 99 }],
  ['bytes=40-', { first: 40, last: 99 }],
  ['bytes=99-', { first: 99, last: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-1', { first: 99, last: 99 }],
  ['bytes=-100', { first: 0, last: 99 }],
  ['bytes=-101', { first: 0, last: 99 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-4', null],
  ['bytes=-', null],
  ['bytes=0-1,5-6', null],
  ['lines=0-1', null],
  ['bytes=0-1e3', null],
  ['bytes=9999999999999999-', null],
  [undefined, null],
])('%s', (range, expected) => {
  expect(readByteRange(range, undefined, file)).toEqual(expected);
});

test('a part of another version is not sent', () => {
  expect(readByteRange('bytes=5-', '"a"', file)).toEqual({ first: 5, last: 99 });
  expect(readByteRange('bytes=5-', '"b"', file)).toBeNull();
  expect(readByteRange('bytes=5-', 'Wed, 21 Oct 2015 07:28:00 GMT', file)).toBeNull();
});

test('nothing of an empty file can be asked for', () => {
  for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-5']) {
    expect(readByteRange(range, undefined, { size: 0, etag: '"a"' })).toBe('unsatisfiable');
  }
});
