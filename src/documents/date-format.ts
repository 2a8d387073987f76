// The console imports this file, so it imports nothing that needs Node.js.

/** How a date can be written. Months have their names in the language of the text. */
export const dateFormats = [
  'YYYY-MM-DD',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD.MM.YYYY',
  'D MMMM YYYY',
  'MMMM D, YYYY',
] as const;

export type DateFormat = (typeof dateFormats)[number];

/**
 * Writes a day such as `2026-03-09`. Formats with the name of a month are written as usual in the language: in Spanish, both give
 * `9 de marzo de 2026`. A text that is no day, such as an empty one, is returned as it is.
 */
export function formatDay(day: string, format: DateFormat | null, language: string): string {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return day;
  switch (format) {
    case 'DD/MM/YYYY':
      return `${date}/${month}/${year}`;
    case 'MM/DD/YYYY':
      return `${month}/${date}/${year}`;
    case 'DD.MM.YYYY':
      return `${date}.${month}.${year}`;
    case 'D MMMM YYYY':
      return withName(day, language === 'en' ? 'en-GB' : language);
    case 'MMMM D, YYYY':
      return withName(day, language === 'en' ? 'en-US' : language);
    default:
      return day;
  }
}

function withName(day: string, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatToParts(new Date(day));
  // The year stays as it is stored: the year 0000 would become 1, without the words that it is before Christ.
  return parts.map(({ type, value }) => (type === 'year' ? day.slice(0, 4) : value)).join('');
}
