/** RFC 3339 in UTC with milliseconds, `2026-03-01T09:30:00.000Z`: compares as text, and is what the API shows. */
export type Timestamp = string;

const asSent = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** A row holds what this service never wrote: the fault is in the data, and asking again does not mend it. */
export class UnreadableValue extends Error {
  override name = 'UnreadableValue';
}

/** From PostgreSQL's ISO text in a UTC session. Throws on what no clock of ours wrote (`infinity`, years beyond 9999). */
export function parseTimestamp(text: string): Timestamp {
  const match = asSent.exec(text);
  if (match === null) throw new UnreadableValue(`not a timestamp this service writes: ${text}`);
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`;
}
