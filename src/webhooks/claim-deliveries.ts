import type { Queryable } from '../postgres/database.ts';
import type { AnswerPace, ClaimedDelivery } from './delivery.ts';
import { pacedUntil, refillMs, tokensAt } from './endpoint-pace.ts';

export interface ClaimOptions {
  now: Date;
  /** Fencing token of this claim, and until when it holds. */
  leaseId: string;
  leasedUntil: Date;
  /** Claims only for endpoints that answered like this. */
  answers: AnswerPace;
  /** Maximum number of deliveries. */
  limit: number;
  /** Maximum under way to one endpoint, including those in `underWay`. A failing endpoint gets fewer. */
  perEndpoint: number;
  perFailingEndpoint: number;
  underWay: ReadonlyMap<string, number>;
  /** The endpoint where the last walk ended. '' starts at the first one. */
  after: string;
}

export interface Claim {
  deliveries: ClaimedDelivery[];
  /** The endpoint to continue after, or '' when the walk reached the last one. */
  endedAt: string;
  /** When to claim again for an endpoint with a rate limit that has due deliveries left. Null without one. */
  againMs: number | null;
}

/** The row that tells how far the walk came. It is part of the same result as the deliveries. */
interface LastStep {
  id: null;
  endpoint_id: string;
  step: number;
  again_ms: number | null;
}

/** Maximum number of endpoints visited by one claim. It bounds the cost of a claim. */
const walkMax = 500;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Claims due deliveries, endpoint by endpoint. The walk visits the endpoints with pending deliveries, starts where the
 * last one ended, and takes no more from each than it may have under way. So a backlog of a million deliveries at one
 * endpoint costs the same as one of ten, and delays no other endpoint. Rows locked by another worker are skipped.
 *
 * An endpoint with a rate limit gets no more than its tokens allow. Its row is locked while they are spent, and skipped while
 * another worker does that, so no claim waits. The other endpoints are not locked.
 *
 * A scan of all due deliveries, oldest first, would be simpler. It would read the whole backlog of every full endpoint.
 *
 * `underWay` is looked up by key in a JSON object. A join with `unnest` compares each endpoint with each entry, because the
 * planner expects ten of them: with a thousand endpoints under way a claim took ten times as long.
 */
export async function claimDeliveries(db: Queryable, options: ClaimOptions): Promise<Claim> {
  const rows = await db.query<ClaimedDelivery | LastStep>({
    name: `claim_deliveries_${options.answers}`,
    text: `with recursive walk (endpoint_id, step) as (
             (select endpoint_id, 1 from webhook_deliveries where status = 'pending' and endpoint_id > $7::uuid
              order by endpoint_id limit 1)
             union all
             select next.endpoint_id, walk.step + 1 from walk cross join lateral (
               select endpoint_id from webhook_deliveries
               where status = 'pending' and endpoint_id > walk.endpoint_id order by endpoint_id limit 1
             ) next
             where walk.step < ${walkMax}
           ), limited as materialized (
             select p.id, ${refillMs} as refill_ms
             from walk join webhook_endpoints p on p.id = walk.endpoint_id
             where p.rate_limit is not null and p.paused_at is null and p.removed_at is null and p.answers = $9
               and exists (
                 select from webhook_deliveries
                 where endpoint_id = p.id and status = 'pending' and next_attempt_at <= $1
                   and (leased_until is null or leased_until <= $1))
           ), paced as materialized (
             select p.id, ${tokensAt('$1::timestamptz')} as tokens
             from webhook_endpoints p where p.id in (select id from limited) and ${tokensAt('$1::timestamptz')} > 0
             order by p.id for no key update skip locked
           ), due as materialized (
             select d.id, e.url, e.secret, e.failing_since is not null as failing,
               case when e.previous_secret_until > $1 then e.previous_secret end as previous_secret,
               case when e.oldest_secret_until > $1 then e.oldest_secret end as oldest_secret
             from walk
             join webhook_endpoints e on e.id = walk.endpoint_id and e.paused_at is null and e.removed_at is null
               and e.answers = $9
             left join paced on paced.id = e.id
             cross join lateral (
               select id from webhook_deliveries
               where endpoint_id = walk.endpoint_id and status = 'pending' and next_attempt_at <= $1
                 and (leased_until is null or leased_until <= $1)
               order by next_attempt_at
               limit least(
                 greatest(0, case when e.failing_since is null then $5::int else least($5::int, $6::int) end
                   - coalesce(($8::jsonb ->> walk.endpoint_id::text)::int, 0)),
                 case when e.rate_limit is not null then coalesce(paced.tokens, 0) end)
               for update skip locked
             ) d
             limit $4
           ), claimed as (
             update webhook_deliveries d set lease_id = $2, leased_until = $3 from due where d.id = due.id
             returning d.id, d.endpoint_id, d.lease_id, d.failures, d.event_id, d.payload_version, due.url, due.secret, due.previous_secret,
               due.oldest_secret, due.failing, $9::text as answers, d.failures = 0 and d.redelivery_of is null as is_first
           ), spent as (
             update webhook_endpoints p set paced_until = ${pacedUntil('$1::timestamptz', 'taken.count')}
             from (select endpoint_id, count(*) from claimed group by endpoint_id) taken
             where p.id = taken.endpoint_id and p.rate_limit is not null
           )
           select c.id, c.endpoint_id, c.lease_id, c.failures, c.url, c.secret, c.previous_secret, c.oldest_secret,
             c.failing, c.answers, c.is_first, ev.type as event_type, ev.created_at as event_created_at, ev.traceparent,
             ev.body, c.payload_version, null as step, null as again_ms
           from claimed c join events ev on ev.id = c.event_id
           union all
           select null, endpoint_id, null, null, null, null, null, null, null, null, null, null, null, null, null, null, step,
             (select min(refill_ms) from limited)
           from (select endpoint_id, step from walk order by step desc limit 1) last`,
    values: [
      options.now,
      options.leaseId,
      options.leasedUntil,
      options.limit,
      options.perEndpoint,
      options.perFailingEndpoint,
      options.after === '' ? beforeAll : options.after,
      JSON.stringify(Object.fromEntries(options.underWay)),
      options.answers,
    ],
  });
  const deliveries = rows.filter((row): row is ClaimedDelivery => row.id !== null);
  const last = rows.find((row): row is LastStep => row.id === null);
  const isFull = deliveries.length >= options.limit;
  const isCut = last !== undefined && last.step >= walkMax;
  return {
    deliveries,
    endedAt: isFull ? lastEndpoint(deliveries) : isCut ? last.endpoint_id : '',
    againMs: last?.again_ms ?? null,
  };
}

function lastEndpoint(deliveries: ClaimedDelivery[]): string {
  return deliveries.reduce((last, { endpoint_id }) => (endpoint_id > last ? endpoint_id : last), '');
}
