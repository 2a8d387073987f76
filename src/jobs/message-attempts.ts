import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** The job of a message that is not settled. */
export interface MessageAttempt {
  /** Whether a worker delivers the message now. */
  isRunning: boolean;
  /** When the next attempt is made. Null while one runs. */
  nextAt: Timestamp | null;
}

const queues = [
  'deliver-message',
  'deliver-notice',
  'deliver-sms',
  'tell-of-review',
  'tell-of-schedule',
  'tell-of-bulk-send',
];

/** Returns the next attempt of each message that waits in the queue. Jobs of earlier versions have ids of their own. */
export async function readMessageAttempts(db: Queryable, ids: readonly string[]): Promise<Map<string, MessageAttempt>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; state: string; start_after: Timestamp }>({
    name: 'read_message_attempts',
    text: `select id, state::text as state, start_after from jobs.job
           where name = any ($1::text[]) and id = any ($2::uuid[]) and state in ('created', 'retry', 'active')`,
    values: [queues, ids],
  });
  return new Map(
    rows.map(({ id, state, start_after }) => {
      const isRunning = state === 'active';
      return [id, { isRunning, nextAt: isRunning ? null : start_after }];
    }),
  );
}
