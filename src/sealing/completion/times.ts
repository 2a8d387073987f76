import type { Language } from '../../platform/language.ts';

const dates: Record<Language, Intl.DateTimeFormat> = {
  en: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
  es: new Intl.DateTimeFormat('es', { dateStyle: 'long', timeZone: 'UTC' }),
};

/** Formats a time with the date in words: `March 14, 2026, 10:22:31 UTC`. */
export function longTime(at: string, language: Language): string {
  const date = new Date(at);
  return `${dates[language].format(date)}, ${date.toISOString().slice(11, 19)} UTC`;
}

/** Formats a UTC time with milliseconds: `2026-03-14 10:22:31.045`. */
export function exactTime(at: string): string {
  return new Date(at).toISOString().slice(0, 23).replace('T', ' ');
}
