import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { CursorCodec } from '../http/cursor.ts';
import { readJsonBody } from '../http/json-body.ts';
import { JsonText } from '../http/json-text.ts';
import type { Query } from '../http/page-request.ts';
import type { Scope } from '../keys/scopes.ts';
import { addLogContext } from '../platform/log-context.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import type { OverloadGuard } from '../usage/overload-guard.ts';
import { type RateState, rateHeaders, rateLimitExceeded } from '../usage/rate-state.ts';
import type { RequestLog } from '../usage/request-log.ts';
import type { Admission, Admit } from './admission.ts';
import type { Caller } from './caller.ts';
import { type Call, type Endpoint, orFail } from './endpoint.ts';
import {
  claimIdempotencyKey,
  type IdempotencyClaim,
  readIdempotencyKey,
  rememberAnswer,
  requestDigest,
  type StoredAnswer,
} from './idempotency.ts';
import { answerAtLength } from './long-request.ts';
import { type ReadAhead, resultOf } from './read-ahead.ts';
import type { SpendUnits } from './spend-units.ts';

export interface ApiOptions {
  world: World;
  database: Database;
  guardIp: (ip: string) => void;
  guardLoad: OverloadGuard;
  admit: Admit;
  noteRequest: RequestLog['note'];
  spendUnits: SpendUnits;
  cursors: CursorCodec;
  idempotencyTtlHours: number;
  /** Time limit of what a handler does in the database. */
  answerMsMax?: number;
  endpoints: readonly Endpoint[];
}

/** Together with admission, a client gets its answer within 5 s however the database fails. */
const answerMsMaxDefault = 2250;

/**
 * Handles every request to `/api/v1` in this order: IP guard, overload guard, key, company and plan, rate budget, scope,
 * route, idempotency key, body, rules. The steps before the body don't need it, so a refused request's body is never read.
 */
export async function apiPipeline(app: FastifyInstance, options: ApiOptions): Promise<void> {
  app.decorateRequest('caller', null);
  app.decorateRequest('presented', null);
  app.decorateRequest('ahead', null);
  app.decorateRequest('rate', null);
  app.decorateRequest('idempotencyKey', null);
  app.decorateRequest('replayOf', null);
  app.addHook('onRequest', async (request, reply) => {
    options.guardIp(request.ip);
    // An import waits up to 85 s for its files, which says nothing about the load.
    if (!isLong(request)) reply.raw.once('close', options.guardLoad(request.headers.authorization ?? ''));
    const { endpoint } = request.routeOptions.config;
    request.caller = await admitCaller(request, reply, options.admit, readAheadOf(endpoint, request, options));
    // The router matches `/documents/` as a document with an empty id.
    if (endpoint === undefined || (request.params as { id?: string }).id === '') throw new ApiError('route_not_found');
    if (endpoint.scope !== null) requireScope(request.caller, endpoint.scope);
    if (endpoint.method === 'POST') request.idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  });
  // A callback saves one promise per request.
  app.addHook('onResponse', (request, reply, done) => {
    noteRequest(request, reply, options.noteRequest);
    done();
  });
  // Runs the hooks above for unknown routes too, because a bad key is refused before an unknown route.
  app.setNotFoundHandler(() => {});

  for (const endpoint of options.endpoints) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { endpoint },
      handler: async (request, reply) => {
        const answer = await answerTo(endpoint, request, reply, options);
        if (answer.replayed !== undefined) {
          reply.header('idempotent-replayed', 'true');
          request.replayOf = answer.replayed.requestId;
        }
        return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
      },
    });
  }
}

function isLong({ routeOptions }: FastifyRequest): boolean {
  const { endpoint } = routeOptions.config;
  return endpoint !== undefined && 'prepare' in endpoint;
}

async function admitCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  admit: Admit,
  read: ReadAhead | undefined,
): Promise<Caller> {
  const { rate, presented, outcome, ahead } = await admit(request.headers.authorization, read);
  request.ahead = ahead;
  if (rate !== null) reply.headers(rateHeaders(rate));
  request.rate = rate;
  request.presented = presented;
  if (presented !== null) addLogContext({ account_id: presented.accountId });
  if ('refused' in outcome) throw outcome.refused;
  return outcome.caller;
}

/** Records a request in the log of the key's account, whatever its result. */
function noteRequest(request: FastifyRequest, reply: FastifyReply, note: RequestLog['note']): void {
  if (request.presented === null) return;
  note({
    accountId: request.presented.accountId,
    keyId: request.presented.keyId,
    requestId: request.id,
    method: request.method,
    url: request.url,
    status: reply.statusCode,
    code: request.errorCode ?? null,
    replayOf: request.replayOf,
    durationMs: reply.elapsedTime,
  });
}

/** Throws `insufficient_scope` when the key lacks the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.includes(scope)) {
    throw new ApiError('insufficient_scope', { param: 'scopes', message: `The API key lacks the scope ${scope}.` });
  }
}

async function answerTo(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ApiOptions,
): Promise<StoredAnswer> {
  const { answerMsMax = answerMsMaxDefault } = options;
  const caller = request.caller as Caller;
  const body = endpoint.body === undefined ? undefined : readBody(request, endpoint.body.required);
  const call = callOf(request, caller, body, options);
  const respond = (result: unknown): StoredAnswer => ({
    status: endpoint.answer.status,
    body: result instanceof JsonText ? result.text : JSON.stringify(result),
  });

  if ('read' in endpoint) {
    const db = options.database.readsWithin(answerMsMax);
    const read = () => endpoint.read(call, db);
    return respond(await resultOf(request.ahead, caller, read));
  }
  const key = request.idempotencyKey;
  const claim = key === null ? null : claimOf(endpoint, call, key, request.id);
  if ('prepare' in endpoint) {
    const spend = (units: number) => spendFurther(request, reply, options, units);
    return answerAtLength(
      endpoint,
      call,
      { claim, spend, respond, oldestValid: oldestValid(options), claimMsMax: answerMsMax },
      options.database,
    );
  }
  if (claim !== null) return answerOnce(endpoint, call, claim, respond, options);
  const database = options.database.within(answerMsMax);
  const written =
    'write' in endpoint
      ? database.transaction((tx) => endpoint.write(call, tx))
      : endpoint.writeInOneStatement(call, database);
  return respond(await orFail(endpoint.failure, written));
}

function readAheadOf(
  endpoint: Endpoint | undefined,
  request: FastifyRequest,
  options: ApiOptions,
): ReadAhead | undefined {
  if (endpoint === undefined || !('read' in endpoint) || !endpoint.mayReadAhead) return undefined;
  return (caller, db) => endpoint.read(callOf(request, caller, undefined, options), db);
}

function callOf(request: FastifyRequest, caller: Caller, body: unknown, { world, cursors }: ApiOptions): Call {
  const id = (request.params as { id?: string }).id ?? '';
  return { world, caller, id, query: request.query as Query, body, cursors };
}

function readBody(request: FastifyRequest, required: boolean): unknown {
  const body = readJsonBody(request);
  if (body === undefined && required) throw new ApiError('invalid_json', { message: 'The request has no body.' });
  return body;
}

function claimOf(endpoint: Endpoint, call: Call, key: string, requestId: string): IdempotencyClaim {
  return {
    accountId: call.caller.accountId,
    endpoint: `${endpoint.method} ${endpoint.path.replace(':id', () => encodeURIComponent(call.id.toLowerCase()))}`,
    key,
    requestSha256: requestDigest(call.body ?? {}),
    requestId,
  };
}

function oldestValid({ world, idempotencyTtlHours }: ApiOptions): Date {
  return new Date(world.clock.now().getTime() - idempotencyTtlHours * 3_600_000);
}

/** Spends the units of a request that costs more than one. Throws `rate_limit_exceeded`. */
async function spendFurther(
  request: FastifyRequest,
  reply: FastifyReply,
  { world, spendUnits }: ApiOptions,
  units: number,
): Promise<void> {
  const { accountId } = request.caller as Caller;
  const { isGranted, rate } = await spendUnits(accountId, request.rate as RateState, units);
  reply.headers(rateHeaders(rate));
  if (!isGranted) throw rateLimitExceeded(rate, world.clock.now(), units + 1);
}

/** Runs a write in a transaction together with its event, jobs and stored answer. */
async function answerOnce(
  endpoint: Exclude<Endpoint, { method: 'GET' } | { prepare: unknown }>,
  call: Call,
  claim: IdempotencyClaim,
  respond: (result: unknown) => StoredAnswer,
  options: ApiOptions,
): Promise<StoredAnswer> {
  const now = call.world.clock.now();
  const { answerMsMax = answerMsMaxDefault } = options;
  const answered = options.database.within(answerMsMax).transaction(async (tx) => {
    const earlier = await orFail('idempotency_store_failed', claimIdempotencyKey(tx, claim, oldestValid(options)));
    if (earlier !== null) {
      await endpoint.assertMayRepeat(call, tx, earlier.body);
      return earlier;
    }
    const answer = respond(
      await ('write' in endpoint ? endpoint.write(call, tx) : endpoint.writeInOneStatement(call, tx)),
    );
    await orFail('idempotency_store_failed', rememberAnswer(tx, claim, answer, now));
    return answer;
  });
  return orFail(endpoint.failure, answered);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** The key of the request, also when it was refused. */
    presented: Admission['presented'];
    /** What was read while the key was checked. */
    ahead: Admission['ahead'];
    /** The remaining budgets at admission. */
    rate: RateState | null;
    idempotencyKey: string | null;
    /** The request whose answer was replayed. Null for other requests, and when it was answered by an older version. */
    replayOf: string | null;
  }
}
