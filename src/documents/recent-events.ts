import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { EventType } from '../webhooks/event-types.ts';

export interface RecentEvent {
  id: string;
  type: EventType;
  created_at: Timestamp;
  /** The body of the webhook request. */
  body: string;
}

const documentsReadMax = 20;

/**
 * Lists recent events, newest first, for users who try out the API. Reads only the account's newest documents that API keys
 * can see, so it needs no index on events.
 */
export function listRecentEvents(db: Queryable, accountId: string, limit: number): Promise<RecentEvent[]> {
  return db.query<RecentEvent>({
    name: 'list_recent_events',
    text: `select e.id, e.type, e.created_at, e.body
           from (
             select id from documents where account_id = $1 and not is_template and restricted_kind is null
             order by id desc limit ${documentsReadMax}
           ) d join events e on e.document_id = d.id
           order by e.id desc limit $2`,
    values: [accountId, limit],
  });
}
