import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../world/random.ts';
import { base32, fromBase32 } from './base32.ts';

/** Time-based one-time passwords (RFC 6238) as every authenticator knows them: SHA-1, six digits, thirty seconds. */
const secretBytes = 20;
const stepSeconds = 30;
const digits = 6;
/** A clock may be a step off, and a code takes a while to type. */
const stepsAround = 1;

export function drawTotpSecret(random: Random): string {
  return base32(random.bytes(secretBytes));
}

/** What a QR code shows to an authenticator. */
export function otpauthUri(secret: string, email: string): string {
  const label = encodeURIComponent(`Countersign:${email}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=Countersign&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}

/** The step whose code this is, so that it can be used up; null for a wrong one. White space in it does not count. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const given = Buffer.from(code.replaceAll(/\s/g, ''));
  const current = Math.floor(now.getTime() / 1000 / stepSeconds);
  let found: number | null = null;
  for (let step = current - stepsAround; step <= current + stepsAround; step++) {
    const expected = Buffer.from(codeOfStep(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step;
  }
  return found;
}

/** What an authenticator shows at a time. */
export function codeAt(secret: string, now: Date): string {
  return codeOfStep(secret, Math.floor(now.getTime() / 1000 / stepSeconds));
}

function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hmac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (hmac.at(-1) as number) & 15;
  const number = hmac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}
