import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { FormulaRefusal } from '../../documents/check-formulas.ts';
import { ApiError } from '../../errors.ts';
import { isForeign } from '../../http/is-foreign.ts';
import { readJsonBody } from '../../http/json-body.ts';
import type { Query } from '../../http/page-request.ts';
import { TooManyTries } from '../../identity/guess-limit.ts';
import type { Origin } from '../../identity/sessions.ts';
import { findFault } from '../../platform/find-fault.ts';
import type { World } from '../../platform/world.ts';
import { sqlState } from '../../postgres/database.ts';
import { assertMay, assertOperator, findCaller, readCaller } from './authorise.ts';
import type { Caller, ConsoleCall, ConsoleDeps, ConsoleEndpoint } from './console-endpoint.ts';
import { consoleEndpoints } from './console-endpoints.ts';
import { ConsoleError, type ConsoleErrorCode, isConsoleCode } from './console-error.ts';
import { languageOf } from './preferences.ts';
import { RawAnswer } from './raw-answer.ts';

export interface ConsoleApiOptions {
  deps: ConsoleDeps;
  guardIp: (ip: string) => void;
}

/** Serves the JSON API of the console's pages. It accepts only these pages and session cookies, not API keys. */
export async function consoleApi(app: FastifyInstance, { deps, guardIp }: ConsoleApiOptions): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'cookie');
    guardIp(request.ip);
  });
  app.setErrorHandler((error, request, reply) => answerFailure(deps.world, request, reply, error as Error));
  app.setNotFoundHandler((_request, reply) => sendError(reply, new ConsoleError('not_found')));
  addRoutes(app, deps, (endpoint) => !endpoint.takesFile);
  await app.register(async (inner) => {
    // The body is streamed to disk, so it is not held in memory and the limit of other bodies does not apply.
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser('*', (_request, _body, done) => done(null));
    addRoutes(inner, deps, (endpoint) => endpoint.takesFile);
  });
}

function addRoutes(app: FastifyInstance, deps: ConsoleDeps, isWanted: (endpoint: ConsoleEndpoint) => boolean): void {
  for (const endpoint of consoleEndpoints.filter(isWanted)) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      exposeHeadRoute: endpoint.method === 'GET' && !endpoint.isEndless,
      handler: async (request, reply) => {
        const answer = await answerCall(deps, endpoint, request, reply);
        if (answer instanceof RawAnswer) return reply.code(answer.status).headers(answer.headers).send(answer.body);
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer ?? {}));
      },
    });
  }
}

/** Checks origin, session, person, company, role, recent sign-in and body, in this order, and calls the endpoint. */
async function answerCall(
  deps: ConsoleDeps,
  endpoint: ConsoleEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { world, db } = deps;
  if (endpoint.method !== 'GET') assertOwnPage(request, deps.publicUrl);
  const read = isUnattended(endpoint, request) ? findCaller : readCaller;
  const caller = await read(world, db, request.headers.cookie, deps.origin());
  if (caller !== null) assertShown(request, endpoint, caller);
  assertMay(world, endpoint, caller);
  if (endpoint.access === 'operator' && caller !== null) await assertOperator(db, caller);
  const call: ConsoleCall = {
    body: readBody(endpoint.body, request),
    params: request.params as Record<string, string>,
    isChange: endpoint.method !== 'GET',
    query: request.query as Query,
    from: visitorOf(request),
    mayUseDemoLink: deps.mayUseDemoLink(request.raw),
    cookies: request.headers.cookie,
    language: languageOf(request),
    pageOrigin: pageOrigin(deps, request),
    caller,
    upload: endpoint.takesFile ? request.raw : null,
    range: request.headers.range,
    ifRange: request.headers['if-range'] as string | undefined,
    setCookie: (cookie) => void reply.header('set-cookie', cookie),
    clearSiteData: () => void reply.header('clear-site-data', '"cache", "storage"'),
  };
  return endpoint.handle(deps, call);
}

/**
 * Whether an open page asks by itself, again and again, so that the request must not keep the session alive. Pages say so when
 * nobody has just used them. The browser itself connects to `GET /live` again.
 */
function isUnattended({ method, path }: ConsoleEndpoint, { headers }: FastifyRequest): boolean {
  return method === 'GET' && (path === '/live' || headers['countersign-active'] === 'false');
}

/** Throws `foreign_origin` unless one of our pages sent the request. Every browser sends the origin with a POST. */
function assertOwnPage(request: FastifyRequest, publicUrl: string | null): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isUnnamed = origin === undefined && site === undefined;
  if (isUnnamed || isForeign(request, publicUrl)) throw new ConsoleError('foreign_origin');
}

/**
 * Throws `other_person` or `other_company` if the page shows someone or a company that the session no longer has: in another tab,
 * someone else has signed in, or the company was switched. The page sends both ids: in headers, or in `?shown_person=` and `?company=` of
 * an address that the browser itself requests.
 */
function assertShown(request: FastifyRequest, endpoint: ConsoleEndpoint, { person, membership }: Caller): void {
  const query = request.query as Query;
  const shownPerson = request.headers['countersign-person'] ?? query.shown_person;
  const isOtherPerson = shownPerson !== undefined && shownPerson !== person.id;
  if (isOtherPerson && endpoint.access !== 'anyone') throw new ConsoleError('other_person');
  const company = request.headers['countersign-company'] ?? query.company;
  if (endpoint.isForAnyCompany || company === undefined || membership === null) return;
  if (membership.account_id !== company) throw new ConsoleError('other_company');
}

function readBody(schema: TObject | null, request: FastifyRequest): unknown {
  if (schema === null) return undefined;
  const body = readJsonBody(request) ?? {};
  const fault = faultOf(schema, body);
  if (fault === null) return body;
  throw new ConsoleError('invalid_input', fault === '' ? {} : { param: fault });
}

function faultOf(schema: TObject, body: unknown): string | null {
  try {
    return findFault(schema, body);
  } catch (error) {
    // Comparing items is recursive: deeply nested input overflows the stack.
    if (error instanceof RangeError) return '';
    throw error;
  }
}

const userAgentLengthMax = 300;

function visitorOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null };
}

/** Returns the origin of a page: PUBLIC_URL, or else the host of the request. The header may contain anything. */
export function pageOrigin({ publicUrl }: Pick<ConsoleDeps, 'publicUrl'>, request: FastifyRequest): string {
  const origin = publicUrl ?? `${request.protocol}://${request.host}`;
  const url = URL.parse(origin);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.origin : 'http://127.0.0.1';
}

function answerFailure(world: World, request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  if (error instanceof ConsoleError) {
    if (securityCodes.has(error.code)) logRefusal(world, request, error.code);
    return sendError(reply, error);
  }
  if (error instanceof TooManyTries) {
    logRefusal(world, request, 'too_many_tries');
    return sendError(reply, new ConsoleError('too_many_tries', { retryAfterSeconds: error.retryAfterSeconds }));
  }
  if (error instanceof FormulaRefusal) return sendError(reply, new ConsoleError('formula_unfit', { cause: error }));
  if (isUnstorable(error)) return sendError(reply, new ConsoleError('invalid_input'));
  // The console may have its own error with the same code.
  if (error instanceof ApiError && isConsoleCode(error.code)) return sendError(reply, new ConsoleError(error.code));
  if (error instanceof ApiError && error.status === 400) {
    const param = error.param;
    return sendError(reply, new ConsoleError('invalid_input', param === undefined ? {} : { param }));
  }
  // Answers rate limiting and malformed requests with the server's own text.
  const { statusCode } = error as { statusCode?: number };
  if (error instanceof ApiError || (statusCode !== undefined && statusCode < 500)) throw error;
  world.log.error('a console request failed', {
    request_id: request.id,
    route: request.routeOptions.url,
    cause: error,
  });
  return sendError(reply, new ConsoleError('temporarily_unavailable'));
}

/** Whether a text contains U+0000, which JSON allows but PostgreSQL does not. */
function isUnstorable(error: Error): boolean {
  return ['22021', '22P05'].includes(sqlState(error) ?? '');
}

/** Refusals that may be attacks and are logged. The company audit also has failed sign-ins. */
const securityCodes = new Set<ConsoleErrorCode>([
  'forbidden',
  'foreign_origin',
  'wrong_credentials',
  'wrong_code',
  'wrong_passkey',
  'wrong_password',
]);

function logRefusal(world: World, request: FastifyRequest, code: ConsoleErrorCode): void {
  const { id, ip, routeOptions } = request;
  world.log.warn('a console request was refused', { request_id: id, route: routeOptions.url ?? null, code, ip });
}

function sendError(reply: FastifyReply, { code, status, message, param, value, retryAfterSeconds }: ConsoleError) {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: { code, message, param, value } }));
}
