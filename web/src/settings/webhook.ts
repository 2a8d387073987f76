import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, api } from '../api/client.ts';
import type { ItemOf } from '../api/list.ts';
import { language } from '../language.ts';
import { webhooksText } from './webhooks-texts.ts';

export type Webhook = AnswerOf<'GET', '/webhooks'>['data'][number];

export type Delivery = ItemOf<'/webhooks/:id/deliveries'>;

export const eventNames = Object.keys(webhooksText.eventHints);

/** All endpoints of the company, at most ten. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => api.get('/webhooks'),
});

const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });

/** The share of attempts that were delivered, rounded down: only an endpoint without failures has 100 percent. */
export function formatRate({ delivered, failed }: { delivered: number; failed: number }): string {
  if (delivered + failed === 0) return '–';
  return percent.format(Math.floor((delivered / (delivered + failed)) * 1000) / 1000);
}
