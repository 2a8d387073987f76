import type { Timestamp } from '../postgres/timestamp.ts';
import type { EventType } from './event-types.ts';
import type { PayloadVersion } from './payload-versions.ts';

/** Maximum number of endpoints of an account. The table has that many slots. */
export const endpointsMax = 10;

/** A replaced secret stays valid for this long after the roll. */
export const rolledSecretHours = 24;

/** Secrets valid at the same time: the current one and two replaced ones. */
export const validSecretsMax = 3;

/** A registered address, without its secret. */
export interface WebhookEndpoint {
  id: string;
  account_id: string;
  url: string;
  events: EventType[];
  created_at: Timestamp;
  paused_at: Timestamp | null;
  /** `failures`: it failed for days and was paused by the service. */
  paused_by: 'operator' | 'failures' | null;
  failing_since: Timestamp | null;
  /** Maximum number of deliveries per second. Null: no limit. */
  rate_limit: number | null;
  /** The version of the body of new deliveries. */
  payload_version: PayloadVersion;
}

export const endpointColumns =
  'id, account_id, url, events, created_at, paused_at, paused_by, failing_since, rate_limit, payload_version';

/** Binds an encrypted secret to its endpoint. */
export function secretContext(endpointId: string): string {
  return `webhook endpoint ${endpointId}`;
}
