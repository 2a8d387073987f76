import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JobQueue } from '../documents/messages.ts';
import { ApiError } from '../errors.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { pageHeaders } from '../http/page.ts';
import type { Database } from '../postgres/database.ts';
import type { FileStore } from '../world/files.ts';
import type { World } from '../world/world.ts';
import { declineDocument } from './decline-document.ts';
import { markViewed, type Visitor } from './mark-viewed.ts';
import { renderErrorPage, renderSigningPage, renderUnknownLinkPage } from './pages/signing-page.ts';
import { signDocument } from './sign-document.ts';
import { SigningError, signingErrorStatus } from './signing-error.ts';
import { readDecline, readSignature } from './signing-form.ts';
import { readSession, type SigningSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';
import { signingView } from './signing-view.ts';

export interface SigningRoutesOptions {
  world: World;
  database: Database;
  queue: JobQueue;
  files: FileStore;
  guardIp: (ip: string) => void;
}

interface SigningRoute {
  Params: { token: string };
}

/**
 * A recipient's side. GET shows and changes nothing, because mail gateways fetch every link; the page's script posts
 * what a person does. The token in the path is the credential, so nothing here may be cached or sent on as a referrer.
 */
export async function signingRoutes(app: FastifyInstance, options: SigningRoutesOptions): Promise<void> {
  const { world, database, queue, files } = options;
  app.addHook('onRequest', async (request, reply) => {
    options.guardIp(request.ip);
    reply.headers(pageHeaders);
  });
  app.setErrorHandler((error, request, reply) => answerFailure(world, request, reply, error as Error));

  app.get<SigningRoute>('/sign/:token', async (request, reply) => {
    const session = await readSession(world, database, request.params.token);
    const view = await signingView(database, session, request.params.token);
    return reply.type('text/html; charset=utf-8').send(renderSigningPage(view));
  });

  app.get<SigningRoute>('/sign/:token/document.pdf', async (request, reply) => {
    const { document } = await readSession(world, database, request.params.token);
    return sendSealedPdf(reply, files, document);
  });

  const change = (path: string, act: (request: FastifyRequest<SigningRoute>) => Promise<SigningState>) =>
    app.post<SigningRoute>(`/sign/:token/${path}`, async (request, reply) => {
      assertFromOurPage(request);
      const state = await act(request);
      return reply.type('application/json; charset=utf-8').send(JSON.stringify({ state: state.kind }));
    });

  change('viewed', (request) =>
    database.transaction((tx) => markViewed(world, tx, request.params.token, visitorOf(request))),
  );
  change('sign', (request) => {
    const signature = readSignature(parseJsonBody(request.body as Buffer | undefined));
    return database.transaction((tx) =>
      signDocument(world, tx, queue, request.params.token, signature, visitorOf(request)),
    );
  });
  change('decline', (request) => {
    const reason = readDecline(parseJsonBody(request.body as Buffer | undefined));
    return database.transaction((tx) => declineDocument(world, tx, request.params.token, reason, visitorOf(request)));
  });
}

async function sendSealedPdf(reply: FastifyReply, files: FileStore, document: SigningSession['document']) {
  if (document.status !== 'completed' || document.sealed_file === null) throw new SigningError('link_unknown');
  const file = await files.get(document.sealed_file);
  if (file === null) throw new Error(`the sealed file of document ${document.id} is missing`);
  return reply
    .type('application/pdf')
    .header('content-length', file.sizeBytes)
    .header('content-disposition', `attachment; filename="document-${document.id}.pdf"`)
    .send(file.stream);
}

const userAgentLengthMax = 300;

function visitorOf(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null };
}

/** Another site cannot make a visitor's browser sign: browsers say where a request comes from. */
function assertFromOurPage(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new SigningError('malformed_request');
}

async function answerFailure(world: World, request: FastifyRequest, reply: FastifyReply, error: Error) {
  const failure = error instanceof SigningError ? error : toSigningError(error);
  if (failure === null) throw error;
  const status = signingErrorStatus[failure.code];
  if (status >= 500) {
    world.log.error('signing failed', { request_id: request.id, route: request.routeOptions.url, cause: error });
  }
  reply.code(status);
  if (request.method === 'POST') {
    const body = { error: { code: failure.code, message: failure.message } };
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
  }
  const language = request.headers['accept-language']?.toLowerCase().startsWith('es') ? 'es' : 'en';
  const page = failure.code === 'link_unknown' ? renderUnknownLinkPage(language) : renderErrorPage(language);
  return reply.type('text/html; charset=utf-8').send(page);
}

/** Null for what the server's own handler answers better: throttling and malformed requests. */
function toSigningError(error: Error & { statusCode?: number }): SigningError | null {
  if (error instanceof ApiError && error.code === 'invalid_json') return new SigningError('malformed_request');
  if (error instanceof ApiError || (error.statusCode !== undefined && error.statusCode < 500)) return null;
  return new SigningError('temporarily_unavailable', { cause: error });
}
