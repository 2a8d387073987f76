import { firstIdAt, isUuid } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { DeliveryStatus } from '../webhooks/delivery-status.ts';
import { eventStatus } from '../webhooks/event-deliveries.ts';
import type { EventType } from '../webhooks/event-types.ts';
import { listEndpoints } from '../webhooks/manage-endpoints.ts';
import { likePattern, splitWords } from './document-filter.ts';

/** Filters of the event log. Null matches everything. */
export interface EventFilter {
  type: EventType | null;
  status: DeliveryStatus | null;
  /** An event id, a document id or words of a document's title. */
  text: string | null;
  from: Date | null;
  /** Events recorded at this time are left out. */
  to: Date | null;
}

export interface LoggedEvent {
  id: string;
  type: EventType;
  created_at: Timestamp;
  /** Null for a test event. */
  document_id: string | null;
  /** Null for a test event and for a restricted document. */
  title: string | null;
  is_restricted: boolean;
  /**
   * `dead` when some endpoint has dead deliveries only, else `pending` when a delivery is pending, else `delivered`. Null
   * without deliveries. Removed endpoints don't count.
   */
  status: DeliveryStatus | null;
}

export interface FoundEvents {
  rows: LoggedEvent[];
  /** Position to continue from. Null when everything was searched. */
  lookedTo: string | null;
}

/** Maximum number of events searched by one statement. The next page continues from there. */
export const eventsLookedAtMax = 20_000;

/** Reads a page of the event log, newest first, after a position. */
export async function readEventLog(
  db: Queryable,
  accountId: string,
  filter: EventFilter,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<FoundEvents> {
  const endpoints = await listEndpoints(db, accountId);
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const lookedAtMax = isFiltered ? eventsLookedAtMax : limit;
  const walk = walkOf(accountId, filter, afterId, lookedAtMax);
  const rows = await db.query<LoggedEvent>({
    name: walk.isById ? 'read_event_log_by_id' : 'read_event_log',
    text: `with found as (
             select e.id, e.type, e.created_at, e.document_id, e.restricted_kind, e.title
             from (${walk.text}) e
             where ${walk.condition} and ($8::text is null or ${eventStatus('e.id', '$10::uuid[]')} = $8)
             order by e.id desc limit $11
           )
           select id, type, created_at, document_id, restricted_kind is not null as is_restricted,
             case when restricted_kind is null then title end as title, ${eventStatus('found.id', '$10::uuid[]')} as status
           from found order by id desc`,
    values: [...walk.values, endpoints.map(({ id }) => id), limit],
  });
  const isDone = rows.length >= limit || walk.isById;
  return { rows, lookedTo: isDone ? null : await endOfWalk(db, walk, lookedAtMax) };
}

/** A search of an account's events before a position, newest first. */
export interface EventWalk {
  /** Whether the events are found by an id, which needs no walk. */
  isById: boolean;
  /** Selects the events to search. */
  text: string;
  /** Whether an event `e` matches the filter, except its status, which is $8. */
  condition: string;
  /** The parameters $1 to $9. The statement adds the ids of the endpoints that count as $10. */
  values: unknown[];
}

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Ids are created shortly before the times of their events, and clocks are set back. */
const idToleranceMs = 60_000;

/** Builds the SQL of a search. Times become bounds of ids, so that the index on ids finds where to start and end. */
export function walkOf(
  accountId: string,
  filter: EventFilter,
  beforeId: string | null,
  lookedAtMax: number,
): EventWalk {
  const { type, status, from, to } = filter;
  const text = filter.text?.trim() ?? '';
  const isById = isUuid(text);
  const low = from === null ? firstId : firstIdAt(new Date(from.getTime() - idToleranceMs));
  const high = to === null ? lastId : firstIdAt(new Date(to.getTime() + idToleranceMs));
  const byId = 'and (id = $7::uuid or document_id = $7::uuid)';
  const byTitle = 'and (cardinality($7::text[]) = 0 or (e.restricted_kind is null and e.title ilike all ($7)))';
  return {
    isById,
    text: `select w.*, d.title, d.restricted_kind from (
             select id, account_id, document_id, type, created_at from events
             where account_id = $1 and id >= $2 and id < $3 ${isById ? byId : ''}
             order by id desc limit $9
           ) w left join documents d on d.account_id = $1 and d.id = w.document_id`,
    condition: `($4::text is null or e.type = $4)
             and ($5::timestamptz is null or e.created_at >= $5) and ($6::timestamptz is null or e.created_at < $6)
             ${isById ? '' : byTitle}`,
    values: [
      accountId,
      low,
      beforeId !== null && beforeId < high ? beforeId : high,
      type,
      from,
      to,
      isById ? text : splitWords(text).map(likePattern),
      status,
      lookedAtMax,
    ],
  };
}

/** Returns where a search ended, if events are left. */
export async function endOfWalk(
  db: Queryable,
  { values: [accountId, low, high] }: EventWalk,
  lookedAtMax: number,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>({
    name: 'end_of_event_walk',
    text: 'select id from events where account_id = $1 and id >= $2 and id < $3 order by id desc offset $4 limit 2',
    values: [accountId, low, high, lookedAtMax - 1],
  });
  const [last, next] = rows;
  return last === undefined || next === undefined ? null : last.id;
}
