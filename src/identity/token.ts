import { createHash } from 'node:crypto';
import type { Random } from '../platform/random.ts';

/** 256 random bits for one address or one cookie; of them only the SHA-256 is stored. */
export function drawToken(random: Random): string {
  return random.bytes(32).toString('base64url');
}

const format = /^[A-Za-z0-9_-]{43}$/;

export function isToken(text: string): boolean {
  return format.test(text);
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
