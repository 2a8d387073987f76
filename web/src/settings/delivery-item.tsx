import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { fill, formatMoment, formatNumber, formatWhen } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { Time } from '../ui/time.tsx';
import type { Delivery } from './webhook.ts';
import { webhooksText } from './webhooks-texts.ts';

const tones = { pending: 'active', delivered: 'good', dead: 'bad' } as const;

interface DeliveryItemProps {
  delivery: Delivery;
  /** Whether it is open at first. */
  startsOpen?: boolean;
}

/** A delivery. It opens to show its request and the answers. */
export function DeliveryItem({ delivery, startsOpen = false }: DeliveryItemProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const last = delivery.attempts.at(-1);
  return (
    <li className="border-b border-rule">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[10rem_minmax(0,1fr)_auto_8rem]">
          <span className="font-mono text-[0.8125rem]">{delivery.event}</span>
          <span className="text-sm text-soft max-sm:order-3">
            {last === undefined ? webhooksText.noAttempt : outcomeOf(last)}
          </span>
          <Badge tone={tones[delivery.status]}>{webhooksText.statuses[delivery.status]}</Badge>
          <span className="text-right text-sm whitespace-nowrap text-soft max-sm:order-4">
            <Time at={delivery.created_at} />
          </span>
        </summary>
        {isOpen && <DeliveryDetail delivery={delivery} />}
      </details>
      {delivery.status === 'dead' && !isOpen && (
        <div className="pb-2.5">
          <RedeliverButton id={delivery.id} />
        </div>
      )}
    </li>
  );
}

/** Repeats a delivery to the same endpoint, with the same event id and body. */
function RedeliverButton({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.post('/deliveries/:id/redeliver', { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  return (
    <>
      <Button isBusy={isPending} onClick={() => mutate()}>
        {webhooksText.redeliver}
      </Button>
      <Problem of={error} className="mt-2" />
    </>
  );
}

function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const shown = useQuery({
    queryKey: ['delivery', delivery.id, delivery.attempts.length],
    queryFn: () => api.get('/deliveries/:id', { params: { id: delivery.id } }),
  });
  const body = shown.data?.request_body;
  return (
    <div className="grid gap-4 pt-1 pb-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm [&_dd]:font-mono [&_dd]:text-[0.8125rem] [&_dt]:text-soft">
          <dt>{webhooksText.eventId}</dt>
          <dd>{delivery.event_id}</dd>
          <dt>{webhooksText.deliveryId}</dt>
          <dd>{delivery.id}</dd>
          {delivery.redelivery_of !== null && (
            <>
              <dt>{webhooksText.again_of}</dt>
              <dd>{delivery.redelivery_of}</dd>
            </>
          )}
        </dl>
        <div>
          <RedeliverButton id={delivery.id} />
        </div>
      </div>
      <Problem of={shown.error} />
      <div>
        <h4 className="mb-1 text-sm font-semibold">{webhooksText.attempts}</h4>
        <ol className="grid gap-3">
          {delivery.attempts.map((attempt) => (
            <li key={attempt.at} className="text-sm">
              <span className="text-soft">{formatMoment(attempt.at)}</span> {outcomeOf(attempt)}
              {attempt.response_body !== null && attempt.response_body !== '' && (
                <pre className="mt-1 rounded-lg border border-rule bg-wash p-3 font-mono text-[0.8125rem] whitespace-pre-wrap">
                  {attempt.response_body}
                </pre>
              )}
            </li>
          ))}
        </ol>
        {delivery.next_attempt_at !== null && (
          <p className="mt-1 text-sm text-soft">
            {fill(webhooksText.next, { when: formatWhen(delivery.next_attempt_at) })}
          </p>
        )}
      </div>
      {typeof body === 'string' && (
        <div className="min-w-0">
          <h4 className="mb-1 text-sm font-semibold">{webhooksText.request}</h4>
          <CodeBlock code={JSON.stringify(JSON.parse(body), null, 2)} name={webhooksText.requestBody} />
        </div>
      )}
    </div>
  );
}

function outcomeOf({ status_code, error, duration_ms }: Delivery['attempts'][number]): string {
  const outcome = [status_code, error].filter((part) => part !== null).join(', ') || webhooksText.noAnswer;
  return `${outcome} · ${formatNumber(duration_ms)} ms`;
}
