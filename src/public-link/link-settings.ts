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
const linkNameLengthMax = 200;
const documentsMaxDefault = 100;
export const documentsMaxMax = 10_000;

/** What was typed. What is left out stays as it is. */
export type TypedSettings = { [Name in keyof LinkSettings]?: LinkSettings[Name] | undefined };

/**
 * Returns the settings that someone typed, or the one that is wrong. A name is one visible line; an empty one is none. An end is
 * a time in RFC 3339 or a common form of ISO 8601.
 */
export function readSettings(
  typed: TypedSettings,
  otherwise: LinkSettings,
): { ok: true; settings: LinkSettings } | { ok: false; fault: 'name' | 'ends_at' } {
  const name = typed.name === undefined ? otherwise.name : typed.name?.trim() || null;
  if (name !== null && !isPlainLine(name, linkNameLengthMax)) return { ok: false, fault: 'name' };
  let endsAt = otherwise.ends_at;
  if (typed.ends_at !== undefined) {
    endsAt = typed.ends_at === null ? null : (parseInstant(typed.ends_at)?.toISOString() ?? null);
    if (endsAt === null && typed.ends_at !== null) return { ok: false, fault: 'ends_at' };
  }
  return {
    ok: true,
    settings: {
      name,
      language: typed.language ?? otherwise.language,
      ends_at: endsAt,
      documents_max: typed.documents_max ?? otherwise.documents_max,
      one_per_email: typed.one_per_email ?? otherwise.one_per_email,
    },
  };
}

/** The settings of a new link. */
export function defaultSettings(language: Language): LinkSettings {
  return { name: null, language, ends_at: null, documents_max: documentsMaxDefault, one_per_email: true };
}
