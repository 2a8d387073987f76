import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, api } from '../api/client.ts';
import type { ItemOf } from '../api/list.ts';
import { webhooksText } from './webhooks-texts.ts';

export type Webhook = AnswerOf<'GET', '/webhooks'>['data'][number];

export type Delivery = ItemOf<'/webhooks/:id/deliveries'>;

export const eventNames = Object.keys(webhooksText.eventHints);

/** All endpoints of the company, at most ten. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => api.get('/webhooks'),
});
