import type { Language } from '../platform/language.ts';
import { type Texts, textsEn } from './texts-en.ts';
import { textsEs } from './texts-es.ts';

export function textsOf(language: Language): Texts {
  return language === 'es' ? textsEs : textsEn;
}
