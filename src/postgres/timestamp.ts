/** RFC 3339 in UTC with milliseconds, `2026-03-01T09:30:00.000Z`: compares as text, and is what the API shows. */
export type Timestamp = string;

const asSent = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

/** A row holds what this service never wrote: the fault is in the data, and asking again does not mend it. */
export class UnreadableValue extends Error {
  override name = 'UnreadableValue';
}

/** From PostgreSQL's ISO text in a UTC session. Throws on what no clock of ours wrote (`infinity`, years beyond 9999). */
export function parseTimestamp(text: string): Timestamp {
  if (!asSent.test(text)) throw new UnreadableValue(`not a timestamp this service writes: ${text}`);
  const millis = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`;
}
