import { isPlausiblePng } from '../world/pdf/plausible-png.ts';
import type { Signature } from './sign-document.ts';
import { SigningError } from './signing-error.ts';

/** What the page posts, read into what signing and declining take. Strangers send it, so everything has a bound. */
const nameLengthMax = 120;
const reasonLengthMax = 1000;

/** `{ full_name, signature: { kind: 'typed' } | { kind: 'drawn', png: base64 } }` */
export function readSignature(body: unknown): Signature {
  const { full_name: fullName, signature } = asObject(body);
  if (!isText(fullName, nameLengthMax)) throw new SigningError('invalid_full_name');
  const { kind, png } = asObject(signature ?? { kind: 'typed' });
  if (kind === 'typed') return { fullName: fullName.trim(), png: null };
  if (kind !== 'drawn' || typeof png !== 'string') throw new SigningError('invalid_signature');
  const bytes = Buffer.from(png, 'base64');
  if (!isPlausiblePng(bytes)) throw new SigningError('invalid_signature');
  return { fullName: fullName.trim(), png: bytes };
}

/** `{ reason }`, 1 to 1000 characters (decisions.md, Recipients). */
export function readDecline(body: unknown): string {
  const { reason } = asObject(body);
  if (!isText(reason, reasonLengthMax)) throw new SigningError('invalid_reason');
  return reason;
}

function isText(value: unknown, lengthMax: number): value is string {
  if (typeof value !== 'string' || value.trim() === '' || [...value].length > lengthMax) return false;
  // What PostgreSQL can hold: no lone surrogate and no U+0000.
  return value.isWellFormed() && !value.includes('\u0000');
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SigningError('malformed_request');
  return value as Record<string, unknown>;
}
