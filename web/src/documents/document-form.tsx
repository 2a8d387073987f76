import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isMarkKind } from '../../../src/mark-kinds.ts';
import { api } from '../api/client.ts';
import { type Me, useMe } from '../api/me.ts';
import { count, fill, language } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select, TextArea, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { Unchangeable } from '../ui/unchangeable.tsx';
import { CcListChoice } from './cc-list-choice.tsx';
import { type CcList, recipientsMax, useCcLists, withCcList, withDefaultLists } from './cc-lists.ts';
import { documentBody, faultsOf } from './document-body.ts';
import { type Faults, faultsAfter, findFaults, refusedInput, without } from './document-faults.ts';
import { emptyRecipient, type NewRecipient } from './new-recipient.ts';
import { newText } from './new-texts.ts';
import { RecipientForm } from './recipient-form.tsx';
import { ReminderFields } from './reminder-fields.tsx';
import { type StartValues, takeNewerRecipients, takeNewerValues } from './take-newer.ts';
import { typeNames } from './type-names.ts';
import type { DocumentDetail, DocumentType, FieldView } from './types.ts';
import { useSending } from './use-sending.ts';
import { useUnsavedQuestion } from './use-unsaved-question.ts';

/** Initial values of the form. */
type Beginning = Pick<
  DocumentDetail,
  | 'title'
  | 'type'
  | 'language'
  | 'message'
  | 'sign_order_mode'
  | 'expires_in_days'
  | 'reminder_days'
  | 'expiry_reminder_days'
>;

interface DocumentFormProps {
  beginning?: Beginning;
  recipients: NewRecipient[];
  /** The version of `beginning` and `recipients`. What a newer one changes is taken over, except where something was entered. */
  version?: number;
  /** Fields on the PDF. Removing a recipient removes theirs. */
  fields?: readonly FieldView[];
  isTemplate?: boolean;
  /** Whether the form begins with the cc lists that every new document gets. */
  addsDefaultLists?: boolean;
  /** Whether the document may have no recipients yet. */
  mayBeEmpty?: boolean;
  /** The input for the PDF. */
  file?: ReactNode;
  /** Label of the submit button. */
  action: string;
  /** Hint next to the button: the next step. */
  hint: string;
  isBusy: boolean;
  error: unknown;
  failures?: Record<string, string>;
  /** Whether something was entered outside of the form's own inputs, such as a file. */
  hasMore?: boolean;
  /** Set to true once the input is saved. Until then, leaving the page with changes asks first. */
  isSaved: RefObject<boolean>;
  /** Receives the body of `POST /documents` of the API. Existing recipients have an `id`. */
  onSubmit: (body: object, options: { onError: (failure: unknown) => void }) => void;
}

/** The form for content and recipients of a new document, a draft or a template. A new one begins with the company's defaults. */
export function DocumentForm(props: DocumentFormProps) {
  const { data, error } = useSending();
  const ccLists = useCcLists();
  // A new document must not leave out who gets every document. Other forms do without the lists.
  const failure = error ?? (props.addsDefaultLists ? ccLists.error : null);
  if (data === undefined || (props.addsDefaultLists && ccLists.data === undefined)) {
    return failure === null ? (
      <p className="mt-6 text-soft">{uiText.loading}</p>
    ) : (
      <Problem of={failure} className="mt-6" />
    );
  }
  const { service_reminder_days: serviceDays, ...defaults } = data;
  return (
    <Form
      {...props}
      beginning={props.beginning ?? { ...nothing, ...defaults }}
      serviceDays={serviceDays}
      ccLists={ccLists.data?.data ?? []}
    />
  );
}

interface FormProps extends DocumentFormProps {
  beginning: Beginning;
  serviceDays: readonly number[];
  ccLists: readonly CcList[];
}

function Form({ beginning, serviceDays, ccLists, fields = [], isTemplate = false, ...props }: FormProps) {
  const { mayBeEmpty = false, file, action, hint, isBusy, error, failures, hasMore = false, isSaved, onSubmit } = props;
  const [start] = useState(() => withDefaultLists(props.recipients, props.addsDefaultLists ? ccLists : []));
  const [recipients, setRecipients] = useState(start.recipients);
  const [ccSaid, setCcSaid] = useState(start.said);
  const [order, setOrder] = useState(beginning.sign_order_mode);
  const [expires, setExpires] = useState(beginning.expires_in_days !== null);
  const [removing, setRemoving] = useState<NewRecipient | null>(null);
  const { person } = useMe();
  const [faults, setFaults] = useState<Faults>({});
  const [isSent, setSent] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const needsOrder = recipients.some(({ part }) => part === 'approver');
  const mode = needsOrder ? 'sequential' : order;

  const begun = useRef({ beginning, recipients: props.recipients });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version is taken over
  useLayoutEffect(() => {
    const before = begun.current;
    begun.current = { beginning, recipients: props.recipients };
    if (form.current === null || before.beginning === beginning) return;
    takeNewerValues(form.current, startValues(before.beginning), startValues(beginning));
    setExpires(new FormData(form.current).get('expires') !== '');
    setOrder((now) => (now === before.beginning.sign_order_mode ? beginning.sign_order_mode : now));
    setRecipients((now) => takeNewerRecipients(now, before.recipients, props.recipients));
  }, [props.version]);

  const entered = () => documentBody(new FormData(form.current ?? undefined), recipients, mode);
  useUnsavedQuestion(entered, () => hasMore, isSaved);
  const show = (found: Faults) => {
    flushSync(() => setFaults(found));
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'center' });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const found = findFaults(new FormData(event.currentTarget), recipients, isTemplate);
    if (Object.keys(found).length > 0) return show(found);
    const body = entered();
    flushSync(() => setSent(true)); // before the next key is typed
    onSubmit(body, {
      onError: (failure) => {
        setSent(false);
        show(refusedInput(failure, recipients));
      },
    });
  };
  const clear = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement;
    setFaults((now) => without(now, name === 'expires' ? ['expires', 'expiry_reminder_days'] : [name]));
  };
  const change = (key: string, changes: Partial<NewRecipient>) => {
    setFaults((now) => faultsAfter(now, key, changes));
    setRecipients(recipients.map((recipient) => (recipient.key === key ? { ...recipient, ...changes } : recipient)));
  };
  const addList = (ccList: CcList) => {
    const next = withCcList(recipients, ccList);
    if (next.recipients.length > recipients.length) setRecipients(next.recipients);
    setCcSaid(next.said);
  };
  const remove = (recipient: NewRecipient) => setRecipients(recipients.filter(({ key }) => key !== recipient.key));
  const addSelf = useMutation({
    mutationFn: () => nameOf(person),
    onSuccess: (name) => {
      const self = { ...emptyRecipient(), name, email: person.email };
      flushSync(() => setRecipients((now) => [self, ...now.filter((recipient) => !isBlank(recipient))]));
      list.current?.querySelector('input')?.focus();
    },
  });

  // An input that was refused has its own message.
  const isAtInput = Object.keys(refusedInput(error, recipients)).length > 0;
  return (
    <>
      <form ref={form} noValidate onSubmit={submit} onInput={clear} className="mt-6 grid gap-6">
        <Unchangeable isBusy={isSent} className="grid gap-6">
          <TextField
            name="title"
            label={newText.name}
            defaultValue={beginning.title}
            error={faults.title}
            required
            autoComplete="off"
          />
          {file}
          <div className="grid gap-4 sm:grid-cols-2">
            <Select name="type" label={newText.type} defaultValue={beginning.type}>
              {(Object.keys(typeNames) as DocumentType[]).map((type) => (
                <option key={type} value={type}>
                  {typeNames[type]}
                </option>
              ))}
            </Select>
            <Select name="language" label={newText.language} defaultValue={beginning.language}>
              <option value="en">{newText.languages.en}</option>
              <option value="es">{newText.languages.es}</option>
            </Select>
          </div>
          <fieldset>
            <legend className="font-serif text-xl font-semibold">{newText.recipients}</legend>
            <ol ref={list} className="mt-3 grid gap-4">
              {recipients.map((recipient, index) => (
                <RecipientForm
                  key={recipient.key}
                  recipient={recipient}
                  faults={faults}
                  number={index + 1}
                  isTemplate={isTemplate}
                  losesFields={lostWith(recipient, fields)}
                  mayBeTogether={mode === 'sequential' && index > 0}
                  onChange={(changes) => change(recipient.key, changes)}
                  onRemove={
                    recipients.length === 1 && !mayBeEmpty
                      ? null
                      : () => (fieldsOf(recipient, fields).length > 0 ? setRemoving(recipient) : remove(recipient))
                  }
                  onMoveUp={index === 0 ? null : () => setRecipients(swapped(recipients, index - 1))}
                  onMoveDown={index === recipients.length - 1 ? null : () => setRecipients(swapped(recipients, index))}
                />
              ))}
            </ol>
            {recipients.length < recipientsMax && (
              <div className="mt-4 flex flex-wrap gap-2">
                <Button onClick={() => setRecipients([...recipients, emptyRecipient()])}>
                  <Icon name="plus" size={16} />
                  {newText.add}
                </Button>
                {!recipients.some(({ email }) => isEmailOf(person, email)) && (
                  <Button kind="quiet" isBusy={addSelf.isPending} onClick={() => addSelf.mutate()}>
                    {newText.addSelf}
                  </Button>
                )}
              </div>
            )}
            <CcListChoice lists={ccLists} said={ccSaid} onAdd={addList} />
          </fieldset>
          {recipients.length > 1 && (
            <Select
              label={newText.order}
              hint={needsOrder ? newText.orderHint : undefined}
              value={mode}
              disabled={needsOrder}
              onChange={({ target }) => setOrder(target.value as typeof order)}
            >
              <option value="parallel">{newText.orders.parallel}</option>
              <option value="sequential">{newText.orders.sequential}</option>
            </Select>
          )}
          <TextArea
            name="message"
            label={newText.message}
            defaultValue={beginning.message ?? ''}
            error={faults.message}
            isOptional
          />
          <TextField
            name="expires"
            label={newText.expires}
            defaultValue={beginning.expires_in_days ?? ''}
            error={faults.expires}
            onChange={({ target }) => setExpires(target.value.trim() !== '')}
            isOptional
            inputMode="numeric"
            maxLength={3}
          />
          <ReminderFields
            key={JSON.stringify([beginning.reminder_days, beginning.expiry_reminder_days])}
            values={beginning}
            serviceDays={serviceDays}
            expires={expires}
            faults={faults}
          />
        </Unchangeable>
        <Problem of={isAtInput ? null : error} failures={{ ...faultsOf(error), ...failures }} />
        <div>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {action}
          </Button>
          <p className="mt-2 text-sm text-soft">{hint}</p>
        </div>
      </form>
      {removing !== null && (
        <ConfirmDialog
          title={fill(newText.removeTitle, { name: removing.name })}
          action={newText.removeRecipient}
          isDangerous
          onClose={() => setRemoving(null)}
          onConfirm={async () => remove(removing)}
        >
          <p>{count(fieldsOf(removing, fields).length, newText.removeText)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const nothing: Beginning = {
  title: '',
  type: 'contract',
  language,
  message: null,
  sign_order_mode: 'parallel',
  expires_in_days: null,
  reminder_days: null,
  expiry_reminder_days: null,
};

/** The values of the inputs with a name, but for those of reminders. */
function startValues({ title, type, language, message, expires_in_days: days }: Beginning): StartValues {
  return { title, type, language, message: message ?? '', expires: String(days ?? '') };
}

const isEmailOf = ({ email }: Me['person'], other: string) => other.trim().toLowerCase() === email.toLowerCase();

/** Returns the name that a person had as a recipient the last time, or an empty text. */
async function nameOf(person: Me['person']): Promise<string> {
  const { data } = await api.get('/contacts', { query: { q: person.email } }).catch(() => ({ data: [] }));
  return data.find(({ email }) => email !== null && isEmailOf(person, email))?.name ?? '';
}

function isBlank({ id, name, email, phone, role, placeholder }: NewRecipient): boolean {
  return id === null && [name, email, phone, role, placeholder].every((text) => text.trim() === '');
}

function fieldsOf(recipient: NewRecipient, fields: readonly FieldView[]): FieldView[] {
  return fields.filter((field) => field.recipient === recipient.id);
}

/** Counts the fields that a recipient can no longer fill in with the new part. */
function lostWith(recipient: NewRecipient, fields: readonly FieldView[]): number {
  const own = fieldsOf(recipient, fields);
  if (recipient.part === 'signer') return 0;
  return own.filter(({ type }) => recipient.part === 'cc' || isMarkKind(type)).length;
}

/** Swaps the recipient at `index` with the next one. */
function swapped(recipients: readonly NewRecipient[], index: number): NewRecipient[] {
  const next = [...recipients];
  [next[index], next[index + 1]] = [recipients[index + 1] as NewRecipient, recipients[index] as NewRecipient];
  return next;
}
