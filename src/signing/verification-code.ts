import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Random } from '../platform/random.ts';

/** The limits of decisions.md, Recipients: `l1_email_sms_otp`. */
export const codeMinutes = 10;
export const codesPerHourMax = 5;
/**
 * A message the provider did not accept uses up none of the five. Without a bound of their own, such attempts would let
 * anybody with the link keep a provider busy.
 */
export const attemptsPerHourMax = 20;

const digits = 6;
const codes = 10 ** digits;
/** The largest multiple of `codes` that three bytes can hold: what lies above is drawn again, or low codes would be likelier. */
const fairDraws = 16 * codes;

export function drawCode(random: Random): string {
  for (;;) {
    const drawn = random.bytes(3).readUIntBE(0, 3);
    if (drawn < fairDraws) return String(drawn % codes).padStart(digits, '0');
  }
}

/** Hashes and compares codes. A hash holds for one recipient and one of its codes, and says nothing without SECRET_KEY. */
export interface CodeHasher {
  hash(recipientId: string, number: number, code: string): Buffer;
  /** In constant time. */
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

/** Where the decimal digits begin that keyboards of Arabic, Persian and Urdu, and of Hindi write. */
const zeros = [0x0660, 0x06f0, 0x0966];
/** What comes along when a code is pasted: white space, dashes, dots, and marks that show nothing. */
const filling = /[\s\p{Pd}\p{Cf}.\u2212]/gu;

/** The six digits of what was typed or pasted, or null when it is no code at all. */
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
