import { getRouteApi } from '@tanstack/react-router';
import { useWholeList } from '../api/whole-list.ts';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import type { AuditSearch } from './audit-search.ts';
import { auditText } from './audit-texts.ts';
import { LogSelect, withFilter } from './log-filters.tsx';
import { TimeInput } from './time-input.tsx';

const route = getRouteApi('/settings-tabs/settings/audit-log');

/** Filters of the audit log. They are in the address, so that results can be linked to. */
export function AuditFilters({ search }: { search: AuditSearch }) {
  const navigate = route.useNavigate();
  const change = (name: keyof AuditSearch, value: string) =>
    void navigate({ search: (before) => withFilter(before, name, value), replace: true });
  const [typed, setTyped] = useTyped(search.search ?? '', (words) => change('search', words));
  const members = useWholeList(['members', 'all'], '/members', { limit: 100 }).items.map(({ email }) => email);
  const known = ['operator', 'service', ...members];
  const others = [search.person].filter((one) => one !== undefined && !known.includes(one));
  const people = [...members, ...(others as string[])].map((email) => [email, email] as const);
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
      <LogSelect
        label={auditText.action}
        value={search.action}
        every={auditText.everyAction}
        choices={Object.entries(auditText.actions)}
        onChange={(value) => change('action', value)}
      />
      <LogSelect
        label={auditText.person}
        value={search.person}
        every={auditText.everyPerson}
        choices={[['operator', auditText.operator], ['service', auditText.service], ...people]}
        onChange={(value) => change('person', value)}
      />
      <TimeInput label={auditText.from} at={search.from} onChange={(at) => change('from', at)} />
      <TimeInput label={auditText.to} at={search.to} onChange={(at) => change('to', at)} />
    </search>
  );
}
