import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { count, fill, formatNumber } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { type DeliverySearch, isFiltered } from './delivery-search.ts';
import { eventsText } from './events-texts.ts';
import type { Webhook } from './webhook.ts';
import { webhooksText } from './webhooks-texts.ts';

interface RedeliverMatchingDialogProps {
  webhook: Webhook;
  search: DeliverySearch;
  onClose: () => void;
  /** Gets how many events are sent again, also when the dialog is closed before all are. */
  onDone: (redelivered: number) => Promise<unknown>;
}

const failures = { ...eventsText.failures, ...webhooksText.failures };

/**
 * Says how many events match the filters, and sends them again portion by portion. Closing it stops after the current one. The
 * time of the count goes with each request, so that no event is sent again twice.
 */
export function RedeliverMatchingDialog({ webhook, search, onClose, onDone }: RedeliverMatchingDialogProps) {
  const params = { id: webhook.id };
  const { data, error, isFetching } = useQuery({
    queryKey: ['redelivery', webhook.id, search],
    queryFn: () => api.get('/webhooks/:id/redelivery', { params, query: { ...search } }),
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const isClosed = useRef(false);
  const [sent, setSent] = useState<number | null>(null);
  const total = data?.events ?? 0;

  async function redeliver(countedAt: string): Promise<void> {
    let redelivered = 0;
    let after: string | null = null;
    try {
      do {
        const body = { ...search, counted_at: countedAt, ...(after === null ? {} : { after }) };
        const portion: { redelivered: number; next: string | null } = await api.post('/webhooks/:id/redelivery', {
          params,
          body,
        });
        redelivered += portion.redelivered;
        setSent(redelivered);
        after = portion.next;
      } while (after !== null && !isClosed.current);
    } finally {
      if (redelivered > 0) await onDone(redelivered);
    }
  }

  return (
    <ConfirmDialog
      title={webhooksText.matchingTitle}
      action={webhooksText.redeliver}
      isDisabled={isFetching || error !== null || total === 0}
      failures={failures}
      stopsOnClose
      onClose={() => {
        isClosed.current = true;
        onClose();
      }}
      onConfirm={() => redeliver(data?.counted_at ?? '')}
    >
      <div role="status">
        {isFetching && <p className="text-soft">{eventsText.counting}</p>}
        {!isFetching && data !== undefined && total === 0 && <p>{webhooksText.matchingNone}</p>}
        {total > 0 && (
          <p className="font-semibold">
            {count(total, isFiltered(search) ? eventsText.matching : eventsText.matchingAll)}
          </p>
        )}
        {sent !== null && (
          <p className="mt-2">
            {fill(webhooksText.progress, { sent: formatNumber(sent), total: formatNumber(total) })}
          </p>
        )}
      </div>
      {sent !== null && (
        <progress
          aria-label={webhooksText.matchingTitle}
          max={total}
          value={sent}
          className="h-2 w-full accent-accent"
        />
      )}
      <Problem of={isFetching ? null : error} failures={failures} />
      <p className="text-sm text-soft">
        {search.status === 'dead' && `${webhooksText.matchingMissed} `}
        {webhooksText.matchingText}
      </p>
    </ConfirmDialog>
  );
}
