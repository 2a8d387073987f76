import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SendingView } from '../../../src/console/settings/sending-endpoints.ts';
import { api } from '../api/client.ts';
import { faultsOf } from '../documents/document-body.ts';
import { ReminderFields } from '../documents/reminder-fields.tsx';
import { numberIn, remindersInput } from '../documents/reminder-schedule.ts';
import { sendingKey, useSending } from '../documents/use-sending.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { sendingText } from './sending-texts.ts';
import { TabHead } from './tab-head.tsx';

/** The company's defaults for expiry and reminders. */
export function SendingPage() {
  const { data, error, isPending } = useSending();
  return (
    <>
      <TabHead>{sendingText.intro}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && <Defaults of={data} />}
    </>
  );
}

function Defaults({ of }: { of: SendingView }) {
  const queryClient = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const expires = numberIn(form, 'expires');
    const body = { ...(expires !== null && { expires_in_days: expires }), reminders: remindersInput(form) };
    setSaving(true);
    setFailure(null);
    setSaid('');
    try {
      queryClient.setQueryData(sendingKey, await api.post('/sending', { body }));
      setSaid(sendingText.saved);
    } catch (reason) {
      setFailure(reason);
    } finally {
      setSaving(false);
    }
  };
  return (
    <form noValidate className="grid max-w-2xl gap-5" onSubmit={save} onChange={() => setSaid('')}>
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
      <Problem of={failure} failures={faultsOf(failure)} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" kind="primary" isBusy={isSaving}>
          {sendingText.save}
        </Button>
        <p role="status" className="font-medium text-good">
          {said}
        </p>
      </div>
    </form>
  );
}
