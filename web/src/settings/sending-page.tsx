import type { FormEvent } from 'react';
import type { SendingView } from '../../../src/console/settings/sending-endpoints.ts';
import { api } from '../api/client.ts';
import { faultsOf } from '../documents/document-body.ts';
import { ReminderFields } from '../documents/reminder-fields.tsx';
import { numberIn, remindersInput } from '../documents/reminder-schedule.ts';
import { sendingKey, useSending } from '../documents/use-sending.ts';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { CcLists } from './cc-lists.tsx';
import { meanwhileFailures } from './meanwhile-texts.ts';
import { SaveRow } from './save-row.tsx';
import { sendingText } from './sending-texts.ts';
import { TabHead } from './tab-head.tsx';
import { useTypedForm } from './use-typed-form.ts';

/** The company's defaults for expiry and reminders. */
export function SendingPage() {
  const { data, error, isPending } = useSending();
  return (
    <>
      <TabHead>{sendingText.intro}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && <Defaults of={data} />}
      <CcLists />
    </>
  );
}

function Defaults({ of: newest }: { of: SendingView }) {
  const typed = useTypedForm(newest, sendingKey, sendingText.saved);
  const { shown: of, formKey, onChange, isSaving, failure, said, save } = typed;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const expires = numberIn(form, 'expires');
    const entered = { ...(expires !== null && { expires_in_days: expires }), reminders: remindersInput(form) };
    void save(() => api.post('/sending', { body: { ...entered, shown: of } }));
  };
  return (
    <form key={formKey} noValidate className="grid max-w-2xl gap-5" onSubmit={submit} onChange={onChange}>
      <TextField
        name="expires"
        label={sendingText.expires}
        hint={sendingText.expiresHint}
        defaultValue={of.expires_in_days ?? ''}
        isOptional
        inputMode="numeric"
        maxLength={3}
        autoComplete="off"
      />
      <ReminderFields values={of} serviceDays={of.service_reminder_days} hint={sendingText.remindersHint} />
      <Problem of={failure} failures={{ ...faultsOf(failure), ...meanwhileFailures }} />
      <SaveRow name={sendingText.save} isSaving={isSaving} said={said} />
    </form>
  );
}
