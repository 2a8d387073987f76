import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createHmacSha256 } from './hmac-sha256.ts';

test.each([0, 1, 32, 63, 64])('is the HMAC that node computes, with a key of %i bytes', (length) => {
  const key = randomBytes(length);
  const hmac = createHmacSha256(key);
  for (const message of [Buffer.alloc(0), Buffer.from('position'), randomBytes(1000)]) {
    expect(hmac(message)).toEqual(createHmac('sha256', key).update(message).digest());
  }
});

test('a key that would have to be hashed first is refused', () => {
  expect(() => createHmacSha256(randomBytes(65))).toThrow(RangeError);
});
