import type { Language } from '../../platform/language.ts';
import { english, type Words } from './words-en.ts';
import { spanish } from './words-es.ts';

export type { Words } from './words-en.ts';

/** The words on the pages of sealed PDFs, for each language of documents. */
export const wordsOf: Record<Language, Words> = { en: english, es: spanish };
