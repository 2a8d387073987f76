import { getRouteApi } from '@tanstack/react-router';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import type { DeliverySearch } from './delivery-search.ts';
import { LogSelect, withFilter } from './log-filters.tsx';
import { TimeInput } from './time-input.tsx';
import { eventNames } from './webhook.ts';
import { webhooksText } from './webhooks-texts.ts';

const route = getRouteApi('/settings-tabs/settings/webhooks/$id');
const { filters } = webhooksText;

/** Filters of an endpoint's deliveries. They are in the address, so that results can be linked to. */
export function DeliveryFilters({ search }: { search: DeliverySearch }) {
  const navigate = route.useNavigate();
  const change = (name: keyof DeliverySearch, value: string) =>
    void navigate({ search: (before) => withFilter(before, name, value), replace: true });
  const [typed, setTyped] = useTyped(search.search ?? '', (words) => change('search', words));
  return (
    <search className="mt-3 grid grid-cols-2 gap-3 lg:grid-cols-3">
      <input
        type="search"
        aria-label={filters.search}
        placeholder={filters.search}
        className={`${controlClass} col-span-2 lg:col-span-3`}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <LogSelect
        label={filters.status}
        value={search.status}
        every={filters.everyStatus}
        choices={Object.entries(webhooksText.statuses)}
        onChange={(value) => change('status', value)}
      />
      <LogSelect
        label={filters.answer}
        value={search.answer}
        every={filters.everyAnswer}
        choices={Object.entries(filters.answers)}
        onChange={(value) => change('answer', value)}
      />
      <div className="max-lg:col-span-2">
        <LogSelect
          label={webhooksText.event}
          value={search.event}
          every={filters.everyEvent}
          choices={eventNames.map((name) => [name, name] as const)}
          onChange={(value) => change('event', value)}
        />
      </div>
      <div className="col-span-2 grid gap-3 sm:flex sm:flex-wrap lg:col-span-3">
        <TimeInput label={filters.from} at={search.from} onChange={(at) => change('from', at)} />
        <TimeInput label={filters.to} at={search.to} onChange={(at) => change('to', at)} />
      </div>
    </search>
  );
}
