import { isTier, type PlanTable } from '../accounts/plans.ts';
import { ApiError } from '../errors.ts';
import { hashKey, type KeyMode, parseKey } from '../keys/api-key.ts';
import { markKeyUsed } from '../keys/manage-keys.ts';
import type { World } from '../platform/world.ts';
import { type Database, sqlState } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { type RateState, rateLimitExceeded } from '../usage/rate-state.ts';
import { rateWindowAt } from '../usage/rate-window.ts';
import { type AdmissionRow, admitKeys, findKeyAccount, giveBack } from './admission-queries.ts';
import type { Caller } from './caller.ts';
import { type Ahead, createReadsAhead, type ReadAhead } from './read-ahead.ts';

/**
 * `rate` and `presented` are set as soon as the account is known, because errors have the rate headers too, and refused
 * requests are in the account's request log.
 */
export interface Admission {
  rate: RateState | null;
  presented: Pick<Caller, 'keyId' | 'accountId'> | null;
  outcome: { caller: Caller } | { refused: ApiError };
  /** The read that was sent along. Null without one, and for requests that came together. */
  ahead: Ahead | null;
}

export type Admit = (authorization: string | undefined, read?: ReadAhead) => Promise<Admission>;

type Judgement = Omit<Admission, 'ahead'>;

interface Waiting {
  key: string;
  claimedMode: KeyMode;
  /** When the request gives up, on the clock of `performance.now()`. */
  deadline: number;
  /** Whether it has been answered. A request that was answered before its statement ran spends nothing. */
  isLate: boolean;
  read: ReadAhead | undefined;
  resolve(judgement: Judgement, ahead?: Ahead | null): void;
}

interface Check {
  rows: AdmissionRow[];
  ahead: Ahead | null;
}

/** Time limit from arrival. Together with the time for the answer, a client waits less than 5 s whatever the database does. */
const admissionMsMaxDefault = 2000;
/** Maximum number of statements in flight. Requests that arrive meanwhile form the next batch. */
const statementsMax = 2;
const keysPerStatementMax = 500;

/**
 * Checks key, company, plan and rate budget in one round trip for all requests that arrive together. A batch of n requests of
 * one account takes n units in one row update instead of n updates. Every request is checked after its arrival, so a
 * revoked key is refused from the next request on. `read` is sent along with the check of a request that comes alone.
 */
export function createAdmission(
  world: World,
  counters: Database,
  plans: PlanTable,
  admissionMsMax = admissionMsMaxDefault,
): Admit {
  let waiting: Waiting[] = [];
  let inFlight = 0;
  let scheduled = false;
  const keyUsedAt = new Map<string, number>();
  const readsAhead = createReadsAhead();

  return (authorization, read) => {
    const presented = readAuthorization(authorization);
    if (presented instanceof ApiError)
      return Promise.resolve({ rate: null, presented: null, outcome: { refused: presented }, ahead: null });
    return new Promise((resolve) => {
      const deadline = performance.now() + admissionMsMax;
      const timer = setTimeout(() => giveUp(request), admissionMsMax);
      const request: Waiting = {
        ...presented,
        deadline,
        isLate: false,
        read,
        resolve(judgement, ahead = null) {
          clearTimeout(timer);
          resolve({ ...judgement, ahead });
        },
      };
      waiting.push(request);
      schedule();
    });
  };

  function giveUp(request: Waiting): void {
    request.isLate = true;
    const refused = new ApiError('key_lookup_failed', { cause: new Error('no admission in time') });
    request.resolve({ rate: null, presented: null, outcome: { refused } });
  }

  function schedule(): void {
    if (scheduled || inFlight >= statementsMax) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      waiting = waiting.filter((request) => !request.isLate);
      const batch = waiting.splice(0, keysPerStatementMax);
      if (batch.length === 0) return;
      inFlight += 1;
      void admitBatch(batch).finally(() => {
        inFlight -= 1;
        if (waiting.length > 0) schedule();
      });
    });
  }

  async function admitBatch(batch: Waiting[]): Promise<void> {
    const now = world.clock.now();
    // The key is hashed once for all requests of a batch that have it.
    const demand = new Map<string, { hash: Buffer; units: number }>();
    for (const { key } of batch) {
      const entry = demand.get(key);
      if (entry === undefined) demand.set(key, { hash: hashKey(key), units: 1 });
      else entry.units += 1;
    }

    const msLeft = Math.min(...batch.map(({ deadline }) => deadline)) - performance.now();
    let check: Check;
    try {
      check = await send([...demand.values()], now, msLeft, batch.length === 1 ? batch[0]?.read : undefined);
    } catch (cause) {
      for (const request of batch) void explainFailure(request, cause);
      return;
    }
    const byHash = new Map(check.rows.map((row) => [row.hash.toString('latin1'), row]));
    const byKey = new Map([...demand].map(([key, { hash }]) => [key, byHash.get(hash.toString('latin1'))]));
    distribute(batch, byKey, check.ahead, now);
  }

  /** Sends the statement, together with the read of a request that came alone. Returns the answer to the statement. */
  function send(
    demand: Array<{ hash: Buffer; units: number }>,
    now: Date,
    msLeft: number,
    read: ReadAhead | undefined,
  ): Promise<Check> {
    return new Promise((resolve, reject) => {
      const sent = counters.onOneConnection(async (db) => {
        const answer = admitKeys(db, demand, now, rateWindowAt(now), plans, msLeft);
        const ahead = readsAhead.start(demand[0]?.hash, read, db);
        answer.then((rows) => resolve({ rows, ahead }), reject);
        await Promise.allSettled([answer, ahead?.result]);
      });
      sent.catch(reject);
    });
  }

  /** Assigns the granted units in order of arrival, so that each answer shows its own remaining budget. */
  function distribute(
    batch: Waiting[],
    byKey: Map<string, AdmissionRow | undefined>,
    ahead: Ahead | null,
    now: Date,
  ): void {
    const dealt = new Map<string, number>();
    const tooLate: Waiting[] = [];
    for (const request of batch) {
      if (request.isLate) continue;
      const row = byKey.get(request.key);
      if (row?.in_time === false) {
        tooLate.push(request);
        continue;
      }
      if (row === undefined || row.mode !== request.claimedMode || row.revoked || row.expired) {
        request.resolve({ rate: null, presented: null, outcome: { refused: new ApiError('invalid_api_key') } });
        continue;
      }
      const before = dealt.get(row.account_id) ?? 0;
      const judgement = judge(row, before, now);
      if ('caller' in judgement.outcome) {
        dealt.set(row.account_id, before + 1);
        noteKeyUse(row.key_id, now);
        readsAhead.note(row.hash, judgement.outcome.caller);
      }
      request.resolve(judgement, ahead);
    }
    // The oldest request set the time limit of the batch. The others have time for another statement.
    waiting.unshift(...tooLate);
    giveSurplusBack([...byKey.values()], dealt);
  }

  /** Units granted to requests that had given up just before. */
  function giveSurplusBack(rows: Array<AdmissionRow | undefined>, dealt: Map<string, number>): void {
    const byAccount = new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.account_id, row]])));
    for (const [accountId, row] of byAccount) {
      const surplus = row.granted - (dealt.get(accountId) ?? 0);
      if (surplus <= 0) continue;
      giveBack(counters, row, surplus).catch((error) =>
        world.log.warn('could not give back the units of requests that were answered late', { error }),
      );
    }
  }

  function judge(row: AdmissionRow, dealt: number, now: Date): Judgement {
    if (!isTier(row.tier) || row.minute === null) {
      const cause = new Error(`account ${row.account_id} has the unknown tier "${row.tier}" or no budget row`);
      return { rate: null, presented: null, outcome: { refused: new ApiError('tenant_resolution_failed', { cause }) } };
    }
    const plan = plans[row.tier];
    const admitted = row.granted > dealt;
    const used = admitted ? dealt + 1 : row.granted;
    const rate: RateState = {
      limitBurst: plan.burst_per_minute,
      remainingBurst: Math.max(0, plan.burst_per_minute - row.minute_used_before - used),
      limitDaily: plan.requests_per_day,
      remainingDaily: Math.max(0, plan.requests_per_day - row.day_used_before - used),
      window: { minute: row.minute, day: row.day as number },
    };
    const caller: Caller = { keyId: row.key_id, mode: row.mode, scopes: row.scopes, accountId: row.account_id };
    let outcome: Judgement['outcome'] = { caller };
    if (row.removed) outcome = { refused: new ApiError('key_company_unavailable') };
    else if (!plan.api) outcome = { refused: new ApiError('api_access_required') };
    else if (!admitted) outcome = { refused: rateLimitExceeded(rate, now) };
    return { rate, presented: caller, outcome };
  }

  /**
   * Finds out which part of the statement failed, by running its parts one by one. A server that cannot be reached is not
   * asked again, because the answer has to come within 5 s.
   */
  async function explainFailure(request: Waiting, cause: unknown): Promise<void> {
    const code =
      sqlState(cause) === null
        ? 'key_lookup_failed'
        : await findKeyAccount(counters, hashKey(request.key)).then(
            () => 'tenant_resolution_failed' as const,
            () => 'key_lookup_failed' as const,
          );
    request.resolve({ rate: null, presented: null, outcome: { refused: new ApiError(code, { cause }) } });
  }

  function noteKeyUse(keyId: string, now: Date): void {
    const last = keyUsedAt.get(keyId);
    if (last !== undefined && now.getTime() - last < 60_000) return;
    if (keyUsedAt.size > 10_000) keyUsedAt.clear();
    keyUsedAt.set(keyId, now.getTime());
    markKeyUsed(counters, keyId, now.toISOString() as Timestamp).catch((error) =>
      world.log.warn('could not note the use of a key', { error }),
    );
  }
}

/** Reads the key from the header. A missing key has its own code. All malformed keys get the same one, without a look-up. */
function readAuthorization(header: string | undefined): Pick<Waiting, 'key' | 'claimedMode'> | ApiError {
  if (header === undefined) return new ApiError('missing_authorization');
  const [, key = ''] = /^Bearer +(\S+) *$/i.exec(header) ?? [];
  const parsed = parseKey(key);
  return parsed === null ? new ApiError('invalid_api_key') : { key, claimedMode: parsed.mode };
}
