import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { fill, language } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Select, TextArea, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { attachFile } from './attach-button.tsx';
import { FileChoice } from './file-choice.tsx';
import { newText } from './new-texts.ts';
import { emptyParty, type NewParty, PartyForm, recipientOf } from './party-form.tsx';
import { typeNames } from './type-names.ts';
import type { DocumentType } from './types.ts';

const partiesMax = 20;

/** A draft from title, parties and a PDF; what comes then (fields, sending) happens on its own page. */
export function NewDocumentPage() {
  const [parties, setParties] = useState<NewParty[]>([emptyParty()]);
  const [file, setFile] = useState<File | null>(null);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const needsOrder = parties.some(({ part }) => part === 'approver');

  const { mutate, isPending, error } = useMutation({
    mutationFn: async (form: FormData) => {
      const { id } = await api.post<{ id: string }>('/documents', bodyOf(form, parties, needsOrder));
      const refused = file === null ? null : await attachFile(id, file).then(() => null, refusalOf);
      return { id, refused };
    },
    onSuccess: async ({ id, refused }) => {
      await queryClient.invalidateQueries({ queryKey: ['documents'] });
      await navigate({ to: '/documents/$id', params: { id }, search: refused === null ? {} : { refused } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) mutate(new FormData(event.currentTarget));
  };
  const change = (key: string, changes: Partial<NewParty>) =>
    setParties(parties.map((party) => (party.key === key ? { ...party, ...changes } : party)));

  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-2xl sm:text-3xl">{newText.title}</h1>
      <form noValidate onSubmit={submit} className="mt-6 grid gap-6">
        <TextField name="title" label={newText.name} required maxLength={200} autoComplete="off" />
        <FileChoice file={file} onChoose={setFile} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select name="type" label={newText.type} defaultValue="contract">
            {(Object.keys(typeNames) as DocumentType[]).map((type) => (
              <option key={type} value={type}>
                {typeNames[type]}
              </option>
            ))}
          </Select>
          <Select name="language" label={newText.language} defaultValue={language}>
            <option value="en">{newText.languages.en}</option>
            <option value="es">{newText.languages.es}</option>
          </Select>
        </div>
        <fieldset>
          <legend className="font-serif text-xl font-semibold">{newText.parties}</legend>
          <ol className="mt-3 grid gap-4">
            {parties.map((party, index) => (
              <PartyForm
                key={party.key}
                party={party}
                number={index + 1}
                onChange={(changes) => change(party.key, changes)}
                onRemove={
                  parties.length === 1 ? null : () => setParties(parties.filter(({ key }) => key !== party.key))
                }
              />
            ))}
          </ol>
          {parties.length < partiesMax && (
            <Button className="mt-4" onClick={() => setParties([...parties, emptyParty()])}>
              <Icon name="plus" size={16} />
              {newText.add}
            </Button>
          )}
        </fieldset>
        {parties.length > 1 && (
          <Select
            name="order"
            label={newText.order}
            hint={needsOrder ? newText.orderHint : undefined}
            {...(needsOrder ? { value: 'sequential', disabled: true } : { defaultValue: 'parallel' })}
          >
            <option value="parallel">{newText.orders.parallel}</option>
            <option value="sequential">{newText.orders.sequential}</option>
          </Select>
        )}
        <TextArea name="message" label={newText.message} isOptional maxLength={2000} />
        <TextField name="expires" label={newText.expires} isOptional inputMode="numeric" maxLength={3} />
        <Problem of={error} failures={faultsOf(error)} />
        <div>
          <Button type="submit" kind="primary" isBusy={isPending}>
            {newText.create}
          </Button>
          <p className="mt-2 text-sm text-soft">{newText.draftHint}</p>
        </div>
      </form>
    </div>
  );
}

/** As `POST /documents` of the API takes it. */
function bodyOf(form: FormData, parties: readonly NewParty[], needsOrder: boolean): object {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  return {
    title: text('title'),
    type: text('type'),
    primary_language: text('language'),
    recipients: parties.map(recipientOf),
    content: {
      message: text('message') || null,
      sign_order_mode: needsOrder ? 'sequential' : text('order') || null,
      // What is no number is sent as it is, and refused.
      expires_in_days: text('expires') === '' ? null : /^\d+$/.test(text('expires')) ? Number(text('expires')) : 0,
    },
  };
}

function refusalOf(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return 'failed';
  return failure.param === null ? failure.code : `${failure.code}:${failure.param}`;
}

/** `recipients[1].email` is the address of the second party. */
function faultsOf(failure: unknown): Record<string, string> {
  if (!(failure instanceof ApiFailure) || failure.param === null) return {};
  const [, index, of] = /^recipients\[(\d+)\]\.(\w+)$/.exec(failure.param) ?? [];
  const name = of ?? failure.param.replace('content.', '');
  const field = newText.fields[name] ?? name;
  const sentence =
    index === undefined ? fill(newText.atFault, { field }) : fill(newText.atFaultOf, { n: Number(index) + 1, field });
  return { invalid_input: sentence };
}
