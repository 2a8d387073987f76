import type { Timestamp } from '../postgres/timestamp.ts';
import type { EventType } from './event-types.ts';

/** How an endpoint answered last: `slowly` is what kept a slot waiting, whether or not it was a success. */
export type AnswerPace = 'unknown' | 'promptly' | 'slowly';

/** One event owed to one endpoint, claimed by this process: with all that an attempt needs. */
export interface ClaimedDelivery {
  id: string;
  endpoint_id: string;
  lease_id: string;
  /** Failed attempts before this one. */
  failures: number;
  url: string;
  /** Encrypted; a replaced secret only while it is still valid. */
  secret: Buffer;
  previous_secret: Buffer | null;
  oldest_secret: Buffer | null;
  /** Whether the endpoint is in a streak of failures. */
  failing: boolean;
  answers: AnswerPace;
  /** No attempt was made to tell of this event before, nor is it a redelivery. */
  is_first: boolean;
  event_type: EventType;
  event_created_at: Timestamp;
  /** Of the change that the event reports; null without tracing. */
  traceparent: string | null;
  /** As stored, byte for byte. */
  body: string;
}

/** What one request to an endpoint came to, as the sender sees it. */
export interface Attempt {
  at: Date;
  /** Null when no answer came. */
  statusCode: number | null;
  /** Null when an answer came that says it all. */
  error: string | null;
  /** Its first 2 KiB. */
  responseBody: string | null;
  durationMs: number;
}
