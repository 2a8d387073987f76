import { getRouteApi } from '@tanstack/react-router';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import type { EventSearch } from './event-search.ts';
import { eventsText } from './events-texts.ts';
import { LogSelect, withFilter } from './log-filters.tsx';
import { TimeInput } from './time-input.tsx';
import { eventNames } from './webhook.ts';

const route = getRouteApi('/settings-tabs/settings/events');

/** Filters of the event log. They are in the address, so that results can be linked to. */
export function EventFilters({ search }: { search: EventSearch }) {
  const navigate = route.useNavigate();
  const change = (name: keyof EventSearch, value: string) =>
    void navigate({ search: (before) => withFilter(before, name, value), replace: true });
  const [typed, setTyped] = useTyped(search.search ?? '', (words) => change('search', words));
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
      <LogSelect
        label={eventsText.event}
        value={search.event}
        every={eventsText.everyEvent}
        choices={eventNames.map((name) => [name, name] as const)}
        onChange={(value) => change('event', value)}
      />
      <LogSelect
        label={eventsText.status}
        value={search.status}
        every={eventsText.everyStatus}
        choices={Object.entries(eventsText.statuses)}
        onChange={(value) => change('status', value)}
      />
      <TimeInput label={eventsText.from} at={search.from} onChange={(at) => change('from', at)} />
      <TimeInput label={eventsText.to} at={search.to} onChange={(at) => change('to', at)} />
    </search>
  );
}
