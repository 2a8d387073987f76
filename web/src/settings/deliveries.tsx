import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { type Page, useList } from '../api/list.ts';
import { fill, formatMoment } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryItem } from './delivery-item.tsx';
import { type DeliverySearch, isFiltered } from './delivery-search.ts';
import type { Delivery, Webhook } from './webhook.ts';
import { webhooksText } from './webhooks-texts.ts';

const pageSize = 25;
/** Refresh interval while a delivery is pending. */
const watchMs = 2000;
const idleMs = 5000;

interface DeliveriesProps {
  webhook: Webhook;
  search: DeliverySearch;
  onRedeliver: () => void;
}

/** Deliveries to an endpoint that match the filters, newest first. */
export function Deliveries({ webhook, search, onRedeliver }: DeliveriesProps) {
  const list = useList(['deliveries', webhook.id, search], '/webhooks/:id/deliveries', {
    params: { id: webhook.id },
    query: { ...search },
    limit: pageSize,
    renewMs,
  });
  const { items, isPending, error, hasNextPage, isFetchingNextPage, more, data } = list;
  const searchedTo = data?.pages.at(-1)?.searched_to;
  return (
    <section aria-labelledby="deliveries" className="mt-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="deliveries" className="font-serif text-lg font-semibold">
          {webhooksText.deliveries}
        </h3>
        <Button onClick={onRedeliver}>{webhooksText.matching}</Button>
      </div>
      <DeliveryFilters search={search} />
      <Problem of={error} failures={webhooksText.failures} className="mt-3" />
      {isPending && <p className="mt-3 text-soft">{uiText.loading}</p>}
      <p role="status" className="mt-4 text-soft">
        {!isPending &&
          error === null &&
          items.length === 0 &&
          !hasNextPage &&
          (isFiltered(search) ? webhooksText.noSuchDeliveries : webhooksText.noDeliveries)}
        {searchedTo && fill(webhooksText.searchedTo, { when: formatMoment(searchedTo) })}
      </p>
      <ul className="mt-2 border-t border-rule empty:hidden">
        {items.map((delivery) => (
          <DeliveryItem key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-3 w-full" isBusy={isFetchingNextPage} onClick={more}>
          {searchedTo ? webhooksText.further : uiText.more}
        </Button>
      )}
    </section>
  );
}

/** The delivery that a link of the event log leads to. */
export function LinkedDelivery({ webhookId, id }: { webhookId: string; id: string }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['deliveries', webhookId, 'linked', id],
    queryFn: () => api.get('/deliveries/:id', { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? watchMs : false),
  });
  return (
    <section aria-labelledby="delivery" className="mt-6">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-rule pb-3">
        <h3 id="delivery" className="font-serif text-lg font-semibold">
          {webhooksText.deliveryId}
        </h3>
        <Link
          to="/settings/webhooks/$id"
          params={{ id: webhookId }}
          search={{}}
          className="text-accent underline max-lg:py-2"
        >
          {webhooksText.every}
        </Link>
      </div>
      <Problem of={error} className="mt-3" />
      {isPending && <p className="mt-3 text-soft">{uiText.loading}</p>}
      {data !== undefined && (
        <ul>
          <DeliveryItem delivery={data} startsOpen />
        </ul>
      )}
    </section>
  );
}

/** Returns the refresh interval: short while a first attempt is pending. A filter may hide pending deliveries. */
function renewMs(pages: readonly Page<Delivery>[]): number {
  const items = pages.flatMap(({ data }) => data);
  const isAwaited = items.some(({ attempts, status }) => status === 'pending' && attempts.length === 0);
  return isAwaited ? watchMs : idleMs * Math.max(1, pages.length);
}
