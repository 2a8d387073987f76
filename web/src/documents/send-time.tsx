import { fill, language } from '../language.ts';
import { TextField } from '../ui/field.tsx';
import { scheduleText } from './schedule-texts.ts';

const dayMs = 86_400_000;

/** The input for the time of sending, in the browser's time zone. `sendTimeIn` reads it. */
export function SendTime({ at }: { at?: string | undefined }) {
  const now = new Date();
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9);
  return (
    <TextField
      type="datetime-local"
      name="send_at"
      label={scheduleText.when}
      hint={fill(scheduleText.zone, { zone: zoneName(now) })}
      defaultValue={localMinute(at === undefined ? tomorrow : new Date(at))}
      min={localMinute(now)}
      max={localMinute(new Date(now.getTime() + 365 * dayMs))}
      required
    />
  );
}

/** Returns the chosen time in UTC. Empty for an empty or invalid input, which the server refuses. */
export function sendTimeIn(form: FormData): string {
  const at = new Date(String(form.get('send_at') ?? ''));
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

/** Writes a time as the input has it: `2026-03-01T09:30`, in the browser's time zone. */
function localMinute(at: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Returns the name of the browser's time zone with its offset: `Europe/Berlin (GMT+1)`. */
function zoneName(at: Date): string {
  const format = new Intl.DateTimeFormat(language, { timeZoneName: 'shortOffset' });
  const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
  return `${format.resolvedOptions().timeZone} (${offset})`;
}
