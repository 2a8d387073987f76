import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { api } from '../api/client.ts';
import { count, language } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import { type DocumentSearch, filtersOf, withColumnToggled, withoutFilters, withValue } from './document-search.ts';
import { FolderFilter } from './folder-choice.tsx';
import { senderName } from './sender-name.ts';
import { documentsText } from './texts.ts';
import { typeNames } from './type-names.ts';

const route = getRouteApi('/documents');

/** The search box, the order, and more filters behind a button. All of them are in the address. */
export function DocumentFilters({ search }: { search: DocumentSearch }) {
  const navigate = route.useNavigate();
  const { q, folder = '', status: _shown, ...more } = filtersOf(search);
  const used = Object.keys(more).length;
  const [isOpen, setOpen] = useState(used > 0);
  const id = useId();
  const change = (name: keyof DocumentSearch, value: string, replace = false) =>
    void navigate({ search: (before) => withValue(before, name, value), replace });
  // A second quick click starts from the result of the first.
  const toggleColumn = (name: string) => void navigate({ search: (before) => withColumnToggled(before, name) });
  const [typed, setTyped] = useTyped(q ?? '', (words) => change('q', words, true));
  return (
    <search className="mt-4 block">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-3 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
        <input
          type="search"
          aria-label={documentsText.search}
          placeholder={documentsText.search}
          className={`${controlClass} max-sm:col-span-2`}
          value={typed}
          maxLength={200}
          onChange={(event) => setTyped(event.target.value)}
        />
        <label className="flex items-center gap-2 text-sm text-soft">
          <span className="shrink-0">{documentsText.sort}</span>
          <select
            className={controlClass}
            value={search.sort ?? 'newest'}
            onChange={({ target: { value } }) => change('sort', value === 'newest' ? '' : value)}
          >
            {Object.entries(documentsText.sorts).map(([name, shown]) => (
              <option key={name} value={name}>
                {shown}
              </option>
            ))}
          </select>
        </label>
        <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {used === 0 ? documentsText.filters : count(used, documentsText.filtersOn)}
        </Button>
      </div>
      <FolderFilter value={folder} onChange={(value) => change('folder', value)} />
      <div id={id} hidden={!isOpen}>
        {isOpen && <MoreFilters search={search} change={change} toggleColumn={toggleColumn} />}
      </div>
    </search>
  );
}

interface MoreFiltersProps {
  search: DocumentSearch;
  change: (name: keyof DocumentSearch, value: string, replace?: boolean) => void;
  toggleColumn: (name: string) => void;
}

function MoreFilters({ search, change, toggleColumn }: MoreFiltersProps) {
  const { type = '', sender = '', recipient = '', from = '', to = '', columns = '' } = search;
  const { data } = useQuery({
    queryKey: ['senders'],
    queryFn: ({ signal }) => api.get('/documents/senders', { signal }),
    staleTime: 60_000,
  });
  const senders = (data?.data ?? []).map((one) => [one.actor, senderName(one)] as const);
  const isKnown = sender === '' || senders.some(([actor]) => actor === sender);
  return (
    <div className="mt-3 grid grid-cols-2 gap-3 rounded-xl border border-rule p-3 lg:grid-cols-5">
      <Filter label={documentsText.type}>
        <select
          className={`${controlClass} font-normal`}
          value={type}
          onChange={(event) => change('type', event.target.value)}
        >
          <option value="">{documentsText.everyType}</option>
          {sortedTypes.map(([value, shown]) => (
            <option key={value} value={value}>
              {shown}
            </option>
          ))}
        </select>
      </Filter>
      <Filter label={documentsText.sender}>
        <select
          className={`${controlClass} font-normal`}
          value={sender}
          onChange={(event) => change('sender', event.target.value)}
        >
          <option value="">{documentsText.everySender}</option>
          {[...senders, ...(isKnown ? [] : [[sender, documentsText.senders.unknown] as const])].map(
            ([value, shown]) => (
              <option key={value} value={value}>
                {shown}
              </option>
            ),
          )}
        </select>
      </Filter>
      <TypedFilter
        label={documentsText.recipient}
        type="text"
        value={recipient}
        onChange={(value) => change('recipient', value, true)}
      />
      <TypedFilter
        label={documentsText.from}
        type="date"
        value={from}
        onChange={(value) => change('from', value, true)}
      />
      <TypedFilter label={documentsText.to} type="date" value={to} onChange={(value) => change('to', value, true)} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 text-sm max-lg:col-span-2 lg:col-span-5">
        <label className="flex min-h-9 items-center gap-2 font-semibold max-lg:min-h-11">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={search.scheduled === 'yes'}
            onChange={({ target }) => change('scheduled', target.checked ? 'yes' : '')}
          />
          {documentsText.scheduledOnly}
        </label>
        <fieldset className="flex flex-wrap items-center gap-x-4">
          <legend className="float-left mr-1 font-semibold">{documentsText.showColumns}</legend>
          {Object.entries(documentsText.moreColumns).map(([name, shown]) => (
            <label key={name} className="flex min-h-9 items-center gap-2 max-lg:min-h-11">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={columns.split(',').includes(name)}
                onChange={() => toggleColumn(name)}
              />
              {shown}
            </label>
          ))}
        </fieldset>
        <Link to="/documents" search={withoutFilters(search)} className="font-semibold text-accent underline">
          {documentsText.clearFilters}
        </Link>
      </div>
    </div>
  );
}

const sortedTypes = Object.entries(typeNames).toSorted(([, a], [, b]) => a.localeCompare(b, language));

function Filter({ label, className = '', children }: { label: string; className?: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in the children
    <label className={`block text-sm font-semibold ${className}`}>
      <span className="mb-1 block">{label}</span>
      {children}
    </label>
  );
}

interface TypedFilterProps {
  label: string;
  type: 'text' | 'date';
  value: string;
  onChange: (value: string) => void;
}

function TypedFilter({ label, type, value, onChange }: TypedFilterProps) {
  const [typed, setTyped] = useTyped(value, onChange);
  return (
    <Filter label={label} className={type === 'text' ? 'max-lg:col-span-2' : ''}>
      <input
        type={type}
        className={`${controlClass} min-w-0 font-normal`}
        placeholder={type === 'text' ? documentsText.recipientHint : undefined}
        maxLength={200}
        max={type === 'date' ? '9999-12-31' : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Filter>
  );
}
