import { type Texts, textsEn } from './texts-en.ts';
import { textsEs } from './texts-es.ts';

export type Language = 'en' | 'es';

export function textsOf(language: Language): Texts {
  return language === 'es' ? textsEs : textsEn;
}
