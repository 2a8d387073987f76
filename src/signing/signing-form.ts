import { fieldsMax } from '../documents/field.ts';
import {
  type MarkContent,
  nothingSaved,
  type SavedMark,
  type SavedSignature,
  type SavedSignatures,
  savedMarks,
} from '../identity/saved-signatures.ts';
import { isWrittenMarkKind, markKinds, type WrittenMarkKind } from '../mark-kinds.ts';
import { isPageLanguage, type PageLanguage } from '../page-texts/texts.ts';
import type { EnteredCode } from './check-code.ts';
import { disclosures, disclosureVersion } from './disclosure.ts';
import type { FieldValues } from './fill-fields.ts';
import { isText, readContent, readFullName, readInk, readStamp } from './mark-content.ts';
import type { Initials, Signature } from './sign-document.ts';
import { SigningError } from './signing-error.ts';
import { reasonLengthMax } from './text-lengths.ts';
import { readCode } from './verification-code.ts';

/** Limit of a code as typed or pasted, with separators. */
const codeLengthMax = 100;

/**
 * Reads `{ full_name, signature: { kind: 'typed' } | { kind: 'drawn' or 'uploaded', png: base64 } | { kind: 'saved', id }, disclosure,
 * consent?: true, shown?, language?, initials?: { kind: 'typed', text } | { kind: 'drawn' or 'uploaded', png: base64 } | { kind: 'saved', id },
 * stamp?: { png: base64 }, fields?: { <id>: value } }`. A signature that is a picture needs no name. `saved`: what the recipient may use
 * of what they saved.
 */
export function readSignature(body: unknown, saved: SavedSignatures = nothingSaved): Signature {
  const {
    full_name: fullName,
    signature,
    disclosure: version,
    consent,
    shown,
    language,
    initials,
    stamp,
    fields,
  } = asObject(body);
  const disclosure = readDisclosure(version);
  const isSaved = (mark: unknown) => isObject(mark) && mark.kind === 'saved';
  const made = isSaved(signature)
    ? savedContent(signature, saved.signature)
    : readContent('signature', { ...asObject(signature ?? { kind: 'typed' }), text: fullName });
  const name = made.kind === 'typed' ? made.text : fullName === undefined ? null : readFullName(fullName);
  return {
    fullName: name,
    method: made.kind,
    png: made.kind === 'typed' ? null : made.png,
    initials: readInitials(initials, saved.initials),
    saved: { signature: isSaved(signature), initials: isSaved(initials) },
    stamp: stamp === undefined || stamp === null ? null : readStamp(asObject(stamp).png),
    fields: readFieldValues(fields ?? {}),
    disclosure,
    isConsentTicked: consent === true,
    shown: readShown(shown),
    pageLanguage: readLanguage(language),
  };
}

/** Whether a body of `readSignature` uses what the recipient saved. */
export function usesSaved(body: unknown): boolean {
  return savedMarks.some((mark) => isObject(body) && isObject(body[mark]) && body[mark].kind === 'saved');
}

/** Whether a body of `readSignature` has pictures. */
export function hasPictures(body: unknown): boolean {
  return markKinds.some((mark) => isObject(body) && isObject(body[mark]) && body[mark].png !== undefined);
}

/** Reads what shall be saved for next time from a body of `readSignature`: the signature or initials with `save: true`. */
export function readSaving(body: unknown): Array<[SavedMark, MarkContent]> {
  const given = asObject(body);
  return savedMarks.flatMap((mark): Array<[SavedMark, MarkContent]> => {
    const made = given[mark];
    if (!isObject(made) || made.save !== true || made.kind === 'saved') return [];
    const text = mark === 'signature' ? given.full_name : made.text;
    return [[mark, readContent(mark, { ...made, text })]];
  });
}

/** Throws `saved_unavailable` if it was replaced or removed since the page was loaded, or isn't the recipient's. */
function savedContent(given: unknown, saved: SavedSignature | null): MarkContent {
  if (saved === null || asObject(given).id !== saved.id) throw new SigningError('saved_unavailable');
  return saved.content;
}

function readInitials(initials: unknown, saved: SavedSignature | null): Initials | null {
  if (initials === undefined || initials === null) return null;
  const given = asObject(initials);
  const made = given.kind === 'saved' ? savedContent(given, saved) : readContent('initials', given);
  return made.kind === 'typed' ? { text: made.text, png: null } : { text: null, png: made.png };
}

/** Reads `{ framed?: true }`. Default: false. */
export function readIsFramed(body: unknown): boolean {
  return asObject(body).framed === true;
}

/** Reads `{ mark: 'signature' | 'initials' }`, what a phone shall draw. */
export function readDrawnMark(body: unknown): WrittenMarkKind {
  const { mark } = asObject(body);
  if (!isWrittenMarkKind(mark)) throw new SigningError('malformed_request');
  return mark;
}

/** Reads `{ png: base64 }`, what a phone drew. */
export function readDrawnPng(body: unknown): Buffer {
  return readInk(asObject(body).png);
}

/** Reads `{ fields: { <id>: value | null } }`. */
export function readProgress(body: unknown): FieldValues {
  return readFieldValues(asObject(body).fields);
}

/** Reads field values. An empty text empties its field, as null does. */
function readFieldValues(fields: unknown): FieldValues {
  const entries = Object.entries(asObject(fields));
  if (entries.length > fieldsMax) throw new SigningError('malformed_request');
  return new Map(
    entries.map(([id, value]) => {
      if (value !== null && typeof value !== 'string') throw new SigningError('invalid_field');
      return [id.toLowerCase(), value === '' ? null : value];
    }),
  );
}

/** Reads `{ reason }`, 1 to 1000 characters. */
export function readDecline(body: unknown): string {
  const { reason } = asObject(body);
  if (!isText(reason, reasonLengthMax)) throw new SigningError('invalid_reason');
  return reason;
}

/** Reads `{ code, page }`. */
export function readVerification(body: unknown): EnteredCode {
  const { code, page } = asObject(body);
  return {
    digits: typeof code === 'string' && code.length <= codeLengthMax ? readCode(code) : null,
    page: typeof page === 'string' && isPageName(page) ? page : null,
  };
}

/** Whether a name is long enough that nobody guesses it. */
function isPageName(name: string): boolean {
  return name.length >= 32 && name.length <= 200;
}

/** Reads the disclosure version, which may be older on a page that was open during an update. Default: the current one. */
function readDisclosure(version: unknown): string {
  if (version === undefined || version === null) return disclosureVersion;
  if (typeof version !== 'string' || !disclosures.has(version)) throw new SigningError('malformed_request');
  return version;
}

/** Reads the hash of what the page showed of others, in hex. Null for a page that showed nothing. */
function readShown(sha256: unknown): string | null {
  if (sha256 === undefined || sha256 === null) return null;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) throw new SigningError('malformed_request');
  return sha256;
}

/** Reads the language of the page. Null: that of the document. */
function readLanguage(language: unknown): PageLanguage | null {
  if (language === undefined || language === null) return null;
  if (!isPageLanguage(language)) throw new SigningError('malformed_request');
  return language;
}

function asObject(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new SigningError('malformed_request');
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
