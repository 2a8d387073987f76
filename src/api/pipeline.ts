import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { CursorCodec } from '../http/cursor.ts';
import { parseJsonBody } from '../http/json-body.ts';
import type { Query } from '../http/page-request.ts';
import type { Database } from '../postgres/database.ts';
import { rateHeaders } from '../usage/rate-state.ts';
import type { World } from '../world/world.ts';
import type { Admit, Caller } from './admission.ts';
import { type Call, type Endpoint, orFail } from './endpoint.ts';
import {
  claimIdempotencyKey,
  type IdempotencyClaim,
  readIdempotencyKey,
  rememberAnswer,
  requestDigest,
  type StoredAnswer,
} from './idempotency.ts';

export interface ApiOptions {
  world: World;
  database: Database;
  guardIp: (ip: string) => void;
  admit: Admit;
  cursors: CursorCodec;
  idempotencyTtlHours: number;
  endpoints: readonly Endpoint[];
}

/** With the time for admission before it: however the database fails, the client has its answer within 5 s. */
const answerMsMax = 2250;

/**
 * Every request to `/api/v1` in the order of decisions.md: IP guard, key, company and plan, rate budget, scope, route,
 * idempotency key, body, rules. None of what comes before the body needs it, so an unwelcome one is never read.
 */
export async function apiPipeline(app: FastifyInstance, options: ApiOptions): Promise<void> {
  app.decorateRequest('caller', null);
  app.decorateRequest('idempotencyKey', null);
  app.addHook('onRequest', async (request, reply) => {
    options.guardIp(request.ip);
    request.caller = await admitCaller(request, reply, options.admit);
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined) throw new ApiError('route_not_found');
    requireScope(request.caller, endpoint);
    if (endpoint.method === 'POST') request.idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  });
  // Makes the hook above run for unknown routes too: a bad key is refused before the route is.
  app.setNotFoundHandler(() => {});

  for (const endpoint of options.endpoints) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { endpoint },
      handler: async (request, reply) => {
        const answer = await answerTo(endpoint, request, options);
        return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
      },
    });
  }
}

async function admitCaller(request: FastifyRequest, reply: FastifyReply, admit: Admit): Promise<Caller> {
  const { rate, outcome } = await admit(request.headers.authorization);
  if (rate !== null) reply.headers(rateHeaders(rate));
  if ('refused' in outcome) throw outcome.refused;
  return outcome.caller;
}

function requireScope(caller: Caller, { scope }: Endpoint): void {
  if (scope !== null && !caller.scopes.includes(scope)) {
    throw new ApiError('insufficient_scope', { param: 'scopes', message: `The API key lacks the scope ${scope}.` });
  }
}

async function answerTo(endpoint: Endpoint, request: FastifyRequest, options: ApiOptions): Promise<StoredAnswer> {
  const call: Call = {
    world: options.world,
    caller: request.caller as Caller,
    id: (request.params as { id?: string }).id ?? '',
    query: request.query as Query,
    body: endpoint.body === undefined ? undefined : readBody(request, endpoint.body.required),
    cursors: options.cursors,
  };
  const respond = (result: unknown): StoredAnswer => ({ status: endpoint.answer.status, body: JSON.stringify(result) });

  if ('read' in endpoint) return respond(await endpoint.read(call, options.database.readsWithin(answerMsMax)));
  if (request.idempotencyKey !== null) return answerOnce(endpoint, call, request.idempotencyKey, respond, options);
  const database = options.database.within(answerMsMax);
  const written =
    'write' in endpoint
      ? database.transaction((tx) => endpoint.write(call, tx))
      : endpoint.writeInOneStatement(call, database);
  return respond(await orFail(endpoint.failure, written));
}

function readBody(request: FastifyRequest, required: boolean): unknown {
  const body = parseJsonBody(request.body as Buffer | undefined);
  if (body === undefined && required) throw new ApiError('invalid_json', { message: 'The request has no body.' });
  return body;
}

/** The write, its event, its jobs and the stored answer commit together, or none of them do. */
async function answerOnce(
  endpoint: Exclude<Endpoint, { method: 'GET' }>,
  call: Call,
  key: string,
  respond: (result: unknown) => StoredAnswer,
  options: ApiOptions,
): Promise<StoredAnswer> {
  const now = call.world.clock.now();
  const oldestValid = new Date(now.getTime() - options.idempotencyTtlHours * 3_600_000);
  const claim: IdempotencyClaim = {
    accountId: call.caller.accountId,
    endpoint: `${endpoint.method} ${endpoint.path.replace(':id', () => encodeURIComponent(call.id.toLowerCase()))}`,
    key,
    requestSha256: requestDigest(call.body ?? {}),
  };
  const answered = options.database.within(answerMsMax).transaction(async (tx) => {
    const earlier = await orFail('idempotency_store_failed', claimIdempotencyKey(tx, claim, oldestValid));
    if (earlier !== null) return earlier;
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
    idempotencyKey: string | null;
  }
}
