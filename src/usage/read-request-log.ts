import { firstIdAt } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';

export const requestLogDays = 7;

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

/** Reads a page of the last seven days, newest first, before a position. */
export async function readRequestLog(
  db: Queryable,
  accountId: string,
  filter: RequestFilter,
  { now, afterId, limit }: { now: Date; afterId: string | null; limit: number },
): Promise<FoundRequests> {
  const since = firstIdAt(new Date(now.getTime() - requestLogDays * 86_400_000));
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

const forgottenAtOnce = 1000;

/** Deletes old rows account by account, through the index of the list, in small batches that block nobody. */
export async function forgetRequests(db: Queryable, now: Date): Promise<void> {
  const before = firstIdAt(new Date(now.getTime() - requestLogDays * 86_400_000));
  for (;;) {
    const forgotten = await db.query({
      name: 'forget_requests',
      text: `delete from request_log where (account_id, id) in (
               select old.account_id, old.id from accounts a cross join lateral (
                 select account_id, id from request_log where account_id = a.id and id < $1 limit ${forgottenAtOnce}
               ) old limit ${forgottenAtOnce}
             )
             returning 1`,
      values: [before],
    });
    if (forgotten.length < forgottenAtOnce) return;
  }
}
