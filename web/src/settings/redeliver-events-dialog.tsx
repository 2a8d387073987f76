import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { count } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import type { EventSearch } from './event-search.ts';
import { eventsText } from './events-texts.ts';
import type { Webhook } from './webhook.ts';

interface RedeliverEventsDialogProps {
  search: EventSearch;
  webhooks: readonly Webhook[];
  onClose: () => void;
  onDone: (redelivered: number) => Promise<unknown>;
}

/** Says how many events match the filters, and redelivers them to one endpoint or all. */
export function RedeliverEventsDialog({ search, webhooks, onClose, onDone }: RedeliverEventsDialogProps) {
  const [endpoint, setEndpoint] = useState('');
  const wanted = { ...search, ...(endpoint === '' ? {} : { endpoint_id: endpoint }) };
  const { data, error, isFetching } = useQuery({
    queryKey: ['event-log', 'redelivery', wanted],
    queryFn: () => api.get('/event-log/redelivery', { query: wanted }),
    retry: false,
    gcTime: 0,
  });
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <ConfirmDialog
      title={eventsText.redeliverTitle}
      action={eventsText.redeliverAction}
      isDisabled={isFetching || error !== null || data?.events === 0}
      failures={eventsText.failures}
      onClose={onClose}
      onConfirm={() =>
        api.post('/event-log/redelivery', { body: wanted }).then(({ redelivered }) => onDone(redelivered))
      }
    >
      <Select label={eventsText.endpoint} value={endpoint} onChange={({ target }) => setEndpoint(target.value)}>
        <option value="">{eventsText.allEndpoints}</option>
        {webhooks.map(({ id, url }) => (
          <option key={id} value={id}>
            {url}
          </option>
        ))}
      </Select>
      <div role="status">
        {isFetching && <p className="text-soft">{eventsText.counting}</p>}
        {!isFetching && data !== undefined && data.events === 0 && <p>{eventsText.none}</p>}
        {!isFetching && data !== undefined && data.events > 0 && (
          <p>
            <b>{count(data.events, isFiltered ? eventsText.matching : eventsText.matchingAll)}</b>{' '}
            {count(data.deliveries, eventsText.deliveriesMade)}
          </p>
        )}
      </div>
      <Problem of={isFetching ? null : error} failures={eventsText.failures} />
      <p className="text-sm text-soft">
        {search.status === 'dead' && `${eventsText.missedText} `}
        {eventsText.redeliverText}
      </p>
    </ConfirmDialog>
  );
}
