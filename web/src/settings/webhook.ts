import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { webhooksText } from './webhooks-texts.ts';

export interface Webhook {
  id: string;
  url: string;
  events: string[];
  created_at: string;
  paused_at: string | null;
  paused_by: 'operator' | 'failures' | null;
  failing_since: string | null;
}

export interface Delivery {
  id: string;
  event_id: string;
  event: string;
  status: 'pending' | 'delivered' | 'dead';
  next_attempt_at: string | null;
  redelivery_of: string | null;
  created_at: string;
  attempts: {
    at: string;
    status_code: number | null;
    error: string | null;
    response_body: string | null;
    duration_ms: number;
  }[];
}

export const eventNames = Object.keys(webhooksText.eventHints);

/** All endpoints of the company, at most ten. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => api.get<{ data: Webhook[] }>('/webhooks'),
});
