import type { Queryable } from '../postgres/database.ts';
import { firstIdAt } from '../world/ids.ts';

export const requestLogDays = 7;

/** What somebody looks for; null: everything. */
export interface RequestFilter {
  method: string | null;
  /** 2, 4 or 5: the first digit of the status. */
  statusClass: number | null;
  keyId: string | null;
  /** Within the path, or the whole of a code or of a request's id. */
  text: string | null;
}

export interface LoggedRequest {
  /** UUIDv7: it says when the answer was ready. */
  id: string;
  request_id: string;
  method: string;
  path: string;
  status: number;
  code: string | null;
  duration_us: number;
  key_hint: string | null;
  key_name: string | null;
}

export interface FoundRequests {
  rows: LoggedRequest[];
  /** Looked through as far as here, and there is more before it. Null when all was looked through. */
  lookedTo: string | null;
}

/** So that looking for what is rare costs little; who looks on goes on from there. */
const lookedThroughMax = 50_000;

/** The newest first, after one of them, of the last seven days. */
export async function readRequestLog(
  db: Queryable,
  accountId: string,
  filter: RequestFilter,
  { now, afterId, limit }: { now: Date; afterId: string | null; limit: number },
): Promise<FoundRequests> {
  const since = firstIdAt(new Date(now.getTime() - requestLogDays * 86_400_000));
  const isFiltered = Object.values(filter).some((wish) => wish !== null);
  const lookedTo = isFiltered ? await findEnd(db, accountId, since, afterId) : null;
  const rows = await db.query<LoggedRequest>({
    name: 'read_request_log',
    text: `select l.id, l.request_id, l.method, l.path, l.status, l.code, l.duration_us, k.hint as key_hint, k.name as key_name
           from request_log l left join api_keys k on k.id = l.key_id and k.account_id = l.account_id
           where l.account_id = $1 and l.id >= $2 and ($3::uuid is null or l.id < $3)
             and ($4::text is null or l.method = $4)
             and ($5::integer is null or l.status / 100 = $5)
             and ($6::uuid is null or l.key_id = $6)
             and ($7::text is null or l.code = $7 or l.request_id = $7 or strpos(lower(l.path), lower($7)) > 0)
           order by l.id desc limit $8`,
    values: [
      accountId,
      lookedTo ?? since,
      afterId,
      filter.method,
      filter.statusClass,
      filter.keyId,
      filter.text,
      limit,
    ],
  });
  return { rows, lookedTo };
}

async function findEnd(db: Queryable, accountId: string, since: string, afterId: string | null) {
  const rows = await db.query<{ id: string }>({
    name: 'find_end_of_look_up',
    text: `select id from request_log where account_id = $1 and id >= $2 and ($3::uuid is null or id < $3)
           order by id desc offset ${lookedThroughMax - 1} limit 1`,
    values: [accountId, since, afterId],
  });
  return rows[0]?.id ?? null;
}

const forgottenAtOnce = 5000;

/** Account by account, by the index that shows them, and in portions, so that nobody waits for it. */
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
