import { firstIdAt } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import type { DeliveryFilter } from './delivery-filter.ts';

/** Maximum number of deliveries searched by one statement. The next one continues from there. */
export const deliveriesLookedAtMax = 20_000;

/** Newest first for people, oldest first to redeliver. */
export type WalkOrder = 'newest_first' | 'oldest_first';

export interface WalkOptions {
  endpoint: { id: string; account_id: string };
  filter: DeliveryFilter;
  order: WalkOrder;
  /** The delivery to continue after, in that order. */
  afterId: string | null;
  lookedAtMax: number;
}

/** A search of an endpoint's deliveries. */
export interface DeliveryWalk {
  /** Differs for each text, for the names of statements. */
  name: string;
  /** Selects the deliveries to search, in order. */
  text: string;
  /** Whether a delivery `d` matches the filter. */
  condition: string;
  direction: 'asc' | 'desc';
  /** The parameters $1 to $11. */
  values: unknown[];
  /** The parameters of `text`, $1 to $6. */
  walkValues: unknown[];
}

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Ids are created shortly before the times of their deliveries, and clocks are set back. */
const idToleranceMs = 60_000;

/**
 * Builds the SQL of a search. Times become bounds of ids, and each filter reads the smallest part of the table that an
 * index finds: the deliveries of an event or document, the dead ones, the pending ones, or else all of the endpoint. The
 * conditions are subqueries for one row each, so that a page ends with its last match. Joins might read everything first.
 */
export async function walkOf(db: Queryable, options: WalkOptions): Promise<DeliveryWalk> {
  const { endpoint, filter, order, afterId, lookedAtMax } = options;
  const source = await chooseSource(db, endpoint.id, filter);
  const direction = order === 'newest_first' ? 'desc' : 'asc';
  const low = filter.from === null ? firstId : firstIdAt(new Date(filter.from.getTime() - idToleranceMs));
  const high = filter.to === null ? lastId : firstIdAt(new Date(filter.to.getTime() + idToleranceMs));
  const walkValues = [
    endpoint.account_id,
    endpoint.id,
    direction === 'asc' && afterId !== null && afterId > low ? afterId : low,
    direction === 'desc' && afterId !== null && afterId < high ? afterId : high,
    filter.about,
    lookedAtMax,
  ];
  return {
    name: `${source}_${direction}`,
    text: `select id, event_id, status, created_at from (${sources[source]}) s
           where account_id = $1 and endpoint_id = $2 and id > $3 and id < $4
             and ($5::uuid is null or ${source === 'about'}) order by id ${direction} limit $6`,
    condition: `($7::text is null or d.status = $7)
             and ($8::text is null or (select type from events where id = d.event_id) = $8)
             and ($9::text is null or (${lastAnswer}) = $9)
             and ($10::timestamptz is null or d.created_at >= $10) and ($11::timestamptz is null or d.created_at < $11)`,
    direction,
    values: [...walkValues, filter.status, filter.event, filter.answer, filter.from, filter.to],
    walkValues,
  };
}

/** Returns where a search ended, if deliveries are left. */
export async function endOfWalk(db: Queryable, walk: DeliveryWalk): Promise<string | null> {
  const rows = await db.query<{ id: string; looked: number }>({
    name: `end_of_delivery_walk_${walk.name}`,
    text: `with looked as (${walk.text})
           select id, (select count(*) from looked)::int as looked from looked order by id ${opposite[walk.direction]} limit 1`,
    values: walk.walkValues,
  });
  const [last] = rows;
  return last === undefined || last.looked < Number(walk.walkValues[5]) ? null : last.id;
}

const opposite = { asc: 'desc', desc: 'asc' } as const;

const lastAnswer = `select case when status_code is null then 'none' else status_code / 100 || 'xx' end
               from webhook_attempts where delivery_id = d.id order by number desc limit 1`;

/** The two halves have an index each. */
const dead = ['null', 'not null']
  .map(
    (half) =>
      `select * from webhook_deliveries where endpoint_id = $2 and status = 'dead' and redelivery_of is ${half}`,
  )
  .join(' union all ');

const waiting = `select * from (
             select * from webhook_deliveries where endpoint_id = $2 and status = 'pending'
             order by next_attempt_at limit ${deliveriesLookedAtMax}
           ) waiting`;

const sources = {
  all: 'select * from webhook_deliveries where endpoint_id = $2',
  about: ['null', 'not null']
    .map(
      (half) => `select b.* from events e join webhook_deliveries b on b.event_id = e.id and b.redelivery_of is ${half}
             where e.account_id = $1 and (e.id = $5 or e.document_id = $5) and b.endpoint_id = $2`,
    )
    .join(' union all '),
  dead,
  waiting,
  undelivered: `${dead} union all ${waiting}`,
};

type Source = keyof typeof sources;

/**
 * Pending deliveries have no index in the order of ids, which every delivery would pay for. There are few of them, or else
 * they are not rare among all deliveries. Every answer but 2xx is that of a delivery that is pending or dead.
 */
async function chooseSource(db: Queryable, endpointId: string, filter: DeliveryFilter): Promise<Source> {
  const { about, status, answer } = filter;
  if (about !== null) return 'about';
  if (status === 'dead') return 'dead';
  const isUndelivered = status === null && answer !== null && answer !== '2xx';
  if (status !== 'pending' && !isUndelivered) return 'all';
  if (!(await fewArePending(db, endpointId))) return 'all';
  return isUndelivered ? 'undelivered' : 'waiting';
}

async function fewArePending(db: Queryable, endpointId: string): Promise<boolean> {
  const rows = await db.query<{ pending: number }>({
    name: 'count_some_pending',
    text: `select count(*)::int as pending from (
             select from webhook_deliveries where endpoint_id = $1 and status = 'pending'
             order by next_attempt_at limit ${deliveriesLookedAtMax + 1}
           ) counted`,
    values: [endpointId],
  });
  return (rows[0]?.pending ?? 0) <= deliveriesLookedAtMax;
}
