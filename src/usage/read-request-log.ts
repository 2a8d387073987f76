import { firstIdAt, madeAt } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';

/** Filters of the request log. Null matches everything. */
export interface RequestFilter {
  method: string | null;
  /** The first digit of the status: 2, 4 or 5. */
  statusClass: number | null;
  keyId: string | null;
  /** Part of the path, or a whole error code or request id. The id of a request also finds its replays. */
  text: string | null;
}

export interface LoggedRequest {
  /** Position in the log. It ascends with time. */
  id: string;
  /** Milliseconds since the epoch. */
  at_ms: number;
  request_id: string;
  method: string;
  path: string;
  status: number;
  code: string | null;
  duration_us: number;
  /** The request whose answer was replayed. */
  replay_of: string | null;
  key_hint: string | null;
  key_name: string | null;
}

export interface FoundRequests {
  rows: LoggedRequest[];
  /** Position to continue from. Null when everything was searched. */
  lookedTo: string | null;
}

/** Maximum number of rows searched for one page. The next page continues from there. */
const requestsLookedAtMax = 20_000;
const blocksLookedAtMax = 10_000;

/** Reads a page of the requests since a time, newest first, before a position. */
export async function readRequestLog(
  db: Queryable,
  accountId: string,
  filter: RequestFilter,
  { since: sinceTime, afterId, limit }: { since: Date; afterId: string | null; limit: number },
): Promise<FoundRequests> {
  const since = firstIdAt(sinceTime);
  const isFiltered = Object.values(filter).some((value) => value !== null);
  // Each block has at least one request, except the block that ended the page before.
  const bounds = isFiltered ? [blocksLookedAtMax, requestsLookedAtMax] : [limit + 1, limit];
  const found = await db.query<LoggedRequest | { id: null; end_id: string | null }>({
    name: 'read_request_log',
    text: `with newest as (
             select id, begun_ms, keys, lines, case when left(id::text, 28) = left($3::uuid::text, 28)
               then ('x' || right($3::uuid::text, 8))::bit(32)::integer - 1 else requests end as requests
             from request_log
             where account_id = $1 and id >= $2 and ($3::uuid is null or id < $3) order by id desc limit $8
           ), blocks as (
             select id, begun_ms, keys, lines from (
               select id, begun_ms, keys, lines, sum(requests) over (order by id desc) - requests as before from newest
             ) counted
             where before < $9
           ), requests as (
             select (left(b.id::text, 28) || lpad(to_hex(l.n), 8, '0'))::uuid as id, b.begun_ms, b.keys,
               string_to_array(l.line, E'\\t') as f
             from blocks b, string_to_table(b.lines, E'\\n') with ordinality as l (line, n)
           ), found as (
             select * from requests
             where ($3::uuid is null or id < $3)
               and ($4::text is null or f[4] = $4)
               and ($5::text is null or left(f[5], 1) = $5)
               and ($6::uuid is null or keys[f[2]::integer] = $6)
               and ($7::text is null or f[6] = $7 or f[3] = $7 or f[9] = $7 or strpos(lower(f[8]), lower($7)) > 0)
             order by id desc limit $10
           )
           select found.id, begun_ms + f[1]::bigint as at_ms, f[3] as request_id, f[4] as method, f[8] as path, f[5]::integer as status,
             nullif(f[6], '') as code, f[7]::integer as duration_us, f[9] as replay_of, k.hint as key_hint, k.name as key_name, null as end_id
           from found left join api_keys k on k.account_id = $1 and k.id = keys[f[2]::integer]
           union all
           select null, null, null, null, null, null, null, null, null, null, null, (select id from blocks order by id limit 1)
           order by id desc nulls last`,
    values: [
      accountId,
      since,
      afterId,
      filter.method,
      filter.statusClass?.toString() ?? null,
      filter.keyId,
      filter.text,
      ...bounds,
      limit,
    ],
  });
  const rows = found.filter((row) => row.id !== null);
  const endId = found.find((row) => row.id === null)?.end_id ?? null;
  const isMore = endId !== null && (await hasBefore(db, accountId, since, endId));
  return { rows, lookedTo: isMore ? endId : null };
}

async function hasBefore(db: Queryable, accountId: string, since: string, id: string): Promise<boolean> {
  const rows = await db.query({
    name: 'look_before_in_request_log',
    text: 'select 1 from request_log where account_id = $1 and id >= $2 and id < $3 limit 1',
    values: [accountId, since, id],
  });
  return rows.length > 0;
}

/** Removes up to `limit` rows that were written before a time and are in no table of a day, through the index of the list. */
export async function removeRequests(db: Queryable, before: Date, limit: number): Promise<number> {
  const removed = await db.query({
    name: 'remove_requests',
    text: `delete from request_log_days.other where (account_id, id) in (
             select old.account_id, old.id from accounts a cross join lateral (
               select account_id, id from request_log_days.other where account_id = a.id and id < $1 limit $2
             ) old limit $2
           )
           returning 1`,
    values: [firstIdAt(before), limit],
  });
  return removed.length;
}

/** Returns when the oldest row was written. Null when the log is empty. */
export async function oldestRequest(db: Queryable): Promise<Date | null> {
  const rows = await db.query<{ id: string | null }>({
    name: 'oldest_request',
    text: `select first.id from accounts a cross join lateral (
             select id from request_log where account_id = a.id order by id limit 1
           ) first order by first.id limit 1`,
    values: [],
  });
  return rows[0]?.id ? madeAt(rows[0].id) : null;
}
