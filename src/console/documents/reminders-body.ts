import { type Static, Type } from 'typebox';
import { daysOfSchedule, type ReminderPlan, reminderDaysMax, remindersMax } from '../../documents/reminder-plan.ts';

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

/** Returns the reminders of a body as a property, or nothing if the body has none. */
export function remindersOf({ reminders }: Static<typeof withReminders>): { reminders?: ReminderPlan } {
  return reminders === undefined ? {} : { reminders: readReminders(reminders) };
}
