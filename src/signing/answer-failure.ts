import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, failureRetrySeconds } from '../errors.ts';
import { preferredLanguage } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import { renderErrorPage, renderReassignedLinkPage, renderUnknownLinkPage } from './pages/signing-page.ts';
import { SigningError, signingErrorStatus } from './signing-error.ts';

/** Answers a failure as JSON for the page's script, or as a page when the browser requested one. */
export async function answerFailure(world: World, request: FastifyRequest, reply: FastifyReply, error: Error) {
  const failure = error instanceof SigningError ? error : toSigningError(error);
  if (failure === null) throw error;
  const status = signingErrorStatus[failure.code];
  if (status === 500) {
    world.log.error('signing failed', { request_id: request.id, route: request.routeOptions.url, cause: error });
  }
  reply.code(status);
  const retrySeconds = failure.retryAfterSeconds ?? (status >= 500 ? failureRetrySeconds : undefined);
  if (retrySeconds !== undefined) reply.header('retry-after', String(retrySeconds));
  if (request.method === 'POST') {
    const body = { error: { code: failure.code, message: failure.message } };
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
  }
  return reply.type('text/html; charset=utf-8').send(pageOf(request, failure));
}

/** Null for throttling and malformed requests, which the server's own handler answers better. */
function toSigningError(error: Error & { statusCode?: number }): SigningError | null {
  if (error instanceof ApiError && error.code === 'invalid_json') return new SigningError('malformed_request');
  if (error instanceof ApiError || (error.statusCode !== undefined && error.statusCode < 500)) return null;
  return new SigningError('temporarily_unavailable', { cause: error });
}

/** The other pages belong to no document, so the browser's language counts. */
function pageOf(request: FastifyRequest, { code, reassigned }: SigningError): string {
  if (reassigned !== undefined) return renderReassignedLinkPage(reassigned.language, reassigned.accountName);
  const language = preferredLanguage(request.headers['accept-language']);
  return code === 'link_unknown' ? renderUnknownLinkPage(language) : renderErrorPage(language);
}
