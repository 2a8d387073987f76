import { isStorable } from '../documents/field.ts';
import type { MarkContent, SavedMark } from '../identity/saved-signatures.ts';
import type { MarkKind } from '../mark-kinds.ts';
import { isPlausiblePng } from '../pdf/plausible-png.ts';
import { hasInk } from '../pdf/png/signature-ink.ts';
import { isBlank, onOneLine } from '../platform/plain-line.ts';
import { SigningError } from './signing-error.ts';
import { initialsLengthMax, nameLengthMax } from './text-lengths.ts';

/** Checks of signatures and initials, for those who sign and for those who save one. */

/** Reads a signature or initials: `{ kind: 'typed', text } | { kind: 'drawn' or 'uploaded', png: base64 }`. */
export function readContent(mark: SavedMark, { kind, text, png }: Record<string, unknown>): MarkContent {
  if (kind === 'drawn' || kind === 'uploaded') return { kind, png: readInk(png, mark) };
  if (kind !== 'typed') throw new SigningError('invalid_signature', { param: mark });
  if (mark === 'signature') return { kind, text: readFullName(text) };
  if (!isLine(text, initialsLengthMax)) throw new SigningError('invalid_signature', { param: mark });
  return { kind, text: text.trim() };
}

/** Throws `invalid_full_name`. */
export function readFullName(name: unknown): string {
  if (!isLine(name, nameLengthMax)) throw new SigningError('invalid_full_name');
  return name.trim();
}

/** Reads the picture of a stamp: a PNG in base64. Throws `invalid_signature`. */
export function readStamp(png: unknown): Buffer {
  return readPng(png, isPlausiblePng, 'stamp');
}

/**
 * Reads the picture of a signature or initials: a PNG in base64. Throws `invalid_signature`, also if nothing can be seen in it.
 * Takes up to 0.2 s of the processor: only for those whose link was checked, and whose pictures are counted.
 */
export function readInk(png: unknown, mark?: SavedMark): Buffer {
  return readPng(png, hasInk, mark);
}

function readPng(png: unknown, isUsable: (bytes: Buffer) => boolean, mark: MarkKind | undefined): Buffer {
  const bytes = typeof png === 'string' ? Buffer.from(png, 'base64') : Buffer.alloc(0);
  if (!isUsable(bytes)) throw new SigningError('invalid_signature', { param: mark });
  return bytes;
}

/** Whether a value is a text on one line, with at most `lengthMax` characters, in which something can be seen. */
export function isLine(value: unknown, lengthMax: number): value is string {
  return isText(value, lengthMax) && onOneLine(value.trim()) === value.trim();
}

/** Whether a value is a text with at most `lengthMax` characters that the database can store, in which something can be seen. */
export function isText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && !isBlank(value) && [...value].length <= lengthMax && isStorable(value);
}
