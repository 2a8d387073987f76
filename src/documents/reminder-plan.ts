/** When reminders are sent to recipients who have not answered. */
export interface ReminderPlan {
  /**
   * The days from the request to the first reminder, from the first to the second, and so on. Null: the schedule of the
   * service. Empty: none.
   */
  reminder_days: number[] | null;
  /** A reminder this many days before the document expires. Null: none. */
  expiry_reminder_days: number | null;
}

/** A schedule as people choose it. */
export interface ReminderSchedule {
  first_after_days: number;
  every_days: number;
  /** Number of reminders. 0: none. */
  at_most: number;
}

/** Returns whether the reminder before the expiry can be sent: the document expires, and later than this many days. */
export function canRemindBeforeExpiry(before: number, expiresInDays: number | null): boolean {
  return expiresInDays !== null && before < expiresInDays;
}

export const reminderDaysMax = 365;
export const remindersMax = 20;

/** The number of a reminder before the expiry, after those of every schedule. It occurs once for each recipient. */
export const expiryReminderStep = 1000;

export function daysOfSchedule({ first_after_days, every_days, at_most }: ReminderSchedule): number[] {
  return Array.from({ length: at_most }, (_, index) => (index === 0 ? first_after_days : every_days));
}
