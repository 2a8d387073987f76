import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
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
  /** The id of the request whose answer was replayed. Null for other requests. */
  replayOf: string | null;
}

export interface RequestLog {
  /** Costs a line in memory: it is written later. */
  note(request: AnsweredRequest): void;
  /** Writes what was noted so far. Never throws: what cannot be written is lost, counted and logged. */
  flush(): Promise<void>;
}

/** What one account was answered since the last writing. */
interface Noted {
  begunMs: number;
  /** Key by key its place, from 1. */
  keys: Map<string, number>;
  lines: string[];
  refused: number;
  failed: number;
}

/** Some seconds of a busy process: without a database, what comes after is lost. */
const waitingMax = 20_000;

/**
 * The requests of the last days, for the people whose programs made them. Nothing waits for it: a request is a line in
 * memory, and once a second the lines of each account are written as one row. What a crash, or a database that is away,
 * takes of it is lost.
 */
export function createRequestLog(world: World, db: Queryable, onLost: (requests: number) => void): RequestLog {
  let accounts = new Map<string, Noted>();
  let waiting = 0;
  let lost = 0;

  return {
    note(request) {
      if (waiting >= waitingMax) {
        lost += 1;
        return;
      }
      waiting += 1;
      const nowMs = world.clock.now().getTime();
      let noted = accounts.get(request.accountId);
      if (noted === undefined) {
        noted = { begunMs: nowMs, keys: new Map(), lines: [], refused: 0, failed: 0 };
        accounts.set(request.accountId, noted);
      }
      noted.lines.push(lineOf(request, nowMs - noted.begunMs, placeOf(request.keyId, noted.keys)));
      if (request.status >= 500) noted.failed += 1;
      else if (request.status >= 400) noted.refused += 1;
    },

    async flush() {
      const [written, requests] = [accounts, waiting];
      accounts = new Map();
      waiting = 0;
      try {
        if (requests > 0) await write(world, db, written);
      } catch (error) {
        lost += requests;
        world.log.warn('requests could not be written to the log of requests', { requests, error });
      }
      if (lost > 0) onLost(lost);
      lost = 0;
    },
  };
}

function placeOf(keyId: string, keys: Map<string, number>): number {
  const known = keys.get(keyId);
  if (known !== undefined) return known;
  keys.set(keyId, keys.size + 1);
  return keys.size;
}

/** As the table says. No part of it can hold a tab or the end of a line: a method is a token, a path is what is shown of it. */
function lineOf(
  { requestId, method, status, code, durationMs, url, replayOf }: AnsweredRequest,
  ms: number,
  key: number,
): string {
  const micros = Math.round(durationMs * 1000);
  const line = `${ms}\t${key}\t${requestId}\t${method}\t${status}\t${code ?? ''}\t${micros}\t${shownPath(url)}`;
  return replayOf === null ? line : `${line}\t${replayOf}`;
}

/**
 * The lines, and the day's sums of each account: locked in the order of their ids, so that no two processes wait for each
 * other. What comes late for an erased account is left out: the lock waits for an erasure and then sees that it is done.
 */
async function write(world: World, db: Queryable, accounts: ReadonlyMap<string, Noted>): Promise<void> {
  const noted = [...accounts.values()];
  await db.query({
    name: 'write_request_log',
    text: `with noted as (
             select noted.* from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::bigint[], $5::text[], $6::text[],
               $7::integer[], $8::integer[])
               as noted (account_id, id, requests, begun_ms, keys, lines, refused, failed)
             join accounts a on a.id = noted.account_id and a.erased_at is null
             order by a.id for key share of a
           ), logged as (
             insert into request_log (account_id, id, requests, begun_ms, keys, lines)
             select account_id, id, requests, begun_ms, string_to_array(keys, ',')::uuid[], lines from noted
           )
           insert into usage_days as u (account_id, day, requests, refused, failed)
           select account_id, $9, requests, refused, failed from noted order by account_id
           on conflict (account_id, day) do update set
             requests = u.requests + excluded.requests, refused = u.refused + excluded.refused,
             failed = u.failed + excluded.failed`,
    values: [
      [...accounts.keys()],
      noted.map(() => blockId(world)),
      noted.map(({ lines }) => lines.length),
      noted.map(({ begunMs }) => begunMs),
      noted.map(({ keys }) => [...keys.keys()].join()),
      noted.map(({ lines }) => lines.join('\n')),
      noted.map(({ refused }) => refused),
      noted.map(({ failed }) => failed),
      Math.floor(world.clock.now().getTime() / 86_400_000),
    ],
  });
}

/** The numbers of its lines take the place of the zeros. */
function blockId(world: World): string {
  return `${world.newId().slice(0, -8)}00000000`;
}
