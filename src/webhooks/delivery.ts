import type { Timestamp } from '../postgres/timestamp.ts';
import type { EventType } from './event-types.ts';
import type { PayloadVersion } from './payload-versions.ts';

/** How fast an endpoint answered last. `slowly` is any attempt that took long, successful or not. */
export type AnswerPace = 'unknown' | 'promptly' | 'slowly';

/** A delivery claimed by this process, with everything an attempt needs. */
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
  /** Whether the last attempts of the endpoint failed. */
  failing: boolean;
  answers: AnswerPace;
  /** Whether this is the first attempt of a delivery that is not a redelivery. */
  is_first: boolean;
  event_type: EventType;
  event_created_at: Timestamp;
  /** Of the change that the event reports; null without tracing. */
  traceparent: string | null;
  /** As stored. `payloadOf` makes the body that is sent. */
  body: string;
  payload_version: PayloadVersion;
}

/** The result of one request to an endpoint. */
export interface Attempt {
  at: Date;
  /** Null when no response came. */
  statusCode: number | null;
  /** Null when the response needs no explanation. */
  error: string | null;
  /** Its first 2 KiB. */
  responseBody: string | null;
  durationMs: number;
}
