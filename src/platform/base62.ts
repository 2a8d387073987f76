import type { Random } from './random.ts';

/** Digits and letters, which are safe in shells and URLs and are selected by a double click. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `length` random characters of 5.95 bits each: 32 of them have 190 bits. */
export function randomBase62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      // 248 = 4 × 62. Larger bytes would make the first characters more likely.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}
