import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Random } from '../platform/random.ts';

/** Limits of `l1_email_sms_otp`. See docs/decisions.md. */
export const codeMinutes = 10;
export const codesPerHourMax = 5;
/**
 * Messages that the provider didn't accept don't count towards the five per hour. They have this limit of their own,
 * because otherwise anyone with the link could send endless requests to the provider.
 */
export const attemptsPerHourMax = 20;

const digits = 6;
const codes = 10 ** digits;
/** The largest multiple of `codes` in three bytes. Larger numbers are drawn again; otherwise low codes would be more likely. */
const fairDraws = 16 * codes;

export function drawCode(random: Random): string {
  for (;;) {
    const drawn = random.bytes(3).readUIntBE(0, 3);
    if (drawn < fairDraws) return String(drawn % codes).padStart(digits, '0');
  }
}

/** Hashes and compares codes. A hash belongs to one recipient and one code, and is useless without SECRET_KEY. */
export interface CodeHasher {
  hash(recipientId: string, number: number, code: string): Buffer;
  /** Compares in constant time. */
  matches(hash: Buffer, recipientId: string, number: number, code: string): boolean;
}

export function createCodeHasher(secretKey: Buffer): CodeHasher {
  const key = createSecretKey(createHmac('sha256', secretKey).update('verification code').digest());
  const hash = (recipientId: string, number: number, code: string) =>
    createHmac('sha256', key).update(`${recipientId}\n${number}\n${code}`).digest();
  return {
    hash,
    matches: (expected, recipientId, number, code) => timingSafeEqual(expected, hash(recipientId, number, code)),
  };
}

/** The zeros of the decimal digits on Arabic, Persian, Urdu and Hindi keyboards. */
const zeros = [0x0660, 0x06f0, 0x0966];
/** Characters that are pasted along with a code: white space, dashes, dots and invisible marks. */
const filling = /[\s\p{Pd}\p{Cf}.\u2212]/gu;

/** Returns the six digits of a typed or pasted code, or null if it isn't one. */
export function readCode(typed: string): string | null {
  const plain = typed
    .normalize('NFKC')
    .replace(filling, '')
    .replace(/\p{Nd}/gu, asciiDigit);
  return /^\d{6}$/.test(plain) ? plain : null;
}

function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) as number;
  const zero = zeros.find((start) => point >= start && point < start + 10);
  return zero === undefined ? digit : String(point - zero);
}
