import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { signingText } from './signing-texts.ts';
import { TabHead } from './tab-head.tsx';

type Settings = AnswerOf<'GET', '/signing'>;

const queryKey = ['signing'];

/** What recipients agree to before they sign, and what completed PDFs show. */
export function SigningPage() {
  const { data, error, isPending } = useQuery({ queryKey, queryFn: () => api.get('/signing') });
  return (
    <>
      <TabHead>{signingText.intro}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && <SettingsForm of={data} />}
    </>
  );
}

function SettingsForm({ of }: { of: Settings }) {
  const queryClient = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = {
      asks_consent: form.has('asks'),
      copies_contact: String(form.get('contact')),
      copies_cost: String(form.get('cost')),
      prints_document_id: form.has('prints_id'),
    };
    setSaving(true);
    setFailure(null);
    setSaid('');
    try {
      queryClient.setQueryData(queryKey, await api.post('/signing', { body }));
      setSaid(signingText.saved);
    } catch (reason) {
      setFailure(reason);
    } finally {
      setSaving(false);
    }
  };
  const { asks, asksHint, contact, contactHint, cost, costHint, printsId, printsIdHint } = signingText;
  return (
    <form noValidate className="grid max-w-2xl gap-5" onSubmit={save} onChange={() => setSaid('')}>
      <Tick name="asks" label={asks} hint={asksHint} isTicked={of.asks_consent} />
      <TextField
        name="contact"
        label={contact}
        hint={contactHint}
        isOptional
        defaultValue={of.copies_contact ?? ''}
        autoComplete="off"
      />
      <TextField
        name="cost"
        label={cost}
        hint={costHint}
        isOptional
        defaultValue={of.copies_cost ?? ''}
        autoComplete="off"
      />
      <Tick name="prints_id" label={printsId} hint={printsIdHint} isTicked={of.prints_document_id} />
      <Problem of={failure} failures={signingText.failures} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" kind="primary" isBusy={isSaving}>
          {signingText.save}
        </Button>
        <p role="status" className="font-medium text-good">
          {said}
        </p>
      </div>
    </form>
  );
}

function Tick({ name, label, hint, isTicked }: { name: string; label: string; hint: string; isTicked: boolean }) {
  return (
    <label className="flex items-start gap-3">
      <input type="checkbox" name={name} defaultChecked={isTicked} className="mt-1 size-4 shrink-0 accent-accent" />
      <span className="min-w-0">
        <span className="font-medium">{label}</span>
        <span className="block text-sm text-soft">{hint}</span>
      </span>
    </label>
  );
}
