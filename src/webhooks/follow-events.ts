import { firstIdAt, madeAt } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import type { EventType } from './event-types.ts';

export interface FollowedEvent {
  id: string;
  type: EventType;
  /** The body of the webhook request. */
  body: string;
}

export interface EventFollower {
  /** Returns the next events, in the order of their ids where possible. An empty batch means that there are no more for now. */
  next(): Promise<FollowedEvent[]>;
  /** To continue from here, give it as `afterId`. It isn't always the id of an event. */
  readonly position: string;
}

/**
 * An event can appear after events with higher ids by this time: its id is created before its transaction commits, which takes
 * no longer than ten seconds, by a clock that may be a minute behind that of another process.
 */
const lateMs = 70_000;
const batchSize = 200;

/**
 * Follows the events of an account as they commit, each once. Starts with the next event when `afterId` is null. Otherwise starts
 * `lateMs` before `afterId`, because an event from that time may have been missed.
 */
export async function followEvents(
  db: Queryable,
  accountId: string,
  afterId: string | null,
  now: Date,
): Promise<EventFollower> {
  /** Ids from `lateMs` before `reached`, which are not returned again. */
  const known = new Set<string>();
  const latest = firstIdAt(now);
  let reached = afterId === null || afterId > latest ? latest : afterId;

  async function next(): Promise<FollowedEvent[]> {
    const oldest = earliestAfter(reached);
    for (const id of known) if (id < oldest) known.delete(id);
    const events = await db.query<FollowedEvent>({
      name: 'follow_events',
      text: `select id, type, body from events
             where account_id = $1 and id >= $2 and not (id = any ($3::uuid[])) order by id limit ${batchSize}`,
      values: [accountId, oldest, [...known]],
    });
    for (const { id } of events) {
      known.add(id);
      if (id > reached) reached = id;
    }
    return events;
  }

  if (afterId === null) while ((await next()).length > 0);
  return {
    next,
    get position() {
      return reached;
    },
  };
}

/** The lowest id that can appear after this one. */
function earliestAfter(id: string): string {
  return firstIdAt(new Date(madeAt(id).getTime() - lateMs));
}
