import type { Timestamp } from '../postgres/timestamp.ts';

/** A replaced secret stays valid for this long. */
export const replacedSecretHours = 24;

export type StreamKind = 'webhook' | 'syslog';

/** The stream of a company's audit log, without its secrets. */
export interface AuditStream {
  account_id: string;
  kind: StreamKind;
  /** `https://…`, or `syslog+tls://host:port`. For development also `http://…` and `syslog+tcp://host:port`. */
  url: string;
  created_at: Timestamp;
  paused_at: Timestamp | null;
  /** The position: the last entry that the destination has accepted. */
  last_entry_id: string | null;
  last_sent_at: Timestamp | null;
  sent_entries: number;
  failures: number;
  failing_since: Timestamp | null;
  last_error: string | null;
  next_attempt_at: Timestamp;
}

export const streamColumns = `account_id, kind, url, created_at, paused_at, last_entry_id, last_sent_at,
  sent_entries::float8 as sent_entries, failures, failing_since, last_error, next_attempt_at`;

/** Binds an encrypted secret to the stream of a company. */
export function streamSecretContext(accountId: string): string {
  return `audit stream ${accountId}`;
}

/** Returns a destination without its query, which may hold a token of the receiver. */
export function shownDestination(url: string): string {
  return url.replace(/\?.*$/, '');
}
