import { madeAt } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import { findStream, readBacklog, waitingMax } from './manage-stream.ts';
import type { AuditStream } from './stream.ts';

/** The stream of a company with what waits for it. Null: it has none. */
export async function readStreamJson(db: Queryable, accountId: string) {
  const stream = await findStream(db, accountId);
  return stream && streamJson(db, stream);
}

export async function streamJson(db: Queryable, stream: AuditStream) {
  const { account_id, failures, next_attempt_at, ...shown } = stream;
  const { waiting, first_entry_id } = await readBacklog(db, account_id);
  return {
    ...shown,
    next_attempt_at: failures === 0 ? null : next_attempt_at,
    waiting,
    /** Whether more wait than were counted. */
    has_more_waiting: waiting >= waitingMax,
    waiting_since: first_entry_id === null ? null : madeAt(first_entry_id).toISOString(),
  };
}
