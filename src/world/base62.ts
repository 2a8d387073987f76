import type { Random } from './random.ts';

/** Digits and letters: survives every double click, shell and URL. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Each character is worth 5.95 bits: 32 of them are 190. */
export function randomBase62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      // 248 = 4 × 62: bytes above would make the first characters likelier.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}
