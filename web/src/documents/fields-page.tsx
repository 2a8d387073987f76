import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useBlocker, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiFailure, api } from '../api/client.ts';
import { fill } from '../language.ts';
import { FailedPage } from '../shell/notice-pages.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { Unchangeable } from '../ui/unchangeable.tsx';
import { showChanged } from './document-query.ts';
import { adderId, FieldPages, recipientColour } from './field-pages.tsx';
import { FieldPalette } from './field-palette.tsx';
import { FieldPanel } from './field-panel.tsx';
import { fieldProblem } from './field-problem.ts';
import { fieldsText } from './fields-texts.ts';
import { FormFieldsButton } from './form-fields-button.tsx';
import { mergeFields } from './merge-fields.ts';
import { fieldId } from './placed-field.tsx';
import { copyOf, keyed, type Placed, placeAt, typesFor, unkeyed } from './placing.ts';
import { changeGroup, newButton } from './radio-group.ts';
import type { DocumentDetail, FieldType, FieldView, FileView, RecipientView } from './types.ts';
import { useEditing } from './use-editing.ts';

const route = getRouteApi('/documents/$id/fields');

export function FieldsPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useEditing('fields', id);
  // If the document cannot be reloaded, the placed fields stay.
  if (error !== null && data === undefined) return <FailedPage error={error} />;
  if (data === undefined) return <p className="text-soft">{uiText.loading}</p>;
  const { document, fields } = data;
  const { file, actions, recipients } = document;
  if (!actions.includes('edit')) return <Nowhere id={id} why={fieldsText.notEditable} />;
  if (file === null) return <Nowhere id={id} why={fieldsText.noFile} />;
  if (recipients.every(({ kind }) => kind === 'cc'))
    return <Nowhere id={id} why={fieldsText.noSigners} lacksRecipients />;
  return (
    <Editor document={document} file={file} saved={fields} onReload={async () => (await refetch()).data?.fields} />
  );
}

/** Explains why no fields can be placed: there is no PDF or no signer. Links to the page that helps. */
function Nowhere({ id, why, lacksRecipients = false }: { id: string; why: string; lacksRecipients?: boolean }) {
  return (
    <>
      <PageTitle>{fieldsText.title}</PageTitle>
      <p className="mt-3">{why}</p>
      {lacksRecipients ? (
        <Link to="/documents/$id/edit" params={{ id }} className={buttonClass('primary', 'mt-4')}>
          {fieldsText.edit}
        </Link>
      ) : (
        <Link to="/documents/$id" params={{ id }} search={{}} className={buttonClass('primary', 'mt-4')}>
          {fieldsText.open}
        </Link>
      )}
    </>
  );
}

interface EditorProps {
  document: DocumentDetail;
  file: FileView;
  saved: FieldView[];
  /** Reloads the document. Returns its fields. */
  onReload: () => Promise<FieldView[] | undefined>;
}

function Editor({ document, file, saved, onReload }: EditorProps) {
  const { id, title, version } = document;
  const recipients = document.recipients.filter(({ kind }) => kind !== 'cc');
  const [loaded, setLoaded] = useState<Placed[]>(() => keyed(saved));
  const [placed, setFields] = useState(loaded);
  const [said, setSaid] = useState('');
  const fields = placed.filter((field) => hasPlace(field, document));
  const [selected, setSelected] = useState<string | null>(null);
  const [chosenId, setChosenId] = useState('');
  const [type, setType] = useState<FieldType>('signature');
  const [focused, setFocused] = useState<string | null>(null);
  const [isChanged, setChanged] = useState(false);
  const isSaved = useRef(false);
  const latestPlaced = useRef(placed);
  latestPlaced.current = placed;
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  useBlocker({
    shouldBlockFn: () => isChanged && !isSaved.current && !confirm(fieldsText.unsaved),
    enableBeforeUnload: () => isChanged && !isSaved.current,
  });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () =>
      api.post('/documents/:id/fields', {
        params: { id },
        body: {
          version,
          fields: unkeyed(fields),
        },
      }),
    onSuccess: async (saved) => {
      isSaved.current = true;
      await showChanged(queryClient, saved);
      await navigate({ to: '/documents/$id', params: { id } });
    },
  });
  const change = (next: Placed[]) => {
    setFields(next);
    setChanged(true);
  };
  const reload = async () => {
    reset();
    setSaid('');
    const latest = await onReload();
    if (latest === undefined) return;
    const { added, removed, ...next } = mergeFields(latestPlaced.current, loaded, latest);
    setFields(next.fields);
    setLoaded(next.loaded);
    if (added + removed > 0) setSaid(fill(fieldsText.merged, { added, removed }));
  };
  const replace = (field: Placed) => change(changeGroup(fields, field));
  const remove = (key: string) => flushSync(() => change(fields.filter((other) => other.key !== key)));
  /** The focus goes to the next field of the page. */
  const removeFocused = (key: string) => {
    const page = fields.find((field) => field.key === key)?.page ?? 1;
    const onPage = fields.filter((field) => field.page === page);
    const at = onPage.findIndex((field) => field.key === key);
    const next = onPage[at + 1] ?? onPage[at - 1];
    remove(key);
    window.document.getElementById(next ? fieldId(next.key) : adderId(page))?.focus();
  };
  /** No field is selected then, so that a second click removes nothing. */
  const removeInPanel = ({ key, page }: Placed) => {
    remove(key);
    window.document.getElementById(adderId(page))?.focus({ preventScroll: true });
  };
  // The chosen recipient may have been removed.
  const recipient = recipients.find(({ id }) => id === chosenId) ?? (recipients[0] as RecipientView);
  const chosen = fields.find(({ key }) => key === selected);
  const types = typesFor(recipient);
  const kind = types.includes(type) ? type : (types[0] as FieldType);
  const add = (page: number, at: { x: number; y: number }) => {
    const { date_format = null } = fields.findLast((field) => field.type === kind) ?? {}; // the dates of a document are alike
    const added = placeAt(
      { recipient: recipient.id, type: kind, date_format, ...newButton(fields, chosen, recipient.id, kind) },
      page,
      file.pages[page - 1] ?? [612, 792],
      at,
    );
    change([...fields, added]);
    setSelected(added.key);
  };
  const sizeOf = (page: number) => file.pages[page - 1] ?? ([612, 792] as [number, number]);
  const duplicate = (field: Placed) => {
    const offset = 12;
    const copy = copyOf(field, field.page, sizeOf(field.page), offset);
    const { label = field.label } = newButton(fields, field, field.recipient, field.type);
    change([...fields, { ...copy, label }]);
    setSelected(copy.key);
    setFocused(copy.key);
  };
  const copyTo = (field: Placed, pages: readonly number[]) =>
    change([...fields, ...pages.map((page) => copyOf(field, page, sizeOf(page), 0))]);
  const placeForm = (added: readonly Placed[], what: string) => {
    setSaid(what);
    const [first] = added;
    if (first === undefined) return;
    change([...fields, ...added]);
    setSelected(first.key);
    setFocused(first.key);
  };
  const save = () => {
    const wrong = fields.find((field) => fieldProblem(field, fields, document) !== null);
    if (wrong === undefined) mutate();
    else setSelected(wrong.key);
  };

  return (
    <div className="grid gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,1fr)_18rem] lg:grid-rows-[auto_1fr]">
      <header>
        <BackLink to="/documents/$id" params={{ id }}>
          <bdi>{title}</bdi>
        </BackLink>
        <PageTitle of={title} className="mt-1">
          {fieldsText.title}
        </PageTitle>
        <p className="mt-2 max-w-2xl text-soft">{fieldsText.how}</p>
      </header>
      <aside className="sticky top-[3.8rem] z-5 flex flex-col gap-3 border-b border-rule bg-page pb-3 lg:top-8 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:-mx-1 lg:max-h-[calc(100dvh-4rem)] lg:scroll-pb-20 lg:self-start lg:overflow-y-auto lg:border-0 lg:px-1 lg:pb-0">
        <Unchangeable isBusy={isPending} className="grid grid-cols-2 gap-3 lg:grid-cols-1">
          <Select
            label={fieldsText.recipient}
            value={recipient.id}
            onChange={({ target }) => setChosenId(target.value)}
          >
            {recipients.map((recipient) => (
              <option key={recipient.id} value={recipient.id}>
                {recipient.name}
              </option>
            ))}
          </Select>
          <div className="lg:hidden">
            <Select label={fieldsText.type} value={kind} onChange={({ target }) => setType(target.value as FieldType)}>
              {types.map((name) => (
                <option key={name} value={name}>
                  {fieldsText.types[name]}
                </option>
              ))}
            </Select>
          </div>
          <FieldPalette
            types={types}
            chosen={kind}
            colour={recipientColour(recipients.indexOf(recipient))}
            onChoose={setType}
          />
          <div className="col-span-full empty:hidden">
            <FormFieldsButton
              documentId={id}
              file={file.sha256}
              fields={fields}
              recipient={recipient}
              types={types}
              onPlace={placeForm}
            />
          </div>
        </Unchangeable>
        {/* On a narrow screen, enough of the page stays in sight below it to place fields on it. */}
        <Unchangeable isBusy={isPending} className="max-h-[34dvh] overflow-y-auto lg:max-h-none lg:overflow-visible">
          <FieldPanel
            field={chosen ?? null}
            fields={fields}
            order={document}
            onChange={replace}
            onRemove={() => chosen !== undefined && removeInPanel(chosen)}
            onDuplicate={() => chosen !== undefined && duplicate(chosen)}
            pageCount={file.pages.length}
            onCopy={(pages) => chosen !== undefined && copyTo(chosen, pages)}
          />
        </Unchangeable>
        <div className="grid gap-3 bg-page lg:sticky lg:bottom-0 lg:pt-2 lg:pb-1">
          <Problem of={error} failures={fieldsText.failures} />
          {error instanceof ApiFailure && error.code === 'changed_meanwhile' && (
            <Button onClick={() => void reload()}>{fieldsText.reload}</Button>
          )}
          <p role="status" className={said === '' ? 'sr-only' : 'text-sm text-soft'}>
            {said}
          </p>
          <Button kind="primary" isBusy={isPending} onClick={save}>
            {fieldsText.save}
          </Button>
        </div>
      </aside>
      <Unchangeable isBusy={isPending} className="min-w-0 lg:col-start-1">
        <FieldPages
          document={document}
          file={file}
          fields={fields}
          selected={selected}
          onAdd={add}
          onSelect={setSelected}
          onChange={replace}
          onRemove={removeFocused}
          onDuplicate={duplicate}
          focused={focused}
        />
      </Unchangeable>
    </div>
  );
}

/** Whether a field still fits the document, which may have changed since. */
function hasPlace({ recipient: id, page, type }: Placed, { recipients, file }: DocumentDetail): boolean {
  const recipient = recipients.find((one) => one.id === id);
  return recipient !== undefined && typesFor(recipient).includes(type) && page <= (file?.pages.length ?? 0);
}
