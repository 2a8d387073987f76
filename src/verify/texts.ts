import type { Language } from '../platform/language.ts';
import { type Texts, textsEn } from './texts-en.ts';
import { textsEs } from './texts-es.ts';

export function textsOf(language: Language): Texts {
  return language === 'es' ? textsEs : textsEn;
}

/** Says how a recipient got the link. Nothing is sent in test mode. Undefined for an unknown channel. */
export function linkOf(channel: string, isTest: boolean, text: Texts): string | undefined {
  return isTest && channel !== 'in_person' ? text.linkNotSent : text.channels[channel];
}
