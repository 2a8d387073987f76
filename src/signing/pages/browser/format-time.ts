export type TimeStyle = 'minute' | 'day';

const fields: Record<TimeStyle, Intl.DateTimeFormatOptions> = {
  minute: { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  day: { year: 'numeric', month: 'short', day: 'numeric' },
};

/** Formats a time. The server uses UTC; the script uses the browser's time zone, which the server doesn't know. */
export function formatTime(at: Date, language: string, style: TimeStyle, timeZone?: string): string {
  return new Intl.DateTimeFormat(language, {
    ...fields[style],
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at);
}
