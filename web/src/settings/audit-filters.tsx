import { getRouteApi } from '@tanstack/react-router';
import { useList } from '../api/list.ts';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import type { AuditSearch } from './audit-search.ts';
import { auditText } from './audit-texts.ts';
import { TimeInput } from './time-input.tsx';

const route = getRouteApi('/settings-tabs/settings/audit-log');

/** Filters of the audit log. They are in the address, so that results can be linked to. */
export function AuditFilters({ search }: { search: AuditSearch }) {
  const navigate = route.useNavigate();
  const change = (name: keyof AuditSearch, value: string) =>
    void navigate({ search: (before) => withValue(before, name, value), replace: true });
  const [typed, setTyped] = useTyped(search.search ?? '', (words) => change('search', words));
  const members = useList(['members'], '/members').items.map(({ email }) => email);
  const others = [search.person].filter((one) => one !== undefined && one !== 'operator' && !members.includes(one));
  const people = [...members, ...(others as string[])].map((email) => [email, email] as const);
  const select = (name: 'action' | 'person', every: string, choices: readonly (readonly [string, string])[]) => (
    <select
      aria-label={auditText[name]}
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
        aria-label={auditText.search}
        placeholder={auditText.search}
        className={`${controlClass} col-span-2 lg:col-span-4`}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {select('action', auditText.everyAction, Object.entries(auditText.actions))}
      {select('person', auditText.everyPerson, [['operator', auditText.operator], ...people])}
      <TimeInput label={auditText.from} at={search.from} onChange={(at) => change('from', at)} />
      <TimeInput label={auditText.to} at={search.to} onChange={(at) => change('to', at)} />
    </search>
  );
}

function withValue(search: AuditSearch, name: keyof AuditSearch, value: string): AuditSearch {
  const { [name]: _replaced, ...rest } = search;
  return value === '' ? rest : { ...rest, [name]: value };
}
