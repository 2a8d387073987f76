import { expect, test } from 'vitest';
import { crc32c } from './crc32c.ts';

test('gives the values of RFC 3720, appendix B.4', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
});
