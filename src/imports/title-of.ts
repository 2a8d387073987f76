import { fileNameLengthMax as attachedNameLengthMax } from '../documents/attach-file.ts';
import { fileNameLengthMax } from './import.ts';

const titleLengthMax = 200;
/** Characters that neither a title nor a file name may hold: controls, lone surrogates and marks that reorder text. */
const unwanted = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns the file name as it is stored and shown, cleaned and cut to its limit. Null if nothing is left. */
export function cleanName(name: string | null): string | null {
  return cleanText(name ?? '', fileNameLengthMax);
}

/** Returns the title of an imported file's document: the file name without `.pdf`. */
export function titleOf(name: string | null): string {
  const clean = cleanName(name) ?? '';
  return titleOfSubject(clean.replace(/\.pdf$/i, ''));
}

/** Code points of a letter with its marks. */
const letterLengthMax = 4;

/**
 * Returns the title of an imported envelope's document: its subject. Names from macOS have accents as characters of their own, which
 * no search for the typed word would find.
 */
export function titleOfSubject(subject: string | null): string {
  const whole = cleanText(subject ?? '', titleLengthMax * letterLengthMax)?.normalize('NFC') ?? '';
  return cleanText(whole, titleLengthMax) ?? 'Imported document';
}

/** Returns the name under which the file is attached to its document. */
export function attachedNameOf(name: string | null): string {
  const clean = cleanText(cleanName(name) ?? 'Imported document', attachedNameLengthMax - '.pdf'.length) as string;
  return /\.pdf$/i.test(clean) ? clean : `${clean}.pdf`;
}

/** The code units read per code point that is kept, because outside text may be megabytes long. */
const unitsReadMax = 10;

/** Replaces unwanted characters and cuts the text to `lengthMax` code points. Null if nothing visible is left. */
export function cleanText(text: string, lengthMax: number): string | null {
  const shown = text
    .slice(0, lengthMax * unitsReadMax)
    .replaceAll(unwanted, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isVisible = /[^\s\p{Cf}\p{Z}]/u.test(shown);
  return isVisible ? [...shown].slice(0, lengthMax).join('').trim() : null;
}
