import { count, fill, language } from '../language.ts';
import { reminderText } from './reminder-texts.ts';

const list = new Intl.ListFormat(language, { type: 'conjunction' });

/** Describes the days before each reminder: "after 3 days, then every 7 days, 5 in all". */
export function describeSchedule(days: readonly number[]): string {
  const [first, every] = days;
  if (first === undefined) return reminderText.noneShort;
  if (days.slice(1).some((wait) => wait !== every))
    return fill(reminderText.afterEach, { list: list.format(days.map(String)) });
  const parts = [count(first, reminderText.after)];
  if (every !== undefined) parts.push(count(every, reminderText.thenEvery));
  return [...parts, count(days.length, reminderText.most)].join(', ');
}

/** The form starts with this schedule when someone chooses their own. */
const usual = { first_after_days: 3, every_days: 7, at_most: 5 };

export function scheduleOf(days: readonly number[] | null): typeof usual {
  const [first, every = usual.every_days] = days ?? [];
  return first === undefined ? usual : { first_after_days: first, every_days: every, at_most: days?.length ?? 0 };
}

/** Returns the input of `ReminderFields` as the console's body. */
export function remindersInput(form: FormData): object {
  const before = numberIn(form, 'expiry_reminder_days');
  const kind = form.get('reminders');
  const own = {
    first_after_days: numberIn(form, 'first_after_days') ?? 0,
    every_days: numberIn(form, 'every_days') ?? 0,
    at_most: numberIn(form, 'at_most') ?? -1,
  };
  return {
    ...(kind !== 'standard' && { schedule: kind === 'own' ? own : { ...usual, at_most: 0 } }),
    ...(before !== null && { expiry_reminder_days: before }),
  };
}

/** Returns a whole number, or null for an empty field. Other input becomes -1, which the server refuses. */
export function numberIn(form: FormData, name: string): number | null {
  const text = String(form.get(name) ?? '').trim();
  if (text === '') return null;
  return /^\d+$/.test(text) ? Number(text) : -1;
}
