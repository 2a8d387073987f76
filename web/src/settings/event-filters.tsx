import { getRouteApi } from '@tanstack/react-router';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import type { EventSearch } from './event-search.ts';
import { eventsText } from './events-texts.ts';
import { TimeInput } from './time-input.tsx';
import { eventNames } from './webhook.ts';

const route = getRouteApi('/settings-tabs/settings/events');

/** Filters of the event log. They are in the address, so that results can be linked to. */
export function EventFilters({ search }: { search: EventSearch }) {
  const navigate = route.useNavigate();
  const change = (name: keyof EventSearch, value: string) =>
    void navigate({ search: (before) => withValue(before, name, value), replace: true });
  const [typed, setTyped] = useTyped(search.search ?? '', (words) => change('search', words));
  const select = (name: 'event' | 'status', every: string, choices: readonly [value: string, shown: string][]) => (
    <select
      aria-label={eventsText[name]}
      className={controlClass}
      value={search[name] ?? ''}
      onChange={({ target: { value } }) => change(name, value)}
    >
      <option value="">{every}</option>
      {choices.map(([value, shown]) => (
        <option key={value} value={value}>
          {shown}
        </option>
      ))}
    </select>
  );
  return (
    <search className="grid grid-cols-2 gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto_auto]">
      <input
        type="search"
        aria-label={eventsText.search}
        placeholder={eventsText.search}
        className={`${controlClass} col-span-2 lg:col-span-4`}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {select(
        'event',
        eventsText.everyEvent,
        eventNames.map((name) => [name, name]),
      )}
      {select('status', eventsText.everyStatus, Object.entries(eventsText.statuses))}
      <TimeInput label={eventsText.from} at={search.from} onChange={(at) => change('from', at)} />
      <TimeInput label={eventsText.to} at={search.to} onChange={(at) => change('to', at)} />
    </search>
  );
}

function withValue(search: EventSearch, name: keyof EventSearch, value: string): EventSearch {
  const { [name]: _replaced, ...rest } = search;
  return value === '' ? rest : { ...rest, [name]: value };
}
