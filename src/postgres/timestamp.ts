/** RFC 3339 in UTC with milliseconds, as the API shows it: `2026-03-01T09:30:00.000Z`. Compares as text. */
export type Timestamp = string;

const asSent = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

/** Thrown when a row holds a value that this service never writes. The data is wrong, so a retry doesn't help. */
export class UnreadableValue extends Error {
  override name = 'UnreadableValue';
}

/**
 * Parses PostgreSQL's ISO text of a UTC session. Throws for values that this service never writes (`infinity`, years
 * after 9999).
 */
export function parseTimestamp(text: string): Timestamp {
  if (!asSent.test(text)) throw new UnreadableValue(`not a timestamp this service writes: ${text}`);
  const millis = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`;
}
