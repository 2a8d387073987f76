import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSealedFiles } from '../documents/sealed-files.ts';
import { ApiError } from '../errors.ts';
import { prepareAnswer, sendPrepared } from '../http/prepared-answer.ts';
import { contentTypeOf } from '../http/receive-form.ts';
import { allowUpload } from '../http/request-time.ts';
import { contentSecurityPolicy, pageHeaders } from '../http/security-headers.ts';
import { readStylesheets, themeCss, tokensCss } from '../http/stylesheet.ts';
import { createUploadSlots, NoSlotError } from '../http/upload-slots.ts';
import { PdfWorkerError } from '../pdf/process/pdf-worker-error.ts';
import { readCertificatesUsed } from '../pdf/signatures/certificates-used.ts';
import { type Language, preferredLanguage } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { sealedBytesMax } from '../sealing/sealed-bytes.ts';
import { createVerifier } from './create-verifier.ts';
import { type Upload, withUpload } from './receive-upload.ts';
import { type Report, reportOf } from './report.ts';
import { reportJson } from './report-json.ts';
import { textsOf } from './texts.ts';
import { renderNoticePage, renderReportPage, renderUploadPage } from './verify-page.ts';

export interface VerifyRoutesOptions {
  world: World;
  guardIp: (ip: string) => void;
  /** Directory with the certificates of this service's seals. */
  certificatesDir: string;
  db: Queryable;
  /** Certificates (DER) of the authorities whose time-stamps are trusted. */
  anchors: readonly Uint8Array[];
}

/** The form is submitted without a script. */
const headers = {
  ...pageHeaders,
  'content-security-policy': contentSecurityPolicy.replace("form-action 'none'", "form-action 'self'"),
  vary: 'accept-language, accept',
};
const retryAfterSeconds = 5;
/** How many files are examined at once, in all and for one address. */
const uploadBounds = { all: 8, perClient: 3 };

type Outcome = { kind: 'report'; report: Report; name: string } | { kind: 'no_file' };

/** Adds GET /verify, the form, and POST /verify, the report on a file. Both answer scripts with JSON. */
export async function verifyRoutes(app: FastifyInstance, options: VerifyRoutesOptions): Promise<void> {
  const { world, guardIp, certificatesDir, db, anchors } = options;
  const verifier = createVerifier({
    certificates: () => readCertificatesUsed(certificatesDir),
    sealedFiles: createSealedFiles(db),
    anchors,
    clock: world.clock,
    log: world.log,
  });
  const withSlot = createUploadSlots(uploadBounds);
  const stylesheet = prepareAnswer(
    'text/css; charset=utf-8',
    readStylesheets(tokensCss, themeCss, join(import.meta.dirname, 'verify.css')),
  );
  app.addHook('onClose', () => verifier.close());
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    guardIp(request.ip);
  });
  app.setErrorHandler((error, request, reply) => answerFailure(world, request, reply, error as Error));
  // The body is streamed to disk. It is not kept in memory, and the API's limit does not apply.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));

  app.get('/verify', async (request, reply) => reply.send(renderUploadPage(languageOf(request))));
  app.get('/verify.css', async (request, reply) => sendPrepared(request, reply, stylesheet));
  app.post('/verify', async (request, reply) => {
    const outcome = await withSlot(request.ip, () => {
      allowUpload(request.raw);
      return withUpload(request.raw, contentTypeOf(request.raw), sealedBytesMax, (upload) =>
        examine(verifier.examine, upload),
      );
    });
    return answer(request, reply, outcome);
  });
}

async function examine(examineFile: (file: string) => Promise<Report>, upload: Upload): Promise<Outcome> {
  switch (upload.kind) {
    case 'file':
      return { kind: 'report', report: await examineFile(upload.path), name: upload.name };
    case 'too_large':
      return { kind: 'report', report: reportOf('file_too_large'), name: '' };
    case 'no_file':
    case 'broken':
      return { kind: 'no_file' };
  }
}

function answer(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): FastifyReply {
  const language = languageOf(request);
  if (outcome.kind === 'no_file') {
    reply.code(400);
    return wantsJson(request)
      ? sendJson(reply, { error: { code: 'no_file', message: textsOf(language).noFile } })
      : reply.send(renderUploadPage(language, textsOf(language).noFile));
  }
  const { report, name } = outcome;
  reply.code(report.findings.some(({ id }) => id === 'file_too_large') ? 413 : 200);
  return wantsJson(request)
    ? sendJson(reply, reportJson(report, textsOf(language)))
    : reply.send(renderReportPage(language, report, name));
}

function answerFailure(world: World, request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  const text = textsOf(languageOf(request));
  const { status, code, title } = failureOf(error, text);
  if (status === 500) {
    world.log.error('verifying failed', { request_id: request.id, route: request.routeOptions.url, cause: error });
  }
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (status !== 500) reply.header('retry-after', String(seconds ?? retryAfterSeconds));
  reply.code(status);
  const message = status === 500 ? text.failed : text.busy;
  return wantsJson(request)
    ? sendJson(reply, { error: { code, message } })
    : reply.send(renderNoticePage(languageOf(request), title, message));
}

function failureOf(error: Error, text: ReturnType<typeof textsOf>) {
  if (error instanceof ApiError && error.code === 'ip_throttled')
    return { status: error.status, code: error.code, title: text.throttledTitle };
  const isBusy = error instanceof NoSlotError || (error instanceof PdfWorkerError && error.failure === 'busy');
  if (isBusy) return { status: 503, code: 'busy', title: text.busyTitle };
  return { status: 500, code: 'internal_error', title: text.failedTitle };
}

function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(value));
}

function wantsJson(request: FastifyRequest): boolean {
  return /^application\/json\b/i.test(request.headers.accept ?? '');
}

function languageOf(request: FastifyRequest): Language {
  return preferredLanguage(request.headers['accept-language']);
}
