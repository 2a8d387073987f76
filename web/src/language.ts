export type Language = 'en' | 'es';

/** The page's language. The server takes it from the menu's cookie, or else from the browser. */
export const language: Language = document.documentElement.lang === 'es' ? 'es' : 'en';

/** Returns the texts of a part of the console in the page's language. */
export function inLanguage<Texts>(english: Texts, spanish: Texts): Texts {
  return language === 'es' ? spanish : english;
}

/** Fills in placeholders: `fill('{n} pages', { n: 3 })`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (match, name: string) => String(values[name] ?? match));
}

const plural = new Intl.PluralRules(language);

/** Plural forms: `{ one: '{n} page', other: '{n} pages' }`. */
export function count(n: number, forms: { one: string; other: string }): string {
  return fill(plural.select(n) === 'one' ? forms.one : forms.other, { n: formatNumber(n) });
}

const number = new Intl.NumberFormat(language);

export function formatNumber(n: number): string {
  return number.format(n);
}

const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });

export function formatMoment(at: string): string {
  return moment.format(new Date(at));
}

/** Formats recent times as a distance, older ones as a date. Days are those of the calendar, not 24 hours. */
export function formatWhen(at: string, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const distance = Math.abs(seconds);
  if (distance < 45) return relative.format(0, 'second');
  if (distance < 3600) return relative.format(Math.round(seconds / 60), 'minute');
  if (distance < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
  if (distance < 7 * 86_400) return relative.format(Math.round(dayOf(at) - dayOf(now)), 'day');
  return day.format(new Date(at));
}

/** Returns the local day of a time as a number. A day on which clocks change makes it a fraction. */
function dayOf(time: string | number): number {
  return new Date(time).setHours(0, 0, 0, 0) / 86_400_000;
}

/** Stores a choice in a cookie for a year. The server reads it when it renders a page. */
export function choose(name: 'language' | 'theme', value: string): void {
  const isSecure = location.protocol === 'https:';
  const cookie = `${isSecure ? '__Host-' : ''}${name}=${value}; Path=/; Max-Age=31536000; SameSite=Strict`;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is there over HTTPS alone
  document.cookie = isSecure ? `${cookie}; Secure` : cookie;
}
