/** What pages, messages and PDFs are written in. */
export type Language = 'en' | 'es';

/** Of a browser's `Accept-Language`, which names the best first: the first that we have, else English. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const [, found] = /(?:^|,)\s*(en|es)\b/i.exec(acceptLanguage ?? '') ?? [];
  return found?.toLowerCase() === 'es' ? 'es' : 'en';
}
