import { getRouteApi } from '@tanstack/react-router';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import type { RequestSearch } from './request-search.ts';
import { requestsText } from './requests-texts.ts';

const route = getRouteApi('/settings-tabs/settings/requests');

/** Filters of the request log. They are in the address, so that results can be linked to. */
export function RequestFilters({ search }: { search: RequestSearch }) {
  const navigate = route.useNavigate();
  const { search: text = '' } = search;
  const [typed, setTyped] = useTyped(text, (words) => {
    void navigate({ search: (before) => withValue(before, 'search', words), replace: true });
  });
  const select = (name: 'status' | 'method', every: string, choices: Record<string, string>) => (
    <select
      aria-label={requestsText[name]}
      className={controlClass}
      value={search[name] ?? ''}
      onChange={({ target: { value } }) => void navigate({ search: (before) => withValue(before, name, value) })}
    >
      <option value="">{every}</option>
      {Object.entries(choices).map(([value, shown]) => (
        <option key={value} value={value}>
          {shown}
        </option>
      ))}
    </select>
  );
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
      {select('status', requestsText.everyStatus, requestsText.statuses)}
      {select('method', requestsText.everyMethod, { GET: 'GET', POST: 'POST' })}
    </search>
  );
}

function withValue(search: RequestSearch, name: keyof RequestSearch, value: string): RequestSearch {
  const { [name]: _replaced, ...rest } = search;
  return value === '' ? rest : { ...rest, [name]: value };
}
