import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62, randomBase62 } from '../platform/base62.ts';
import type { Random } from '../platform/random.ts';

/**
 * `svc_live_` or `svc_test_`, 32 random base62 characters, 6 of checksum: a secret scanner recognises a key and a typo
 * is refused without asking the database. Only the SHA-256 is ever stored; with 190 random bits it needs no salt.
 */
export type KeyMode = 'live' | 'test';

const secretLength = 32;
const checksumLength = 6;
const format = /^svc_(live|test)_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/;

export function generateKey(mode: KeyMode, random: Random): string {
  const body = `svc_${mode}_${randomBase62(random, secretLength)}`;
  return body + checksum(body);
}

/** Returns the mode of a well-formed key. Null for other texts. */
export function parseKey(key: string): { mode: KeyMode } | null {
  const match = format.exec(key);
  if (match === null) return null;
  const body = key.slice(0, -checksumLength);
  return checksum(body) === key.slice(-checksumLength) ? { mode: match[1] as KeyMode } : null;
}

export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Returns a hint for lists: `svc_live_…4f7K`. */
export function keyHint(key: string): string {
  return `${key.slice(0, 'svc_live_'.length)}…${key.slice(-4)}`;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text = base62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
