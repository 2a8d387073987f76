/** Writes a time as a date string of PDF in UTC, to the second (ISO 32000-1, 7.9.4). */
export function pdfDate(at: Date): string {
  return `D:${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
}

/** Reads a date string of PDF with all its parts. Returns null for other texts. */
export function readPdfDate(text: string): Date | null {
  const match = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z(?:00'?(?:00'?)?)?|([+-]\d\d)'?(\d\d)?'?)$/.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, zoneHours, zoneMinutes = '00'] = match;
  const zone = zoneHours === undefined ? 'Z' : `${zoneHours}:${zoneMinutes}`;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time.getTime()) ? null : time;
}
