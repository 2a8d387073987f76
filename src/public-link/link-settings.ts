import type { Language } from '../platform/language.ts';
import { parseInstant } from '../platform/parse-instant.ts';
import { isPlainLine } from '../platform/plain-line.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** What members choose for a public link. */
export interface LinkSettings {
  /** Null: the title of the template. */
  name: string | null;
  language: Language;
  /** Null: it does not end. */
  ends_at: Timestamp | null;
  documents_max: number;
  /** Whether each e-mail address gets one document. */
  one_per_email: boolean;
}

/** In Unicode code points. */
export const linkNameLengthMax = 200;
export const documentsMaxDefault = 100;
export const documentsMaxMax = 10_000;

/** Whether a text can be the name of a link: one visible line. */
export function isLinkName(text: string): boolean {
  return isPlainLine(text, linkNameLengthMax);
}

/** Reads the time at which a link ends. Returns null for a text that is no time. */
export function readEnd(text: string): Timestamp | null {
  return parseInstant(text)?.toISOString() ?? null;
}
