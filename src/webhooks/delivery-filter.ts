import type { DeliveryStatus } from './delivery-status.ts';
import type { EventType } from './event-types.ts';

/** The last answer to a delivery: its class of status codes, or `none` when the last attempt got no response. */
export const answerClasses = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

export type AnswerClass = (typeof answerClasses)[number];

/** Filters of an endpoint's deliveries. Null matches everything. */
export interface DeliveryFilter {
  status: DeliveryStatus | null;
  event: EventType | null;
  answer: AnswerClass | null;
  /** The id of an event or a document. */
  about: string | null;
  from: Date | null;
  /** Deliveries created at this time are left out. */
  to: Date | null;
}

export const everyDelivery: DeliveryFilter = {
  status: null,
  event: null,
  answer: null,
  about: null,
  from: null,
  to: null,
};

export function isFiltered(filter: DeliveryFilter): boolean {
  return Object.values(filter).some((value) => value !== null);
}
