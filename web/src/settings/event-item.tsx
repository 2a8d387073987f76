import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import type { ItemOf } from '../api/list.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { eventsText } from './events-texts.ts';
import { webhooksText } from './webhooks-texts.ts';

export type LoggedEvent = ItemOf<'/event-log'>;
type Delivery = AnswerOf<'GET', '/event-log/:id'>['deliveries'][number];

const tones = { pending: 'active', delivered: 'good', dead: 'bad' } as const;

/** An event of the log. It opens to show its body and its deliveries. */
export function EventItem({ event }: { event: LoggedEvent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="border-b border-rule">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[11rem_minmax(0,1fr)_6rem_7rem]">
          <span className="font-mono text-[0.8125rem]">{event.event}</span>
          <span className="min-w-0 max-sm:order-3">
            <bdi className={`line-clamp-1 break-all ${event.document?.title ? '' : 'text-soft'}`}>{titleOf(event)}</bdi>
          </span>
          <span className="justify-self-start max-sm:justify-self-end">
            {event.status === null ? (
              <Badge tone="neutral">{eventsText.notSent}</Badge>
            ) : (
              <Badge tone={tones[event.status]}>{eventsText.statuses[event.status]}</Badge>
            )}
          </span>
          <span className="text-right text-sm whitespace-nowrap text-soft max-sm:order-4">
            <Time at={event.created_at} />
          </span>
        </summary>
        {isOpen && <EventDetail event={event} />}
      </details>
    </li>
  );
}

function titleOf({ document }: LoggedEvent): string {
  if (document === null) return eventsText.testEvent;
  return document.is_restricted ? eventsText.restricted : (document.title ?? '');
}

function EventDetail({ event: { id, document } }: { event: LoggedEvent }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['event-log', 'event', id],
    queryFn: () => api.get('/event-log/:id', { params: { id } }),
  });
  return (
    <div className="grid gap-4 pt-1 pb-5">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm [&_dd]:font-mono [&_dd]:text-[0.8125rem] [&_dd]:break-all [&_dt]:text-soft">
        <dt>{eventsText.eventId}</dt>
        <dd>{id}</dd>
        {document !== null && (
          <>
            <dt>{eventsText.document}</dt>
            <dd>
              <Link to="/documents/$id" params={{ id: document.id }} className="text-accent underline">
                {document.id}
              </Link>
            </dd>
          </>
        )}
      </dl>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && (
        <>
          <div>
            <h2 className="mb-1 font-sans text-sm font-semibold">{eventsText.deliveries}</h2>
            {data.deliveries.length === 0 && <p className="text-sm text-soft">{eventsText.noDeliveries}</p>}
            <ul className="grid gap-2">
              {data.deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          </div>
          <div className="min-w-0">
            <h2 className="mb-1 font-sans text-sm font-semibold">{eventsText.body}</h2>
            <CodeBlock code={JSON.stringify(JSON.parse(data.request_body), null, 2)} name={eventsText.bodyName} />
          </div>
        </>
      )}
    </div>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { id, endpoint, status, redelivery_of, last_status_code, last_error, attempts, created_at } = delivery;
  const answer = [last_status_code, last_error].filter((part) => part !== null).join(', ') || webhooksText.noAnswer;
  const notes = [
    attempts === 0 ? webhooksText.noAttempt : answer,
    ...(redelivery_of === null ? [] : [eventsText.redelivery]),
    ...(endpoint.is_removed ? [eventsText.removedEndpoint] : []),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Badge tone={tones[status]}>{webhooksText.statuses[status]}</Badge>
      <span className="min-w-0 break-all">{endpoint.url}</span>
      <span className="text-soft">
        {notes.join(' · ')} · <Time at={created_at} />
      </span>
      {!endpoint.is_removed && (
        <Link
          to="/settings/webhooks/$id"
          params={{ id: endpoint.id }}
          search={{ delivery: id }}
          className="text-accent underline max-lg:py-2"
        >
          {eventsText.show}
        </Link>
      )}
    </li>
  );
}
