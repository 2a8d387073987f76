import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useBlocker, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { fill } from '../language.ts';
import { FailedPage } from '../shell/notice-pages.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { showChanged } from './document-query.ts';
import { FieldPanel } from './field-panel.tsx';
import { fieldsText } from './fields-texts.ts';
import { PlacedField } from './placed-field.tsx';
import { keyed, type Placed, placeAt } from './placing.ts';
import type { DocumentDetail, FieldType, FieldView, PartyView } from './types.ts';
import { useToChange } from './use-to-change.ts';

const route = getRouteApi('/documents/$id/fields');

export function FieldsPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useToChange('fields', id);
  if (error !== null) return <FailedPage error={error} />;
  if (data === undefined) return <p className="text-soft">{uiText.loading}</p>;
  return <Editor document={data.document} saved={data.fields} onReload={() => void refetch()} />;
}

const colours = [
  'border-[#22407a] bg-[#22407a]/20 text-[#22407a]',
  'border-[#1d6442] bg-[#1d6442]/20 text-[#1d6442]',
  'border-[#7a4b12] bg-[#7a4b12]/20 text-[#7a4b12]',
  'border-[#8a2747] bg-[#8a2747]/20 text-[#8a2747]',
];

interface EditorProps {
  document: DocumentDetail;
  saved: FieldView[];
  /** Reads the document anew: what was placed meanwhile stays. */
  onReload: () => void;
}

function Editor({ document, saved, onReload }: EditorProps) {
  const { id, title, file, version } = document;
  const parties = document.parties.filter(({ kind }) => kind !== 'cc');
  const [placed, setFields] = useState<Placed[]>(() => saved.map(keyed));
  const fields = placed.filter((field) => hasPlace(field, document));
  const [selected, setSelected] = useState<string | null>(null);
  const [recipient, setRecipient] = useState(parties[0]?.id ?? '');
  const [type, setType] = useState<FieldType>('signature');
  const [isChanged, setChanged] = useState(false);
  const isSaved = useRef(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  useBlocker({
    shouldBlockFn: () => isChanged && !isSaved.current && !confirm(fieldsText.unsaved),
    enableBeforeUnload: () => isChanged && !isSaved.current,
  });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () =>
      api.post<DocumentDetail>(`/documents/${id}/fields`, {
        version,
        fields: fields.map(({ key: _key, ...field }) => field),
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
  const replace = (field: Placed) => change(fields.map((other) => (other.key === field.key ? field : other)));
  const remove = (key: string) => change(fields.filter((other) => other.key !== key));
  const types = typesFor(parties.find((party) => party.id === recipient));
  const kind = types.includes(type) ? type : (types[0] as FieldType);
  const add = (page: number, at: { x: number; y: number }) => {
    const added = placeAt({ recipient, type: kind }, page, file?.pages[page - 1] ?? [612, 792], at);
    change([...fields, added]);
    setSelected(added.key);
  };
  const nameOf = (field: Placed) => parties.find((party) => party.id === field.recipient)?.name ?? '';
  const chosen = fields.find(({ key }) => key === selected);

  if (file === null || parties.length === 0) {
    return (
      <>
        <h1 className="text-2xl sm:text-3xl">{fieldsText.title}</h1>
        <p className="mt-3">{file === null ? fieldsText.noFile : fieldsText.noSigners}</p>
        {file === null ? (
          <Link to="/documents/$id" params={{ id }} search={{}} className={buttonClass('primary', 'mt-4')}>
            {fieldsText.open}
          </Link>
        ) : (
          <Link to="/documents/$id/edit" params={{ id }} className={buttonClass('primary', 'mt-4')}>
            {fieldsText.edit}
          </Link>
        )}
      </>
    );
  }
  return (
    <>
      <BackLink to="/documents/$id" params={{ id }}>
        <bdi>{title}</bdi>
      </BackLink>
      <h1 className="mt-1 text-2xl sm:text-3xl">{fieldsText.title}</h1>
      <p className="mt-2 max-w-2xl text-soft">{fieldsText.how}</p>
      <div className="mt-5 grid gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <aside className="sticky top-[3.8rem] z-5 grid content-start gap-3 border-b border-rule bg-paper pb-3 lg:top-8 lg:order-2 lg:self-start lg:border-0">
          <div className="grid grid-cols-2 gap-3 lg:grid-cols-1">
            <Select label={fieldsText.party} value={recipient} onChange={({ target }) => setRecipient(target.value)}>
              {parties.map((party) => (
                <option key={party.id} value={party.id}>
                  {party.name}
                </option>
              ))}
            </Select>
            <Select label={fieldsText.type} value={kind} onChange={({ target }) => setType(target.value as FieldType)}>
              {types.map((name) => (
                <option key={name} value={name}>
                  {fieldsText.types[name]}
                </option>
              ))}
            </Select>
          </div>
          <FieldPanel
            field={chosen ?? null}
            onChange={replace}
            onRemove={() => chosen !== undefined && remove(chosen.key)}
          />
          <Problem of={error} failures={fieldsText.failures} />
          {error instanceof ApiFailure && error.code === 'changed_meanwhile' && (
            <Button
              onClick={() => {
                reset();
                onReload();
              }}
            >
              {fieldsText.reload}
            </Button>
          )}
          <Button kind="primary" isBusy={isPending} onClick={() => mutate()}>
            {fieldsText.save}
          </Button>
        </aside>
        <ol className="grid min-w-0 gap-6">
          {file.pages.map((size, index) => {
            const page = index + 1;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a page is known by its number
              <li key={index}>
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button below the page adds by keyboard */}
                {/* biome-ignore lint/a11y/noStaticElementInteractions: the same */}
                <div className="relative cursor-crosshair" onClick={(event) => add(page, pointOf(event, size))}>
                  <img
                    src={`/console/api/documents/${id}/pages/${page}?file=${file.sha256}&width=1200`}
                    width={Math.round(size[0])}
                    height={Math.round(size[1])}
                    loading="lazy"
                    alt={fill(fieldsText.page, { n: page, all: file.pages.length })}
                    className="h-auto w-full rounded-lg border border-rule bg-raised"
                  />
                  {fields
                    .filter((field) => field.page === page)
                    .map((field) => (
                      <PlacedField
                        key={field.key}
                        field={field}
                        name={fill(fieldsText.field, { type: fieldsText.types[field.type], name: nameOf(field), page })}
                        caption={`${fieldsText.types[field.type]} · ${nameOf(field)}`}
                        colour={colours[parties.findIndex(({ id }) => id === field.recipient) % colours.length] ?? ''}
                        page={size}
                        isSelected={field.key === selected}
                        onSelect={() => setSelected(field.key)}
                        onChange={replace}
                        onRemove={() => remove(field.key)}
                      />
                    ))}
                </div>
                <Button kind="quiet" className="mt-1" onClick={() => add(page, { x: size[0] / 2, y: size[1] / 2 })}>
                  {fill(fieldsText.add, { n: page })}
                </Button>
              </li>
            );
          })}
        </ol>
      </div>
    </>
  );
}

/** The document may have become another while one placed fields on it. */
function hasPlace({ recipient, page, type }: Placed, { parties, file }: DocumentDetail): boolean {
  const party = parties.find(({ id }) => id === recipient);
  return (
    party !== undefined && party.kind !== 'cc' && typesFor(party).includes(type) && page <= (file?.pages.length ?? 0)
  );
}

/** An approver leaves no signature. */
function typesFor(party: PartyView | undefined): FieldType[] {
  const all = Object.keys(fieldsText.types) as FieldType[];
  return party?.kind === 'approver' ? all.filter((type) => type !== 'signature' && type !== 'initials') : all;
}

function pointOf(event: React.MouseEvent<HTMLElement>, [width]: readonly [number, number]): { x: number; y: number } {
  const box = event.currentTarget.getBoundingClientRect();
  const points = width / box.width;
  return { x: (event.clientX - box.left) * points, y: (event.clientY - box.top) * points };
}
