import { getRouteApi } from '@tanstack/react-router';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import { LogSelect, withFilter } from './log-filters.tsx';
import type { RequestSearch } from './request-search.ts';
import { requestsText } from './requests-texts.ts';

const route = getRouteApi('/settings-tabs/settings/requests');

/** Filters of the request log. They are in the address, so that results can be linked to. */
export function RequestFilters({ search }: { search: RequestSearch }) {
  const navigate = route.useNavigate();
  const change = (name: keyof RequestSearch, value: string) =>
    void navigate({ search: (before) => withFilter(before, name, value), replace: true });
  const [typed, setTyped] = useTyped(search.search ?? '', (words) => change('search', words));
  return (
    <search className="grid grid-cols-2 gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_12rem]">
      <input
        type="search"
        aria-label={requestsText.search}
        placeholder={requestsText.search}
        className={`${controlClass} max-sm:col-span-2`}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <LogSelect
        label={requestsText.status}
        value={search.status}
        every={requestsText.everyStatus}
        choices={Object.entries(requestsText.statuses)}
        onChange={(value) => change('status', value)}
      />
      <LogSelect
        label={requestsText.method}
        value={search.method}
        every={requestsText.everyMethod}
        choices={['GET', 'POST'].map((method) => [method, method] as const)}
        onChange={(value) => change('method', value)}
      />
    </search>
  );
}
