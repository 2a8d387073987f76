import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { type Page, useList } from '../api/list.ts';
import { Button } from '../ui/button.tsx';
import { controlClass } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { DeliveryItem } from './delivery-item.tsx';
import type { Delivery } from './webhook.ts';
import { webhooksText } from './webhooks-texts.ts';

const { statuses } = webhooksText;
const pageSize = 25;
/** Refresh interval while a delivery is pending. */
const watchMs = 2000;
const idleMs = 5000;

/** Deliveries to an endpoint, newest first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const [status, setStatus] = useState('');
  const list = useList(['deliveries', webhookId, status], '/webhooks/:id/deliveries', {
    params: { id: webhookId },
    query: { status },
    limit: pageSize,
    renewMs,
  });
  const { items, isPending, error, hasNextPage, isFetchingNextPage, more } = list;
  return (
    <section aria-labelledby="deliveries" className="mt-6">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-rule pb-3">
        <h3 id="deliveries" className="font-serif text-lg font-semibold">
          {webhooksText.deliveries}
        </h3>
        <div>
          <select
            aria-label={webhooksText.deliveries}
            value={status}
            onChange={(event) => setStatus(event.target.value)}
            className={controlClass}
          >
            <option value="">{webhooksText.every}</option>
            {Object.entries(statuses).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
      <Problem of={error} className="mt-3" />
      {isPending && <p className="mt-3 text-soft">{uiText.loading}</p>}
      {!isPending && items.length === 0 && (
        <p className="mt-4 text-soft">{status === '' ? webhooksText.noDeliveries : webhooksText.noSuchDeliveries}</p>
      )}
      <ul>
        {items.map((delivery) => (
          <DeliveryItem key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-3 w-full" isBusy={isFetchingNextPage} onClick={more}>
          {uiText.more}
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
