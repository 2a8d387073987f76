import { Secret, TOTP } from 'otpauth';
import type { Random } from '../platform/random.ts';

/** Time-based one-time passwords (RFC 6238) as every authenticator knows them. */
const parameters = { issuer: 'Countersign', algorithm: 'SHA1', digits: 6, period: 30 };
const secretBytes = 20;
/** A clock may be a step off, and a code takes a while to type. */
const stepsAround = 1;

/** A new secret, in base 32. */
export function drawTotpSecret(random: Random): string {
  return base32(random.bytes(secretBytes));
}

/** Bytes in base 32 (RFC 4648) without padding. */
export function base32(bytes: Buffer): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}

/** The address that a QR code shows to an authenticator. */
export function otpauthUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step of a code, so that it can be used up. Null for a wrong code. White space in it is ignored. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ''), timestamp, window: stepsAround });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** The code that an authenticator shows at a time. */
export function codeAt(secret: string, now: Date): string {
  return totpOf(secret).generate({ timestamp: now.getTime() });
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ ...parameters, label, secret: Secret.fromBase32(secret) });
}
