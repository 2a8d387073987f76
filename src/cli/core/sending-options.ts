import type { Command } from 'commander';
import {
  canRemindBeforeExpiry,
  daysOfSchedule,
  type ReminderPlan,
  reminderDaysMax,
  remindersMax,
} from '../../documents/reminder-plan.ts';
import { Refusal } from '../../errors.ts';
import { UsageError } from './arguments.ts';

/** When documents expire and remind. */
export type Sending = ReminderPlan & { expires_in_days: number | null };

/** Those that are left out stay as they are. */
export interface SendingOptions {
  expiresIn?: { days: number | null };
  reminders?: { days: number[] | null };
  beforeExpiry?: { days: number | null };
}

export function addSendingOptions(command: Command): Command {
  return command
    .option('--expires-in <days>', 'never, or 1 to 365 days after sending', daysOr('--expires-in', 'never'))
    .option(
      '--reminders <schedule>',
      'standard, none, or FIRST,EVERY,NUMBER: days before the first one, days between them, and how many',
      remindersOf,
    )
    .option(
      '--before-expiry <days>',
      'none, or a reminder this many days before the expiry',
      daysOr('--before-expiry', 'none'),
    );
}

export function isEmpty({ expiresIn, reminders, beforeExpiry }: SendingOptions): boolean {
  return expiresIn === undefined && reminders === undefined && beforeExpiry === undefined;
}

export function withOptions(present: Sending, { expiresIn, reminders, beforeExpiry }: SendingOptions): Sending {
  return {
    expires_in_days: expiresIn === undefined ? present.expires_in_days : expiresIn.days,
    reminder_days: reminders === undefined ? present.reminder_days : reminders.days,
    expiry_reminder_days: beforeExpiry === undefined ? present.expiry_reminder_days : beforeExpiry.days,
  };
}

/** Throws a `Refusal` for a reminder before the expiry that would never be sent. */
export function assertCanRemind({ expires_in_days, expiry_reminder_days }: Sending): void {
  if (expiry_reminder_days === null || canRemindBeforeExpiry(expiry_reminder_days, expires_in_days)) return;
  throw new Refusal(
    expires_in_days === null
      ? 'a document that never expires has no reminder before its expiry: give --expires-in, or --before-expiry none'
      : `a reminder ${expiry_reminder_days} days before the expiry needs a later expiry than ${expires_in_days} days after sending`,
  );
}

function daysOr(option: string, none: string): (value: string) => { days: number | null } {
  return (value) => {
    const days = readDays(value);
    if (value !== none && days === null) {
      throw new UsageError(`${option} must be ${none} or a whole number from 1 to ${reminderDaysMax}`);
    }
    return { days };
  };
}

function readDays(value: string): number | null {
  const days = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  return days >= 1 && days <= reminderDaysMax ? days : null;
}

function remindersOf(value: string): { days: number[] | null } {
  if (value === 'standard') return { days: null };
  if (value === 'none') return { days: [] };
  const [first = null, every = null, number = null, ...rest] = value.split(',').map((part) => readDays(part.trim()));
  if (first === null || every === null || number === null || number > remindersMax || rest.length > 0) {
    throw new UsageError(
      `--reminders must be standard, none, or three numbers such as 3,7,5: days up to ${reminderDaysMax}, and at most ${remindersMax} reminders`,
    );
  }
  return { days: daysOfSchedule({ first_after_days: first, every_days: every, at_most: number }) };
}
