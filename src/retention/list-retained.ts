import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Transactional } from '../postgres/database.ts';
import { expiredSessions } from './expired-sessions.ts';
import { oldMailbox } from './old-mailbox.ts';
import { oldDirectMessages, oldMessages, oldNotices } from './old-messages.ts';
import { oldKeys, oldRequests } from './old-requests.ts';
import { oldAttemptCounts, oldDeliveries, oldEvents } from './old-webhooks.ts';
import type { RetainedData } from './retained-data.ts';

/** Lists the data that is removed when it is old. Events come after their deliveries. */
export function listRetained(
  { retention, idempotencyTtlHours, dataDir }: Pick<Config, 'retention' | 'idempotencyTtlHours' | 'dataDir'>,
  db: Transactional,
): RetainedData[] {
  return [
    oldDeliveries(db, retention.deliveriesDays),
    oldAttemptCounts(db),
    oldEvents(db, retention.eventsDays),
    oldMessages(db, retention.messagesDays),
    oldNotices(db, retention.messagesDays),
    oldDirectMessages(db, retention.messagesDays),
    oldRequests(db, retention.requestLogDays),
    ...oldKeys(db, idempotencyTtlHours),
    ...expiredSessions(db, retention.sessionsDays),
    oldMailbox(join(dataDir, 'mailbox'), retention.mailboxDays),
  ];
}
