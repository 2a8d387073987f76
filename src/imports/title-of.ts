import { fileNameLengthMax as attachedNameLengthMax } from '../documents/attach-file.ts';
import { fileNameLengthMax } from './import.ts';

const titleLengthMax = 200;
/** What neither a title nor a file's name may hold: control characters, lone surrogates, and marks that reorder text. */
const unwanted = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** A file's name as it is kept and shown: cleaned and bounded, null when nothing of it is left. */
export function cleanName(name: string | null): string | null {
  return cleanText(name ?? '', fileNameLengthMax);
}

/** The title of the document that a file becomes: its name without the ending that says it is a PDF. */
export function titleOf(name: string | null): string {
  const clean = cleanName(name) ?? '';
  return titleOfSubject(clean.replace(/\.pdf$/i, ''));
}

/** The title of the document that an envelope becomes: its subject, which is no file's name. */
export function titleOfSubject(subject: string | null): string {
  return cleanText(subject ?? '', titleLengthMax) ?? 'Imported document';
}

/** The name under which a file is attached to its document. */
export function attachedNameOf(name: string | null): string {
  const clean = cleanText(cleanName(name) ?? 'Imported document', attachedNameLengthMax - '.pdf'.length) as string;
  return /\.pdf$/i.test(clean) ? clean : `${clean}.pdf`;
}

/** For each code point that is kept: what comes from outside may be megabytes long. */
const unitsReadMax = 10;

/** Without what text may not hold, and bounded in code points. Null when nothing of it can be seen. */
export function cleanText(text: string, lengthMax: number): string | null {
  const shown = text
    .slice(0, lengthMax * unitsReadMax)
    .replaceAll(unwanted, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isVisible = /[^\s\p{Cf}\p{Z}]/u.test(shown);
  return isVisible ? [...shown].slice(0, lengthMax).join('').trim() : null;
}
