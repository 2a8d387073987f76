import type { Language } from '../platform/language.ts';
import { isPageLanguage, type PageLanguage } from './texts.ts';

/** What is known about the language of a person. */
export interface LanguageHints {
  /** The language that the person chose on a page. Null: none. */
  chosen: PageLanguage | null;
  acceptLanguage: string | undefined;
}

/**
 * Returns the language of a page about a document: the chosen one, else the one that the browser prefers among ours. A browser
 * that prefers English, or none of ours, gets the document's language: browsers come with English, so it says little about the
 * person, while the sender chose the document's language for the recipients.
 */
export function languageForDocument(document: Language, { chosen, acceptLanguage }: LanguageHints): PageLanguage {
  if (chosen !== null) return chosen;
  const preferred = browserLanguage(acceptLanguage);
  return preferred === null || preferred === 'en' ? document : preferred;
}

/** Returns the language of a page about no document. */
export function languageForNotice({ chosen, acceptLanguage }: LanguageHints): PageLanguage {
  return chosen ?? browserLanguage(acceptLanguage) ?? 'en';
}

/**
 * Returns the language with the highest weight in `Accept-Language` that we have, and of several the first. A weight of 0 refuses
 * a language. Regions don't count: `de-AT` is `de`.
 */
function browserLanguage(acceptLanguage: string | undefined): PageLanguage | null {
  let best: PageLanguage | null = null;
  let bestWeight = 0;
  for (const range of (acceptLanguage ?? '').split(',')) {
    const [, tag = '', weight = '1'] =
      /^([a-z]{1,8})(?:-[a-z0-9-]*)?(?:\s*;\s*q\s*=\s*([01](?:\.\d{0,3})?))?$/i.exec(range.trim()) ?? [];
    const language = tag.toLowerCase();
    if (!isPageLanguage(language) || Number(weight) <= bestWeight) continue;
    best = language;
    bestWeight = Number(weight);
  }
  return best;
}
