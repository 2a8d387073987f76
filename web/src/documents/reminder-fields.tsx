import { useState } from 'react';
import type { ReminderPlan } from '../../../src/documents/reminder-plan.ts';
import { fill } from '../language.ts';
import { Select, TextField } from '../ui/field.tsx';
import type { Faults } from './document-faults.ts';
import { describeSchedule, scheduleOf } from './reminder-schedule.ts';
import { reminderText } from './reminder-texts.ts';

interface ReminderFieldsProps {
  values: ReminderPlan;
  /** The schedule of the service, which applies without another choice. */
  serviceDays: readonly number[];
  hint?: string;
  /** Whether the document expires. Otherwise it gets no reminder before. */
  expires?: boolean;
  /** Messages by the name of the input. */
  faults?: Faults;
}

/** The inputs for reminders. `remindersInput` reads them. */
export function ReminderFields({
  values,
  serviceDays,
  hint = reminderText.hint,
  expires = true,
  faults = {},
}: ReminderFieldsProps) {
  const { reminder_days: days, expiry_reminder_days } = values;
  const [kind, setKind] = useState(days === null ? 'standard' : days.length === 0 ? 'none' : 'own');
  const schedule = scheduleOf(days);
  const number = { inputMode: 'numeric', maxLength: 3, autoComplete: 'off' } as const;
  return (
    <div className="grid gap-4">
      <Select
        name="reminders"
        label={reminderText.reminders}
        hint={hint}
        value={kind}
        onChange={({ target }) => setKind(target.value)}
      >
        <option value="standard">{fill(reminderText.standard, { schedule: describeSchedule(serviceDays) })}</option>
        <option value="own">{reminderText.own}</option>
        <option value="none">{reminderText.none}</option>
      </Select>
      {kind === 'own' && (
        <div className="grid items-end gap-4 sm:grid-cols-3">
          <TextField
            name="first_after_days"
            label={reminderText.first}
            defaultValue={schedule.first_after_days}
            error={faults.first_after_days}
            {...number}
          />
          <TextField
            name="every_days"
            label={reminderText.every}
            defaultValue={schedule.every_days}
            error={faults.every_days}
            {...number}
          />
          <TextField
            name="at_most"
            label={reminderText.atMost}
            defaultValue={schedule.at_most}
            error={faults.at_most}
            {...number}
          />
        </div>
      )}
      <TextField
        name="expiry_reminder_days"
        label={reminderText.before}
        hint={expires ? reminderText.beforeHint : reminderText.beforeNeedsExpiry}
        disabled={!expires}
        defaultValue={expiry_reminder_days ?? ''}
        error={faults.expiry_reminder_days}
        isOptional
        {...number}
      />
    </div>
  );
}
