import { getRouteApi, Link } from '@tanstack/react-router';
import { useList } from '../api/list.ts';
import { fill, formatMoment, formatNumber } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { RequestFilters } from './request-filters.tsx';
import { requestsText } from './requests-texts.ts';
import { Cell, Row, Rows } from './rows.tsx';
import { TabHead } from './tab-head.tsx';

/** A request as the server lists it. */
interface LoggedRequest {
  id: string;
  at: string;
  request_id: string;
  method: string;
  path: string;
  status: number;
  code: string | null;
  duration_ms: number;
  /** The request whose answer was replayed. */
  replay_of: string | null;
  key: { hint: string | null; name: string | null };
}

const route = getRouteApi('/settings-tabs/settings/requests');
const pageSize = 50;

export function RequestsPage() {
  const search = route.useSearch();
  const list = useList(['requests', search], '/requests', { query: { ...search }, limit: pageSize });
  const { items, isPending, error, hasNextPage, isFetchingNextPage, more, data, refetch, isFetching } = list;
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const days = data?.pages[0]?.days;
  const searchedTo = data?.pages.at(-1)?.searched_to;
  return (
    <>
      <TabHead
        action={
          <Button isBusy={isFetching && !isFetchingNextPage} onClick={() => void refetch()}>
            {requestsText.renew}
          </Button>
        }
      >
        {days !== undefined && fill(requestsText.intro, { days: String(days) })}
      </TabHead>
      <RequestFilters search={search} />
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-4 text-soft">{uiText.loading}</p>}
      {items.length > 0 && <RequestRows requests={items} />}
      {!isPending && error === null && items.length === 0 && !isFiltered && <NoRequests />}
      <p role="status" className="mt-4 text-soft">
        {!isPending && items.length === 0 && isFiltered && !hasNextPage && requestsText.nothingFound}
        {searchedTo && fill(requestsText.searchedTo, { when: formatMoment(searchedTo) })}
      </p>
      {hasNextPage && (
        <Button className="mt-2 w-full" isBusy={isFetchingNextPage} onClick={more}>
          {searchedTo ? requestsText.further : uiText.more}
        </Button>
      )}
    </>
  );
}

function NoRequests() {
  return (
    <EmptyState title={requestsText.emptyTitle}>
      <p>{requestsText.emptyText}</p>
      <p>
        <Link to="/developers" className="font-semibold text-accent underline">
          {requestsText.developers}
        </Link>
      </p>
    </EmptyState>
  );
}

function RequestRows({ requests }: { requests: readonly LoggedRequest[] }) {
  const { columns } = requestsText;
  return (
    <div className="mt-4">
      <Rows caption={requestsText.list} columns={Object.values(columns)}>
        {requests.map(({ id, at, method, path, status, code, key, duration_ms, request_id, replay_of }) => (
          <Row key={id}>
            <Cell label={columns.at} className="text-sm whitespace-nowrap text-soft">
              <Time at={at} />
            </Cell>
            <Cell className="font-mono text-[0.8125rem] max-md:-order-1">
              <b>{method}</b> <span className="break-all">{path || '/'}</span>
            </Cell>
            <Cell label={columns.status} className="text-sm">
              <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{String(status)}</Badge>
              {code !== null && <span className="block text-xs whitespace-nowrap text-soft">{code}</span>}
            </Cell>
            <Cell label={columns.key} className="text-sm whitespace-nowrap">
              <bdi>{key.name ?? key.hint}</bdi>
            </Cell>
            <Cell label={columns.duration} className="text-sm whitespace-nowrap tabular-nums">
              {formatNumber(Math.round(duration_ms * 10) / 10)} ms
            </Cell>
            <Cell label={columns.id} className="font-mono text-xs text-soft">
              <span className="break-all">{request_id}</span>
              {replay_of !== null && (
                <Link
                  to="/settings/requests"
                  search={{ search: replay_of }}
                  className="block font-sans text-accent underline"
                  aria-label={fill(requestsText.replayOf, { id: replay_of })}
                >
                  {requestsText.replayed}
                </Link>
              )}
            </Cell>
          </Row>
        ))}
      </Rows>
    </div>
  );
}
