import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { browserScript } from '../http/browser-script.ts';
import { pageHeaders } from '../http/page.ts';
import { prepareAnswer, sendPrepared } from '../http/prepared-answer.ts';
import { passkeyHost } from '../identity/passkey-ceremony.ts';
import { readSessionCookie } from '../identity/session-cookie.ts';
import { findSession } from '../identity/sessions.ts';
import { peekSignInLink } from '../identity/sign-in-link.ts';
import { readCaller } from './authorise.ts';
import { languageOf, pageOrigin } from './console-api.ts';
import { connectionPages } from './connection-pages.ts';
import type { ConsoleMeans } from './console-endpoint.ts';
import { renderErrorPage, renderLinkPage, renderSentPage, renderSpentLinkPage } from './pages/link-pages.ts';
import { scriptUrl, stylesheetUrl } from './pages/shell.ts';
import { renderSecondFactorPage, renderSignInPage } from './pages/sign-in-page.ts';
import { renderSignedInPage } from './pages/signed-in-page.ts';

export interface ConsolePagesOptions {
  means: ConsoleMeans;
  guardIp: (ip: string) => void;
  /** Whether there is a local mailbox. It shows itself to this machine only, and so does the link to it. */
  showsMailbox: boolean;
}

const loopback = /^(127\.|::1$|::ffff:127\.)/;

interface Asked {
  Querystring: { to?: string; again?: string };
  Params: { token: string };
}

/** The pages of signing in. They show and change nothing: their script posts what a person does. */
export async function consolePages(app: FastifyInstance, options: ConsolePagesOptions): Promise<void> {
  const { means, guardIp } = options;
  const { world, db } = means;
  const stylesheet = prepareAnswer(
    'text/css; charset=utf-8',
    `${read('../docs/theme.css')}\n${read('pages/sign-in.css')}`,
  );
  const script = prepareAnswer(
    'text/javascript; charset=utf-8',
    browserScript(read('pages/browser/sign-in.ts')).replace(/[ \t]+$/gm, ''),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...pageHeaders, vary: 'accept-language, cookie' });
    guardIp(request.ip);
  });
  app.setErrorHandler((error, request, reply) => answerFailure(means, request, reply, error as Error));

  app.get<Asked>('/', async (request, reply) => {
    const language = languageOf(request);
    const caller = await readCaller(world, db, request.headers.cookie, means.origin());
    const next = nextOf(request.query.to);
    if (caller !== null && next === '/') {
      const { person, membership } = caller;
      const company = membership && { name: membership.account_name, role: membership.role };
      return reply.send(renderSignedInPage(language, { email: person.email, company }));
    }
    const hasPasskeys = passkeyHost(pageOrigin(means, request)) !== null;
    const view = { language, next, hasPasskeys, showsMailbox: options.showsMailbox && loopback.test(request.ip) };
    const isHalfIn = request.query.again === undefined && (await isHalfSignedIn(means, request));
    return reply.send(isHalfIn ? renderSecondFactorPage(view) : renderSignInPage(view));
  });
  app.get<Asked>('/sign-in/:token', async (request, reply) => {
    const language = languageOf(request);
    const { token } = request.params;
    const link = await peekSignInLink(world, db, token);
    if (link === null) return reply.code(410).send(renderSpentLinkPage(language));
    return reply.send(renderLinkPage(language, { email: link.email, token, next: nextOf(request.query.to) }));
  });
  await app.register(connectionPages, { means });
  app.get('/sign-in/sent', async (request, reply) => reply.send(renderSentPage(languageOf(request))));
  app.get(stylesheetUrl, async (request, reply) => sendPrepared(request, reply, stylesheet));
  app.get(scriptUrl, async (request, reply) => sendPrepared(request, reply, script));
}

/** Nowhere but to a document: an address in a link leads to no other site. */
const documentPath = /^\/sign\/[A-Za-z0-9_-]{43}$/;

function nextOf(to: unknown): string {
  return typeof to === 'string' && documentPath.test(to) ? to : '/';
}

async function isHalfSignedIn({ world, db, origin }: ConsoleMeans, request: FastifyRequest): Promise<boolean> {
  const token = readSessionCookie(request.headers.cookie, 'second_factor', origin());
  return token !== null && (await findSession(world, db, token, 'second_factor')) !== null;
}

function answerFailure({ world }: ConsoleMeans, request: FastifyRequest, reply: FastifyReply, error: Error) {
  const { statusCode } = error as { statusCode?: number };
  if (error instanceof ApiError || (statusCode !== undefined && statusCode < 500)) throw error;
  world.log.error('a page could not be shown', {
    request_id: request.id,
    route: request.routeOptions.url,
    cause: error,
  });
  return reply.code(500).send(renderErrorPage(languageOf(request)));
}

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}
