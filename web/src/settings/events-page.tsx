import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../api/list.ts';
import { count, fill, formatMoment } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { EventFilters } from './event-filters.tsx';
import { EventItem } from './event-item.tsx';
import type { EventSearch } from './event-search.ts';
import { eventsText } from './events-texts.ts';
import { RedeliverEventsDialog } from './redeliver-events-dialog.tsx';
import { TabHead } from './tab-head.tsx';
import { webhooksQuery } from './webhook.ts';

const route = getRouteApi('/settings-tabs/settings/events');
const pageSize = 50;

/** The event log: the company's webhook events, newest first. */
export function EventsPage() {
  const search = route.useSearch();
  const list = useList(['event-log', search], '/event-log', { query: { ...search }, limit: pageSize });
  const { items, isPending, error, hasNextPage, isFetchingNextPage, more, data, refetch, isFetching } = list;
  const [said, setSaid] = useState('');
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const searchedTo = data?.pages.at(-1)?.searched_to;
  return (
    <>
      <TabHead
        action={
          <div className="flex gap-2">
            <RedeliverButton search={search} onDone={(n) => setSaid(count(n, eventsText.redelivered))} />
            <Button isBusy={isFetching && !isFetchingNextPage} onClick={() => void refetch()}>
              {eventsText.renew}
            </Button>
          </div>
        }
      >
        {eventsText.intro}
      </TabHead>
      <EventFilters search={search} />
      <p role="status" className="mt-3 font-medium text-good">
        {said}
      </p>
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-4 text-soft">{uiText.loading}</p>}
      {items.length > 0 && (
        <ul aria-label={eventsText.list} className="mt-2 border-t border-rule">
          {items.map((event) => (
            <EventItem key={event.id} event={event} />
          ))}
        </ul>
      )}
      {!isPending && error === null && items.length === 0 && !isFiltered && (
        <EmptyState title={eventsText.emptyTitle}>
          <p>{eventsText.emptyText}</p>
        </EmptyState>
      )}
      <p role="status" className="mt-4 text-soft">
        {!isPending && items.length === 0 && isFiltered && !hasNextPage && eventsText.nothingFound}
        {searchedTo && fill(eventsText.searchedTo, { when: formatMoment(searchedTo) })}
      </p>
      {hasNextPage && (
        <Button className="mt-2 w-full" isBusy={isFetchingNextPage} onClick={more}>
          {searchedTo ? eventsText.further : uiText.more}
        </Button>
      )}
    </>
  );
}

interface RedeliverButtonProps {
  search: EventSearch;
  onDone: (redelivered: number) => void;
}

/** Without endpoints there is nowhere to redeliver to. */
function RedeliverButton({ search, onDone }: RedeliverButtonProps) {
  const { data } = useQuery(webhooksQuery);
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const webhooks = data?.data ?? [];
  if (webhooks.length === 0) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{eventsText.redeliver}</Button>
      {isOpen && (
        <RedeliverEventsDialog
          search={search}
          webhooks={webhooks}
          onClose={() => setOpen(false)}
          onDone={(redelivered) => {
            onDone(redelivered);
            return queryClient.invalidateQueries({ queryKey: ['event-log'] });
          }}
        />
      )}
    </>
  );
}
