import { getRouteApi, Link } from '@tanstack/react-router';
import { deliveryStates } from '../ui/delivery-texts.ts';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import { LogSelect, withFilter } from './log-filters.tsx';
import type { MessageSearch } from './message-search.ts';
import { messageKinds, messagesText } from './messages-texts.ts';
import { TimeInput } from './time-input.tsx';

const route = getRouteApi('/settings-tabs/settings/messages');

/** Filters of the message log. They are in the address, so that results can be linked to. */
export function MessageFilters({ search }: { search: MessageSearch }) {
  const navigate = route.useNavigate();
  const change = (name: keyof MessageSearch, value: string) =>
    void navigate({ search: (before) => withFilter(before, name, value), replace: true });
  const [typed, setTyped] = useTyped(search.address ?? '', (address) => change('address', address));
  return (
    <search className="grid grid-cols-2 gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto_auto]">
      <input
        type="search"
        aria-label={messagesText.address}
        placeholder={messagesText.address}
        className={`${controlClass} col-span-2 lg:col-span-4`}
        maxLength={320}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <LogSelect
        label={messagesText.state}
        value={search.state}
        every={messagesText.everyState}
        choices={Object.entries(deliveryStates)}
        onChange={(value) => change('state', value)}
      />
      <LogSelect
        label={messagesText.kind}
        value={search.kind}
        every={messagesText.everyKind}
        choices={Object.entries(messageKinds)}
        onChange={(value) => change('kind', value)}
      />
      <TimeInput label={messagesText.from} at={search.from} onChange={(at) => change('from', at)} />
      <TimeInput label={messagesText.to} at={search.to} onChange={(at) => change('to', at)} />
      {search.document_id !== undefined && (
        <p className="col-span-2 text-sm lg:col-span-4">
          {messagesText.ofDocument}{' '}
          <Link
            to="/settings/messages"
            search={withFilter(search, 'document_id', '')}
            className="font-semibold text-accent underline"
          >
            {messagesText.allDocuments}
          </Link>
        </p>
      )}
    </search>
  );
}
