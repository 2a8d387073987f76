import { type IncomingMessage, maxHeaderSize } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode } from '../errors.ts';
import { type OpenLogContext, openLogContext } from '../platform/log-context.ts';
import type { World } from '../platform/world.ts';
import { rememberMethods } from './allowed-methods.ts';
import { answerOnSocket } from './answer-on-socket.ts';
import { type CustomHosts, pathOf, placeOf } from './custom-host.ts';
import { discardBody } from './discard-body.ts';
import { errorEnvelope } from './envelope.ts';
import { isLocalClient } from './local-client.ts';
import { newRequestId } from './request-id.ts';
import { boundArrival } from './request-time.ts';
import { baseHeadersAt, customHostHeaders, pageHeaders } from './security-headers.ts';

export interface ServerOptions {
  /** Origin of all requests. Another Host is redirected to it (308). Null: every Host is served. */
  publicUrl: string | null;
  /** The hosts of companies, which are not redirected. */
  customHosts?: CustomHosts;
  /** Target of `error.doc_url`. A function, because the system may choose the port. */
  docsUrl: () => string;
  trustProxy: string[];
  bodyBytesMax: number;
  /** Page that browsers get for an unknown address. Programs get the error envelope. */
  unknownAddressPage: (acceptLanguage: string | undefined) => string;
}

const headersTimeoutMs = 10_000;
const keepAliveTimeoutMs = 72_000;
/** A file needs at least 2 KiB/s, which a weak mobile connection reaches, and may take an hour. */
const arrival = { requestMs: 30_000, uploadMs: 3_600_000, spanMs: 30_000, spanBytesMin: 65_536 };
/** Time for a client to read why its request was cut off. */
const lingerMs = 2000;

/**
 * Creates a Fastify server that answers every failure with the error envelope. That includes oversized and malformed
 * requests, unknown routes and slow clients. It contains no features: the API, pages and health checks are plugins.
 */
export function createServer(world: World, options: ServerOptions): FastifyInstance {
  const headers = baseHeadersAt(options.publicUrl);
  const sending: Sending = { docsUrl: options.docsUrl, allow };
  const onSocket = () => ({ docsUrl: options.docsUrl(), headers });
  const app = Fastify({
    logger: false,
    genReqId: () => newRequestId(world),
    requestIdHeader: false,
    trustProxy: options.trustProxy.length > 0 ? options.trustProxy : false,
    bodyLimit: options.bodyBytesMax,
    requestTimeout: arrival.uploadMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // A request without a host is refused below with the envelope. Node's own answer has no body.
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1000, requireHostHeader: false },
    exposeHeadRoutes: true,
    // Late requests on a kept-alive connection are answered normally, and health checks can report why they fail.
    return503OnClosing: false,
    // The maximum length of a URL, so that a very long id is answered as not found.
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: (request) => escapeBrokenEncoding(request.url ?? '/'),
    clientErrorHandler: ({ code }, socket) => answerOnSocket(world, onSocket(), socket, code),
    // No hook has run at this point.
    frameworkErrors: (error, request, reply) =>
      void sendError(request, reply.headers(headers), fromFramework(error), sending),
  });

  const methodsOf = rememberMethods(app);
  function allow(request: FastifyRequest, reply: FastifyReply): void {
    const methods = methodsOf(request.method, request.url.split('?')[0] ?? '');
    if (methods !== null) reply.header('allow', methods);
  }

  // Expectations other than 100-continue may be ignored (RFC 9110, 10.1.1). Node's 417 has no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  boundArrival(app.server, arrival, (socket) => {
    answerOnSocket(world, onSocket(), socket, 'ERR_HTTP_REQUEST_TIMEOUT');
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
  keepLogContext(app);
  readBodiesAsBytes(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (!namesOneHost(request.raw)) throw new ApiError('malformed_request');
    if (isAskedByAddress(request)) return;
    const place = await placeOf(request, options.publicUrl, options.customHosts ?? noCustomHosts);
    if (place.kind === 'elsewhere') return reply.code(308).header('location', place.to).send();
    if (place.kind === 'ours') return;
    request.customHost = place.host;
    reply.headers(customHostHeaders(options.publicUrl));
    if (request.routeOptions.config?.isForRecipients) return;
    // People get where the page is. Programs must not find the API here, whose keys belong on our own host.
    if (!asksForPage(request)) throw new ApiError('route_not_found');
    return reply
      .code(307)
      .header('location', options.publicUrl + pathOf(request))
      .send();
  });
  app.addHook('onResponse', async (request, reply) => {
    if (request.logContext) request.logContext.run(() => logRequest(world, request, reply));
    else logRequest(world, request, reply);
    request.logContext?.end();
  });
  app.setErrorHandler((error, request, reply) => {
    const answer = error instanceof ApiError ? error : fromFramework(error as FastifyError);
    if (answer.status >= 500) logFailure(world, request, answer, error as Error);
    return sendError(request, reply, answer, sending);
  });
  app.setNotFoundHandler((request, reply) => {
    if (!asksForPage(request)) return sendError(request, reply, new ApiError('route_not_found'), sending);
    allow(request, reply);
    return reply
      .code(404)
      .headers({ ...pageHeaders, vary: 'accept, accept-language' })
      .send(options.unknownAddressPage(request.headers['accept-language']));
  });
  return app;
}

/** Adds the request id to every log line of a request, and the account once it is known. */
function keepLogContext(app: FastifyInstance): void {
  app.decorateRequest('logContext');
  app.decorateRequest('customHost');
  app.addHook('onRequest', (request, _reply, done) => {
    request.logContext = openLogContext({ request_id: request.id });
    request.logContext.run(done);
  });
  // Events of the connection deliver the body and have lost the request's context.
  app.addHook('preValidation', ({ logContext }, _reply, done) => (logContext ? logContext.run(done) : done()));
}

/**
 * Reads every body as bytes; endpoints parse it. JSON is accepted whatever its `Content-Type`. Fastify would answer 415
 * to an invalid type (`nonsense`, `;`), so the header is replaced.
 */
function readBodiesAsBytes(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (headers['content-type'] !== undefined) headers['content-type'] = 'application/octet-stream';
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/**
 * Escapes a lone `%`, which the router would refuse before the API key is checked. Escaped, it is an id that doesn't
 * exist.
 */
function escapeBrokenEncoding(url: string): string {
  if (!url.includes('%')) return url;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + (end === -1 ? '' : url.slice(end));
  }
}

/**
 * Requires exactly one host. HTTP/1.0 may have none. A proxy might read two in another way than this server (RFC 9112,
 * 3.2).
 */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}

const noCustomHosts: CustomHosts = { find: async () => null, isProven: async () => false };

/** Allows requests by address: health probes, and Prometheus and a proxy on this machine. */
function isAskedByAddress({ url, raw }: FastifyRequest): boolean {
  return url.startsWith('/health/') || (/^\/(metrics|tls\/ask\?.*)$/.test(url) && isLocalClient(raw));
}

/**
 * Returns whether a browser asks for a page, for example with a mistyped address. Below `/api` there are only programs.
 */
function asksForPage({ method, headers, url }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    /\btext\/html\b/i.test(headers.accept ?? '') &&
    !/^\/api([/?]|$)/.test(url)
  );
}

interface Sending {
  docsUrl: () => string;
  /** Sets the `Allow` header if the address has methods. */
  allow: (request: FastifyRequest, reply: FastifyReply) => void;
}

async function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError, { docsUrl, allow }: Sending) {
  request.errorCode = error.code;
  if (error.code === 'route_not_found' && request.customHost === undefined) allow(request, reply);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
  if (error.type === 'authentication_error') reply.header('www-authenticate', challengeOf(error.code));
  if (error.code === 'request_too_large') discardBody(request, reply);
  return reply
    .code(error.status)
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorEnvelope(error, request.id, docsUrl())));
}

/** Every 401 names its scheme (RFC 9110, 15.5.2). Only a key that was sent can be invalid (RFC 6750, 3.1). */
function challengeOf(code: ErrorCode): string {
  const challenge = 'Bearer realm="Countersign"';
  return code === 'invalid_api_key' ? `${challenge}, error="invalid_token"` : challenge;
}

const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'route_not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'route_not_found',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'route_not_found', // the method QUERY, which no route uses
};

function fromFramework(error: FastifyError): ApiError {
  const code = frameworkCodes[error.code];
  if (code !== undefined) return new ApiError(code, { cause: error });
  const refused = error.statusCode !== undefined && error.statusCode < 500;
  return new ApiError(refused ? 'malformed_request' : 'internal_error', { cause: error });
}

/** Logs the route's pattern and never the URL, because a signing link is a secret. */
function logRequest(world: World, request: FastifyRequest, reply: FastifyReply): void {
  world.log.debug('request', {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    code: request.errorCode ?? null,
    ms: Math.round(reply.elapsedTime * 10) / 10,
  });
}

function logFailure(world: World, request: FastifyRequest, answer: ApiError, error: Error): void {
  world.log.error('request failed', {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    code: answer.code,
    cause: rootCause(error),
  });
}

function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Error code of the answer, for the log and the metrics. */
    errorCode?: ErrorCode;
    logContext?: OpenLogContext;
  }
}
