import type { AuditJson } from '../audit-log/audit-json.ts';
import type { ClaimedStream } from './claim-streams.ts';

/** A stream with what is needed to send to its destination. */
export type StreamTarget = Pick<ClaimedStream, 'account_id' | 'kind' | 'url' | 'secret' | 'previous_secret'>;

/** What a receiver is sent. A test has no entries. */
export type Sending = { type: 'entries'; entries: readonly AuditJson[] } | { type: 'test' };

/** `sent`: the destination has accepted all. `aborted`: the process stops. The reason is a sentence that is shown to owners. */
export type SendOutcome = { kind: 'sent' } | { kind: 'failed'; reason: string } | { kind: 'aborted' };
