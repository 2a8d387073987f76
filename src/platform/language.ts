/** Language of pages, messages and PDFs. */
export type Language = 'en' | 'es';

/** Returns the first language of `Accept-Language` that we have, else English. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const [, found] = /(?:^|,)\s*(en|es)\b/i.exec(acceptLanguage ?? '') ?? [];
  return found?.toLowerCase() === 'es' ? 'es' : 'en';
}
