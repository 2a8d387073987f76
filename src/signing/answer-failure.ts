import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, failureRetrySeconds } from '../errors.ts';
import { discardBody } from '../http/discard-body.ts';
import { pageHeaders } from '../http/security-headers.ts';
import type { PageLanguage } from '../page-texts/texts.ts';
import type { World } from '../platform/world.ts';
import { pageLanguage } from './page-language.ts';
import {
  renderErrorPage,
  renderReassignedLinkPage,
  renderRefusedFormPage,
  renderTooManyRequestsPage,
  renderUnknownLinkPage,
} from './pages/signing-page.ts';
import { SigningError, signingErrorStatus } from './signing-error.ts';
import { commentPath, delegationPath, drawingPath, formPath, pagePath, publicLinkPath } from './signing-paths.ts';

const formPaths: readonly string[] = [formPath, delegationPath, commentPath, publicLinkPath];

type Failure = Error & { statusCode?: number };

/** Answers a failure as JSON for the page's script, or as a page when the browser requested one. */
export async function answerFailure(world: World, request: FastifyRequest, reply: FastifyReply, error: Failure) {
  const failure = error instanceof SigningError ? error : toSigningError(error);
  if (failure === null) return answerRefusal(request, reply, error);
  const status = signingErrorStatus[failure.code];
  if (status === 500) {
    world.log.error('signing failed', { request_id: request.id, route: request.routeOptions.url, cause: error });
  }
  reply.code(status);
  const retrySeconds = failure.retryAfterSeconds ?? (status >= 500 ? failureRetrySeconds : undefined);
  if (retrySeconds !== undefined) reply.header('retry-after', String(retrySeconds));
  const isForm = formPaths.includes(request.routeOptions.url ?? '');
  const isPost = request.method === 'POST';
  if (isPost && !isForm) {
    const body = { error: { code: failure.code, message: failure.message, param: failure.param } };
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
  }
  return reply
    .type('text/html; charset=utf-8')
    .send(
      isForm && failure.code === 'malformed_request'
        ? renderRefusedFormPage(languageOf(request), 'unreadable')
        : pageOf(request, failure, isPost),
    );
}

/**
 * Answers a request that was refused before it was looked at, such as a throttled one. Only the addresses that people see
 * answer with a page. The server's own handler answers the others.
 */
function answerRefusal(request: FastifyRequest, reply: FastifyReply, error: Failure) {
  const { url = '' } = request.routeOptions;
  const status = error instanceof ApiError ? error.status : error.statusCode;
  const render =
    url === pagePath || url === drawingPath || formPaths.includes(url) ? refusalPages[status ?? 0] : undefined;
  if (render === undefined) throw error;
  if (error instanceof ApiError) request.errorCode = error.code;
  const retrySeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (retrySeconds !== undefined) reply.header('retry-after', String(retrySeconds));
  if (status === 413) discardBody(request, reply);
  reply.headers(pageHeaders);
  return reply
    .code(status ?? 500)
    .type('text/html; charset=utf-8')
    .send(render(languageOf(request), request.method === 'POST'));
}

const refusalPages: Record<number, (language: PageLanguage, answersForm: boolean) => string> = {
  413: (language) => renderRefusedFormPage(language, 'too_large'),
  429: renderTooManyRequestsPage,
};

/** Null for requests that were refused before they were looked at. */
function toSigningError(error: Failure): SigningError | null {
  if (error instanceof ApiError && error.code === 'invalid_json') return new SigningError('malformed_request');
  if (error instanceof ApiError || (error.statusCode !== undefined && error.statusCode < 500)) return null;
  return new SigningError('temporarily_unavailable', { cause: error });
}

function languageOf(request: FastifyRequest) {
  return pageLanguage(request, null);
}

/** Only the page of a reassigned link belongs to a document. */
function pageOf(request: FastifyRequest, { code, reassigned }: SigningError, answersForm: boolean): string {
  if (reassigned !== undefined) {
    return renderReassignedLinkPage(
      pageLanguage(request, reassigned.language),
      reassigned.accountName,
      reassigned.brand,
    );
  }
  const language = languageOf(request);
  return code === 'link_unknown' ? renderUnknownLinkPage(language) : renderErrorPage(language, answersForm);
}
