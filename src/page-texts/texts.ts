import { german } from './de/index.ts';
import { english } from './en/index.ts';
import { spanish } from './es/index.ts';
import { french } from './fr/index.ts';
import { italian } from './it/index.ts';
import type { PageTexts } from './page-texts.ts';
import { portuguese } from './pt/index.ts';

/**
 * The languages in which recipients can read their pages, in the order of the menu. A new language is a directory next to this
 * file and a line here. Documents, messages and sealed PDFs have the languages of `platform/language.ts`.
 */
export const texts = {
  en: english,
  es: spanish,
  de: german,
  fr: french,
  it: italian,
  pt: portuguese,
} as const satisfies Record<string, PageTexts>;

export type PageLanguage = keyof typeof texts;

export const pageLanguages = Object.keys(texts) as PageLanguage[];

export function isPageLanguage(value: unknown): value is PageLanguage {
  return typeof value === 'string' && Object.hasOwn(texts, value);
}
