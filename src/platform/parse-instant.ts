/* Extended and basic format: 2024-02-29 and 20240229, 09:30:05,5 and 093005.5, +05:30, +0530 and +05. */
const date = String.raw`(?<year>\d{4})(?:-(?<month>\d\d)-(?<day>\d\d)|(?<basicMonth>\d\d)(?<basicDay>\d\d))`;
const seconds = String.raw`(?<second>\d\d)(?:[.,](?<fraction>\d+))?`;
const basicSeconds = String.raw`(?<basicSecond>\d\d)(?:[.,](?<basicFraction>\d+))?`;
const time = String.raw`(?<hour>\d\d)(?::(?<minute>\d\d)(?::${seconds})?|(?<basicMinute>\d\d)(?:${basicSeconds})?)?`;
const zone = String.raw`(?:Z|(?<sign>[+-])(?<zoneHours>\d\d)(?::?(?<zoneMinutes>\d\d))?)`;
const instant = new RegExp(`^${date}(?:[T ]${time}${zone}?)?$`, 'i');

/**
 * Parses a time in RFC 3339 or a common form of ISO 8601. A date alone is midnight UTC, and a time without a zone is
 * UTC. A leap second, `:60`, is the next second. 24:00 is the end of the day. Returns null for anything else, such as
 * 31 February or a time outside the years 1 to 9999 in UTC.
 */
export function parseInstant(text: string): Date | null {
  const { groups } = instant.exec(text) ?? {};
  if (groups === undefined) return null;
  const number = (...names: string[]) => Number(names.map((name) => groups[name]).find((part) => part) ?? 0);
  const [year, month, day] = [number('year'), number('month', 'basicMonth'), number('day', 'basicDay')];
  const [hour, minute] = [number('hour'), number('minute', 'basicMinute')];
  const second = number('second', 'basicSecond');
  const millisecond = Math.trunc(Number(`0.${groups.fraction ?? groups.basicFraction ?? '0'}`) * 1000);
  const [zoneHours, zoneMinutes] = [number('zoneHours'), number('zoneMinutes')];

  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && millisecond === 0;
  if (!isDayOf(year, month, day) || (hour > 23 && !isEndOfDay) || minute > 59 || second > 60) return null;
  if (zoneHours > 23 || zoneMinutes > 59) return null;
  const offsetMinutes = (zoneHours * 60 + zoneMinutes) * (groups.sign === '-' ? -1 : 1);
  const read = new Date(0);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  read.setUTCFullYear(year, month - 1, day);
  read.setUTCHours(hour, minute - offsetMinutes, second, millisecond);
  const isInRange = read.getUTCFullYear() >= 1 && read.getUTCFullYear() <= 9999;
  return isInRange ? read : null;
}

/** Checks the day of the month. Date turns 31 February into 3 March. */
function isDayOf(year: number, month: number, day: number): boolean {
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return month >= 1 && month <= 12 && day >= 1 && day <= last.getUTCDate();
}
