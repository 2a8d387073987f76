import { type Static, Type } from 'typebox';
import type { EditDocumentBody } from '../../documents/create-document-body.ts';
import {
  canRemindBeforeExpiry,
  daysOfSchedule,
  type ReminderPlan,
  reminderDaysMax,
  remindersMax,
} from '../../documents/reminder-plan.ts';
import { ConsoleError } from '../core/console-error.ts';

const days = Type.Integer({ minimum: 1, maximum: reminderDaysMax });

/** When reminders are sent. Without `schedule`: as the service does. `at_most` 0: never. */
export const remindersBody = Type.Object({
  schedule: Type.Optional(
    Type.Object({
      first_after_days: days,
      every_days: days,
      at_most: Type.Integer({ minimum: 0, maximum: remindersMax }),
    }),
  ),
  expiry_reminder_days: Type.Optional(days),
});

/** The part of a document's body that only the console has. Without it, reminders stay as they are. */
export const withReminders = Type.Object({ reminders: Type.Optional(remindersBody) });

export function readReminders({ schedule, expiry_reminder_days }: Static<typeof remindersBody>): ReminderPlan {
  return {
    reminder_days: schedule === undefined ? null : daysOfSchedule(schedule),
    expiry_reminder_days: expiry_reminder_days ?? null,
  };
}

/** Adds the reminders of a request to its document, if it has any. Throws `invalid_input` as `assertCanRemind` does. */
export function addReminders<Body extends Pick<EditDocumentBody, 'content'>>(
  document: Body,
  { reminders }: Static<typeof withReminders>,
): Body & { reminders?: ReminderPlan } {
  if (reminders === undefined) return document;
  const plan = readReminders(reminders);
  assertCanRemind(plan, document.content?.expires_in_days ?? null);
  return { ...document, reminders: plan };
}

/** Throws `invalid_input` for a reminder before the expiry that would never be sent. */
export function assertCanRemind({ expiry_reminder_days }: ReminderPlan, expiresInDays: number | null): void {
  if (expiry_reminder_days !== null && !canRemindBeforeExpiry(expiry_reminder_days, expiresInDays)) {
    throw new ConsoleError('invalid_input', { param: 'reminders.expiry_reminder_days' });
  }
}
