export type TimeStyle = 'minute' | 'day';

const fields: Record<TimeStyle, Intl.DateTimeFormatOptions> = {
  minute: { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  day: { year: 'numeric', month: 'short', day: 'numeric' },
};

const locales = { en: 'en-US', es: 'es' } as const;

/** The server writes UTC, as it cannot know the reader's time zone; the script writes the same moment in the reader's. */
export function formatTime(at: Date, language: 'en' | 'es', style: TimeStyle, timeZone?: string): string {
  return new Intl.DateTimeFormat(locales[language], {
    ...fields[style],
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at);
}
