import type { Language } from '../../../platform/language.ts';
import { english, type Texts } from './texts-en.ts';
import { spanish } from './texts-es.ts';

export type { Texts } from './texts-en.ts';

export const texts: Record<Language, Texts> = { en: english, es: spanish };
