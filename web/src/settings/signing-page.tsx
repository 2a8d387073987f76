import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { TextField, Tick } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { EmbeddingForm } from './embedding-form.tsx';
import { meanwhileFailures } from './meanwhile-texts.ts';
import { SaveRow } from './save-row.tsx';
import { signingText } from './signing-texts.ts';
import { TabHead } from './tab-head.tsx';
import { useTypedForm } from './use-typed-form.ts';

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
      <EmbeddingForm />
    </>
  );
}

function SettingsForm({ of: newest }: { of: Settings }) {
  const typed = useTypedForm(newest, queryKey, signingText.saved);
  const { shown: of, formKey, onChange, isSaving, failure, said, save } = typed;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = {
      asks_consent: form.has('asks'),
      copies_contact: String(form.get('contact')),
      copies_cost: String(form.get('cost')),
      prints_document_id: form.has('prints_id'),
      allows_delegation: form.has('delegation'),
      allows_comments: form.has('comments'),
      masks_contacts: form.has('masks_contacts'),
      shows_devices: form.has('shows_devices'),
      shown: of,
    };
    void save(() => api.post('/signing', { body }));
  };
  const { asks, asksHint, contact, contactHint, cost, costHint, printsId, printsIdHint, delegation, delegationHint } =
    signingText;
  const { masksContacts, masksContactsHint, showsDevices, showsDevicesHint } = signingText;
  return (
    <form key={formKey} noValidate className="grid max-w-2xl gap-5" onSubmit={submit} onChange={onChange}>
      <Tick name="asks" label={asks} hint={asksHint} defaultChecked={of.asks_consent} />
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
      <Tick name="prints_id" label={printsId} hint={printsIdHint} defaultChecked={of.prints_document_id} />
      <Tick name="masks_contacts" label={masksContacts} hint={masksContactsHint} defaultChecked={of.masks_contacts} />
      <Tick name="shows_devices" label={showsDevices} hint={showsDevicesHint} defaultChecked={of.shows_devices} />
      <Tick name="delegation" label={delegation} hint={delegationHint} defaultChecked={of.allows_delegation} />
      <Tick
        name="comments"
        label={signingText.comments}
        hint={signingText.commentsHint}
        defaultChecked={of.allows_comments}
      />
      <Problem of={failure} failures={{ ...signingText.failures, ...meanwhileFailures }} />
      <SaveRow name={signingText.save} isSaving={isSaving} said={said} />
    </form>
  );
}
