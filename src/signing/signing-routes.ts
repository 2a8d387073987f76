import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { completedFileKey } from '../documents/completed-file.ts';
import { isDone } from '../documents/recipient.ts';
import { acceptsEncoding } from '../http/accepts-encoding.ts';
import { originOf } from '../http/custom-host.ts';
import { isForeign } from '../http/is-foreign.ts';
import { readJsonBody } from '../http/json-body.ts';
import { savedAs } from '../http/saved-as.ts';
import { pageHeaders } from '../http/security-headers.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { PdfReader } from '../pdf/pdf-reader.ts';
import type { FileStore } from '../platform/files.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { answerFailure } from './answer-failure.ts';
import { checkCode } from './check-code.ts';
import { commentRoutes } from './comment-routes.ts';
import { countPictures } from './count-files.ts';
import { declineDocument } from './decline-document.ts';
import { delegationRoutes } from './delegation-routes.ts';
import { findEmbedOrigins, isForFrame, restrictFraming } from './embedding.ts';
import type { FilePages } from './file-pages.ts';
import { fileRoutes } from './file-routes.ts';
import { finishReading } from './finish-reading.ts';
import { formRoutes } from './form-routes.ts';
import { allowLargeBodies } from './large-bodies.ts';
import { markViewed, visitorOf } from './mark-viewed.ts';
import { pageLanguage, rememberLanguages } from './page-language.ts';
import { renderFinishedPage } from './pages/signing-page.ts';
import { phoneDrawingRoutes } from './phone-drawing-routes.ts';
import { saveProgress } from './save-progress.ts';
import { findSaver, findUsable, savedMarkRoutes, saveForNextTime } from './saved-marks.ts';
import { type AccountLinkDelivery, sendAccountLink } from './send-account-link.ts';
import { type CodeDelivery, sendCode } from './send-code.ts';
import { signDocument } from './sign-document.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import {
  hasPictures,
  readDecline,
  readIsFramed,
  readProgress,
  readSignature,
  readVerification,
} from './signing-form.ts';
import { findLinkOwner } from './signing-link.ts';
import { pagePath } from './signing-paths.ts';
import { type Access, readSession, type SigningSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';
import { type Place, renderSession } from './signing-view.ts';
import { uploadRoutes } from './upload-routes.ts';
import { verificationCookies } from './verification-cookie.ts';

export interface SigningRoutesOptions {
  world: World;
  database: Database;
  /** For signatures that members saved. */
  secretBox: SecretBox;
  queue: JobQueue;
  files: FileStore;
  pages: FilePages;
  /** Makes the picture of a stamp from an image file. */
  makeStamp: PdfReader['makeStamp'];
  guardIp: (ip: string) => void;
  /** The only origin of our pages, or null to accept any. */
  publicUrl: string | null;
  codes: CodeDelivery;
  accounts: AccountLinkDelivery;
}

interface SigningRoute {
  Params: { token: string };
}

/** The answer to a change: the new state, and what the browser stores or shows. */
interface Answer {
  state: SigningState;
  cookie?: string | string[] | null;
  shownCode?: string | null;
}

/**
 * Serves the signing pages. A GET changes nothing, because mail gateways fetch every link; the page's script posts what a
 * person does. The token in the path is a credential, so nothing here may be cached or sent as a referrer.
 */
export async function signingRoutes(app: FastifyInstance, options: SigningRoutesOptions): Promise<void> {
  const { world, database, queue, files, codes, accounts } = options;
  const accessOf = (request: FastifyRequest<SigningRoute>): Access => {
    return { token: request.params.token, cookies: request.headers.cookie, origin: originOf(request, codes.origin()) };
  };
  app.addHook('onRequest', async (request, reply) => {
    options.guardIp(request.ip);
    reply.headers(pageHeaders);
  });
  rememberLanguages(app, codes.origin);
  restrictFraming(app, pagePath, (token) => findEmbedOrigins(database, token));
  app.setErrorHandler((error, request, reply) => answerFailure(world, request, reply, error as Error));

  const sendSession = async (request: FastifyRequest<SigningRoute>, reply: FastifyReply, session: SigningSession) => {
    const offersSaved =
      session.state.kind === 'open' &&
      !isForFrame(request) &&
      (await findSaver(world, database, accessOf(request), session)) !== null;
    const place = { ...placeOf(request, session), offersSaved };
    return sendPage(request, reply, await renderSession(database, options.pages, session, place));
  };

  app.get<SigningRoute>(pagePath, async (request, reply) => {
    const session = await readSession(world, database, accessOf(request));
    return sendSession(request, reply, session);
  });

  app.get<SigningRoute>('/sign/:token/document.pdf', async (request, reply) => {
    const session = await readSession(world, database, accessOf(request));
    if (session.isLocked) return sendSession(request, reply.code(403), session);
    return sendCompletedPdf(reply, files, session.document, await completedFileKey(database, session.document));
  });

  fileRoutes(app, { world, db: database, files, pages: options.pages, origin: codes.origin });

  formRoutes(app, { ...options, accessOf, visitorOf, assertFromOurPage, sendPage });

  const pageRoutes = {
    ...options,
    origin: codes.origin,
    accessOf,
    visitorOf,
    assertFromOurPage,
    sendPage,
    sendSession,
  };
  delegationRoutes(app, pageRoutes);
  commentRoutes(app, pageRoutes);

  app.register(uploadRoutes, {
    ...options,
    accessOf,
    assertFromOurPage: (request) => assertFromOurPage(request, options.publicUrl),
  });

  phoneDrawingRoutes(app, {
    ...options,
    accessOf,
    origin: codes.origin,
    assertFromOurPage: (request) => assertFromOurPage(request, options.publicUrl),
  });

  savedMarkRoutes(app, {
    ...options,
    accessOf,
    assertFromOurPage: (request) => assertFromOurPage(request, options.publicUrl),
  });

  app.get('/sign/finished', async (request, reply) =>
    reply.type('text/html; charset=utf-8').send(renderFinishedPage(pageLanguage(request, null))),
  );

  const preParsing = allowLargeBodies(async ({ params }: FastifyRequest<SigningRoute>) => {
    return (await findLinkOwner(database, params.token)) !== null;
  });
  const change = (path: string, act: (request: FastifyRequest<SigningRoute>, access: Access) => Promise<Answer>) =>
    app.post<SigningRoute>(`/sign/:token/${path}`, { preParsing }, async (request, reply) => {
      assertFromOurPage(request, options.publicUrl);
      const { state, cookie, shownCode } = await act(request, accessOf(request));
      if (cookie) reply.header('set-cookie', cookie);
      const answer = { state: state.kind, ...(shownCode ? { code: shownCode } : {}) };
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    });

  change('viewed', async (request, access) => ({
    state: await database.transaction((tx) => markViewed(world, tx, access, visitorOf(request))),
  }));
  change('code', (request, access) => sendCode(world, database, codes, access, visitorOf(request)));
  /** Whether the page says that it is in a frame, which some site may do. Its cookie then has to work there. */
  const isFramed = async ({ token }: Access, body: unknown) =>
    readIsFramed(body) && (await findEmbedOrigins(database, token)).length > 0;

  change('verify', async (request, access) => {
    const body = readJsonBody(request);
    const entered = readVerification(body);
    const framed = await isFramed(access, body);
    const { state, verification } = await checkCode(world, database, codes.hasher, access, entered, visitorOf(request));
    if (verification === null) return { state };
    const { recipientId, token } = verification;
    return { state, cookie: verificationCookies(access.cookies, recipientId, token, codes.origin(), framed) };
  });
  change('account', async (request, access) => {
    const framed = await isFramed(access, readJsonBody(request));
    return sendAccountLink(world, database, accounts, access, visitorOf(request), framed);
  });
  change('progress', async (request, access) => {
    const values = readProgress(readJsonBody(request));
    return { state: await database.transaction((tx) => saveProgress(world, tx, access, values)) };
  });
  change('sign', async (request, access) => {
    const body = readJsonBody(request);
    const session = await readSession(world, database, access);
    if (isDone(session.recipient)) return { state: session.state };
    if (session.state.kind !== 'open') throw new SigningError(refusalOf(session.state));
    if (hasPictures(body)) await countPictures(world, database, session.recipient.id);
    const signature = readSignature(body, await findUsable(options, access, session, body));
    const visitor = visitorOf(request);
    const state = await database.transaction((tx) => signDocument(world, tx, queue, access, signature, visitor));
    await saveForNextTime(options, access, body);
    return { state };
  });
  change('decline', async (request, access) => {
    const reason = readDecline(readJsonBody(request));
    const visitor = visitorOf(request);
    return { state: await database.transaction((tx) => declineDocument(world, tx, queue, access, reason, visitor)) };
  });
  change('finish', async (_request, access) => {
    const { state, cookies } = await database.transaction((tx) => finishReading(world, tx, access));
    return { state, cookie: cookies };
  });
}

async function sendCompletedPdf(
  reply: FastifyReply,
  files: FileStore,
  document: SigningSession['document'],
  key: string | null,
) {
  if (document.status !== 'completed' || key === null) throw new SigningError('link_unknown');
  const file = await files.get(key);
  if (file === null) throw new Error(`the PDF of document ${document.id} is missing`);
  return reply
    .type('application/pdf')
    .header('content-length', file.sizeBytes)
    .header('content-disposition', savedAs(document.title, 'pdf'))
    .send(file.stream);
}

function placeOf(request: FastifyRequest<SigningRoute>, { document }: SigningSession): Place {
  const language = pageLanguage(request, document.primary_language);
  return { address: `/sign/${encodeURIComponent(request.params.token)}`, isPreview: false, language };
}

/** Refuses requests from other sites, which could otherwise make a visitor's browser sign. */
function assertFromOurPage(request: FastifyRequest, publicUrl: string | null): void {
  if (isForeign(request, publicUrl)) throw new SigningError('malformed_request');
}

const compress = promisify(gzip);
/** Smaller pages fit into the first round trip, so compressing them gains nothing. */
const smallBytesMax = 8192;

/** Sends a page, compressed if the browser accepts it. The page of a long file is very repetitive. */
async function sendPage(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding');
  if (!acceptsEncoding(request.headers, 'gzip') || html.length <= smallBytesMax) return reply.send(html);
  return reply.header('content-encoding', 'gzip').send(await compress(html));
}
