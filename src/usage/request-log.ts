import type { Queryable } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import { shownPath } from './shown-path.ts';

/** One answered request of an account, as it is noted. */
export interface AnsweredRequest {
  accountId: string;
  keyId: string;
  requestId: string;
  method: string;
  /** As it came; what is kept of it is `shownPath`. */
  url: string;
  status: number;
  /** Null for a success. */
  code: string | null;
  durationMs: number;
}

export interface RequestLog {
  /** Costs an entry in memory: it is written later. */
  note(request: AnsweredRequest): void;
  /** Writes what was noted so far. Never throws: what cannot be written is lost, counted and logged. */
  flush(): Promise<void>;
}

type Noted = AnsweredRequest & { id: string };

/** A second of some thousand requests; beyond ten such seconds without a database new ones are lost. */
const rowsPerStatement = 2000;
const waitingMax = 20_000;

/**
 * The requests of the last days, for the people whose programs made them. Nothing waits for it: requests are noted in
 * memory and written once a second, many in a statement. What a crash, or a database that is away, takes of it is lost.
 */
export function createRequestLog(world: World, db: Queryable, onLost: (requests: number) => void): RequestLog {
  let waiting: Noted[] = [];
  let lost = 0;

  return {
    note(request) {
      if (waiting.length < waitingMax) waiting.push({ ...request, id: world.newId() });
      else lost += 1;
    },

    async flush() {
      const noted = waiting;
      waiting = [];
      for (let from = 0; from < noted.length; from += rowsPerStatement) {
        const batch = noted.slice(from, from + rowsPerStatement);
        try {
          await write(db, batch, dayOf(world.clock.now()));
        } catch (error) {
          lost += batch.length;
          world.log.warn('requests could not be written to the log of requests', { requests: batch.length, error });
        }
      }
      if (lost > 0) onLost(lost);
      lost = 0;
    },
  };
}

/** The rows, and the day's sums of each account: locked in the order of their ids, so that no two processes wait for each other. */
async function write(db: Queryable, batch: readonly Noted[], day: number): Promise<void> {
  await db.query({
    name: 'write_request_log',
    text: `with noted as materialized (
             select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::smallint[],
               $8::text[], $9::integer[])
               as noted (account_id, id, key_id, request_id, method, path, status, code, duration_us)
           ), logged as (
             insert into request_log (account_id, id, key_id, request_id, method, path, status, code, duration_us)
             select * from noted
           )
           insert into usage_days as u (account_id, day, requests, refused, failed)
           select account_id, $10, count(*), count(*) filter (where status between 400 and 499),
             count(*) filter (where status >= 500)
           from noted group by account_id order by account_id
           on conflict (account_id, day) do update set
             requests = u.requests + excluded.requests, refused = u.refused + excluded.refused,
             failed = u.failed + excluded.failed`,
    values: [
      batch.map(({ accountId }) => accountId),
      batch.map(({ id }) => id),
      batch.map(({ keyId }) => keyId),
      batch.map(({ requestId }) => requestId),
      batch.map(({ method }) => method),
      batch.map(({ url }) => shownPath(url)),
      batch.map(({ status }) => status),
      batch.map(({ code }) => code),
      batch.map(({ durationMs }) => Math.round(durationMs * 1000)),
      day,
    ],
  });
}

function dayOf(now: Date): number {
  return Math.floor(now.getTime() / 86_400_000);
}
