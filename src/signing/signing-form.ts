import { isPlausiblePng } from '../world/pdf/plausible-png.ts';
import { disclosureVersion, disclosureVersions } from './disclosure.ts';
import type { Signature } from './sign-document.ts';
import { SigningError } from './signing-error.ts';
import { readCode } from './verification-code.ts';

/** What the page posts, read into what signing and declining take. Strangers send it, so everything has a bound. */
const nameLengthMax = 120;
const reasonLengthMax = 1000;
/** As typed or pasted, with what stands between the digits. */
const codeLengthMax = 100;

/** `{ full_name, signature: { kind: 'typed' } | { kind: 'drawn', png: base64 }, disclosure }` */
export function readSignature(body: unknown): Signature {
  const { full_name: fullName, signature, disclosure: shown } = asObject(body);
  const disclosure = readDisclosure(shown);
  if (!isText(fullName, nameLengthMax)) throw new SigningError('invalid_full_name');
  const { kind, png } = asObject(signature ?? { kind: 'typed' });
  if (kind === 'typed') return { fullName: fullName.trim(), png: null, disclosure };
  if (kind !== 'drawn' || typeof png !== 'string') throw new SigningError('invalid_signature');
  const bytes = Buffer.from(png, 'base64');
  if (!isPlausiblePng(bytes)) throw new SigningError('invalid_signature');
  return { fullName: fullName.trim(), png: bytes, disclosure };
}

/** `{ reason }`, 1 to 1000 characters (decisions.md, Recipients). */
export function readDecline(body: unknown): string {
  const { reason } = asObject(body);
  if (!isText(reason, reasonLengthMax)) throw new SigningError('invalid_reason');
  return reason;
}

/** `{ code }`: the six digits, or null for what cannot be a code. */
export function readVerification(body: unknown): string | null {
  const { code } = asObject(body);
  return typeof code === 'string' && code.length <= codeLengthMax ? readCode(code) : null;
}

/** A page served before an update showed the text of then. Where none is named, the page is of this version. */
function readDisclosure(version: unknown): string {
  if (version === undefined || version === null) return disclosureVersion;
  if (typeof version !== 'string' || !disclosureVersions.has(version)) throw new SigningError('malformed_request');
  return version;
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
