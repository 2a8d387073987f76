import { ApiFailure } from '../api/client.ts';
import { fill } from '../language.ts';
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
      hint={fill(scheduleText.zone, { zone: zoneName() })}
      defaultValue={localMinute(at === undefined ? tomorrow : new Date(at))}
      min={localMinute(now)}
      max={localMinute(new Date(now.getTime() + 365 * dayMs))}
      required
    />
  );
}

export const sendTimeIn = (form: FormData, stored?: string) => localTimeIn(form, 'send_at', stored);

/**
 * Returns the chosen time in UTC. Empty for an empty or invalid input, which the server refuses. Throws `skipped_time` for a
 * time that clocks skip when daylight saving time begins. `stored`: the time that the input began with. It stays as it is if
 * the input still shows it, because clocks show the minutes of an hour twice when daylight saving time ends.
 */
export function localTimeIn(form: FormData, name: string, stored?: string): string {
  const chosen = String(form.get(name) ?? '');
  if (stored !== undefined && chosen === localMinute(new Date(stored))) return stored;
  const at = new Date(chosen);
  if (Number.isNaN(at.getTime())) return '';
  if (!chosen.startsWith(localMinute(at))) throw new ApiFailure('skipped_time', 0, '');
  return at.toISOString();
}

/** Writes a time as a `datetime-local` input has it: `2026-03-01T09:30`, in the browser's time zone. */
export function localMinute(at: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Returns the name of the browser's time zone: `Europe/Berlin`. Its offset from UTC depends on the chosen day. */
export function zoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
