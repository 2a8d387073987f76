import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { ApiError } from '../errors.ts';
import { findFault } from '../http/find-fault.ts';
import { isForeign } from '../http/is-foreign.ts';
import { readJsonBody } from '../http/json-body.ts';
import type { Query } from '../http/page-request.ts';
import { TooManyTries } from '../identity/guess-limit.ts';
import type { Origin } from '../identity/sessions.ts';
import { sqlState } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import { assertMay, readCaller } from './authorise.ts';
import type { ConsoleCall, ConsoleEndpoint, ConsoleMeans } from './console-endpoint.ts';
import { consoleEndpoints } from './console-endpoints.ts';
import { ConsoleError, type ConsoleErrorCode, isConsoleCode } from './console-error.ts';
import { languageOf } from './preferences.ts';
import { RawAnswer } from './raw-answer.ts';

export interface ConsoleApiOptions {
  means: ConsoleMeans;
  guardIp: (ip: string) => void;
}

/** What the console's pages call, as JSON: never from another site, and by cookie alone, so API keys open nothing here. */
export async function consoleApi(app: FastifyInstance, { means, guardIp }: ConsoleApiOptions): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'cookie');
    guardIp(request.ip);
  });
  app.setErrorHandler((error, request, reply) => answerFailure(means.world, request, reply, error as Error));
  app.setNotFoundHandler((_request, reply) => sendError(reply, new ConsoleError('not_found')));
  addRoutes(app, means, (endpoint) => !endpoint.takesFile);
  await app.register(async (inner) => {
    // The body is streamed to disk as it comes: it is neither held in memory nor bounded like the others.
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser('*', (_request, _body, done) => done(null));
    addRoutes(inner, means, (endpoint) => endpoint.takesFile);
  });
}

function addRoutes(app: FastifyInstance, means: ConsoleMeans, isWanted: (endpoint: ConsoleEndpoint) => boolean): void {
  for (const endpoint of consoleEndpoints.filter(isWanted)) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      exposeHeadRoute: endpoint.method === 'GET' && !endpoint.isEndless,
      handler: async (request, reply) => {
        const answer = await answerCall(means, endpoint, request, reply);
        if (answer instanceof RawAnswer) return reply.headers(answer.headers).send(answer.body);
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer ?? {}));
      },
    });
  }
}

/** Origin, then session, role and freshness, then the body. */
async function answerCall(
  means: ConsoleMeans,
  endpoint: ConsoleEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { world, db } = means;
  if (endpoint.method !== 'GET') assertOwnPage(request, means.publicUrl);
  const caller = await readCaller(world, db, request.headers.cookie, means.origin());
  assertMay(world, endpoint, caller);
  const call: ConsoleCall = {
    body: readBody(endpoint.body, request),
    params: request.params as Record<string, string>,
    query: request.query as Query,
    from: visitorOf(request),
    mayUseDemoLink: means.mayUseDemoLink(request.raw),
    cookies: request.headers.cookie,
    language: languageOf(request),
    pageOrigin: pageOrigin(means, request),
    caller,
    upload: endpoint.takesFile ? request.raw : null,
    setCookie: (cookie) => void reply.header('set-cookie', cookie),
    clearSiteData: () => void reply.header('clear-site-data', '"cache", "storage"'),
  };
  return endpoint.handle(means, call);
}

/** Every browser names the origin of what it posts, so a request that names none is not one of our pages'. */
function assertOwnPage(request: FastifyRequest, publicUrl: string | null): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isUnnamed = origin === undefined && site === undefined;
  if (isUnnamed || isForeign(request, publicUrl)) throw new ConsoleError('foreign_origin');
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
    // Comparing items goes down into each: one that nests too deep for that is no good input.
    if (error instanceof RangeError) return '';
    throw error;
  }
}

const userAgentLengthMax = 300;

function visitorOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null };
}

/** Without a public address a page is where it was asked for, under whatever name. A proxy's headers may hold anything. */
export function pageOrigin({ publicUrl }: Pick<ConsoleMeans, 'publicUrl'>, request: FastifyRequest): string {
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
  if (isUnstorable(error)) return sendError(reply, new ConsoleError('invalid_input'));
  // By its own code where the console has that, too.
  if (error instanceof ApiError && isConsoleCode(error.code)) return sendError(reply, new ConsoleError(error.code));
  if (error instanceof ApiError && error.status === 400) {
    const param = error.param;
    return sendError(reply, new ConsoleError('invalid_input', param === undefined ? {} : { param }));
  }
  // Throttling, and what never became a request of ours: the server's own answer says it.
  const { statusCode } = error as { statusCode?: number };
  if (error instanceof ApiError || (statusCode !== undefined && statusCode < 500)) throw error;
  world.log.error('a console request failed', {
    request_id: request.id,
    route: request.routeOptions.url,
    cause: error,
  });
  return sendError(reply, new ConsoleError('temporarily_unavailable'));
}

/** Text with U+0000, which JSON can hold and PostgreSQL can't. */
function isUnstorable(error: Error): boolean {
  return ['22021', '22P05'].includes(sqlState(error) ?? '');
}

/** Refusals that someone who tries to get around a control would meet. Failed sign-ins are in the company audit, too. */
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

function sendError(reply: FastifyReply, { code, status, message, param, retryAfterSeconds }: ConsoleError) {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: { code, message, ...(param === undefined ? {} : { param }) } }));
}
