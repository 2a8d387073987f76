import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { readBuiltFile } from '../../http/built-pages.ts';
import { isLocalClient } from '../../http/local-client.ts';
import { prepareAnswer, sendPrepared } from '../../http/prepared-answer.ts';
import { framingPagePolicy, pageHeaders } from '../../http/security-headers.ts';
import { readStylesheets, themeCss, tokensCss } from '../../http/stylesheet.ts';
import { passkeyHost } from '../../identity/passkey-ceremony.ts';
import { readSessionCookie } from '../../identity/session-cookie.ts';
import { findSession } from '../../identity/sessions.ts';
import { peekSignInLink } from '../../identity/sign-in-link.ts';
import type { Language } from '../../platform/language.ts';
import { connectionPages } from '../settings/connection-pages.ts';
import { renderConsolePage } from '../sign-in/pages/console-page.ts';
import { renderErrorPage, renderLinkPage, renderSentPage, renderSpentLinkPage } from '../sign-in/pages/link-pages.ts';
import { scriptUrl, stylesheetUrl } from '../sign-in/pages/shell.ts';
import { renderSecondFactorPage, renderSignInPage } from '../sign-in/pages/sign-in-page.ts';
import { renderSignedInPage } from '../sign-in/pages/signed-in-page.ts';
import { renderSsoNeededPage } from '../sign-in/pages/sso-pages.ts';
import { ssoPages } from '../sign-in/sso-page-routes.ts';
import { readCaller } from './authorise.ts';
import { type BuiltConsole, builtFileRoutes, fontFaceCss, readBuiltConsole } from './built-console.ts';
import { listClosedCompanies } from './closed-companies.ts';
import { pageOrigin } from './console-api.ts';
import type { Caller, ConsoleDeps } from './console-endpoint.ts';
import { nextOf } from './next-path.ts';
import { languageOf, themeOf } from './preferences.ts';

export interface ConsolePagesOptions {
  deps: ConsoleDeps;
  guardIp: (ip: string) => void;
  /** Whether there is a page of the local mailbox. Only programs on this machine see the page and the link to it. */
  showsMailbox: boolean;
}

interface Asked {
  Querystring: { to?: string; again?: string };
  Params: { token: string };
}

/** Paths of the console's own pages, in addition to `/`. The script in the browser decides what each one shows. */
const consolePaths = ['/documents', '/templates', '/imports', '/settings', '/developers', '/account', '/operator'];

const signInCss = readStylesheets(tokensCss, themeCss, join(import.meta.dirname, '../sign-in/pages/sign-in.css'));

/** Serves the sign-in pages and the console. GET requests change nothing: the pages' scripts send POST requests. */
export async function consolePages(app: FastifyInstance, options: ConsolePagesOptions): Promise<void> {
  const { deps, guardIp } = options;
  const { world, db } = deps;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...pageHeaders, vary: 'accept-language, cookie' });
    guardIp(request.ip);
  });
  app.setErrorHandler((error, request, reply) => answerFailure(deps, request, reply, error as Error));

  const built = readBuiltConsole();
  const stylesheet = prepareAnswer('text/css; charset=utf-8', signInCss + fontFaceCss(built));
  const script = prepareAnswer('text/javascript; charset=utf-8', readBuiltFile('pages/sign-in.js').toString());
  builtFileRoutes(app, built);
  for (const path of consolePaths) {
    for (const below of [path, `${path}/*`])
      app.get(below, (request, reply) => showConsole(deps, built, request, reply));
  }

  app.get<Asked>('/', async (request, reply) => {
    const language = languageOf(request);
    const next = nextOf(request.query.to);
    if (next === '/') {
      const caller = await readCaller(world, db, request.headers.cookie, deps.origin());
      if (caller !== null) return showConsole(deps, built, request, reply);
    }
    const hasPasskeys = passkeyHost(pageOrigin(deps, request)) !== null;
    const showsMailbox = options.showsMailbox && isLocalClient(request.raw);
    const view = { language, next, hasPasskeys, showsMailbox };
    const isHalfIn = request.query.again === undefined && (await isHalfSignedIn(deps, request));
    return reply.send(isHalfIn ? renderSecondFactorPage(view) : renderSignInPage(view));
  });
  app.get<Asked>('/sign-in/:token', async (request, reply) => {
    const language = languageOf(request);
    const { token } = request.params;
    const next = nextOf(request.query.to);
    const link = await peekSignInLink(world, db, token, deps.mayUseDemoLink(request.raw));
    if (link === null) return reply.code(410).send(renderSpentLinkPage(language, next));
    return reply.send(renderLinkPage(language, { email: link.email, token, next }));
  });
  await app.register(connectionPages, { deps });
  await app.register(ssoPages, { deps });
  app.get<Asked>('/sign-in/sent', async (request, reply) =>
    reply.send(renderSentPage(languageOf(request), nextOf(request.query.to))),
  );
  app.get(stylesheetUrl, async (request, reply) => sendPrepared(request, reply, stylesheet));
  app.get(scriptUrl, async (request, reply) => sendPrepared(request, reply, script));
}

/** Shows the console, or a notice to people who belong to no company: they came to sign a document. */
async function showConsole(deps: ConsoleDeps, built: BuiltConsole, request: FastifyRequest, reply: FastifyReply) {
  const caller = await readCaller(deps.world, deps.db, request.headers.cookie, deps.origin());
  const language = languageOf(request);
  if (caller === null) return reply.redirect(`/?to=${encodeURIComponent(request.url)}`);
  if (caller.membership === null)
    return reply.send(await pageWithoutCompany(deps, caller, language, nextOf(request.url)));
  reply.header('content-security-policy', framingPagePolicy);
  return reply.send(renderConsolePage(language, themeOf(request), built));
}

async function pageWithoutCompany({ db }: ConsoleDeps, caller: Caller, language: Language, next: string) {
  const { email } = caller.person;
  const companies = await listClosedCompanies(db, caller);
  if (companies.length === 0) return renderSignedInPage(language, email);
  return renderSsoNeededPage(language, email, companies, next);
}

async function isHalfSignedIn({ world, db, origin }: ConsoleDeps, request: FastifyRequest): Promise<boolean> {
  const token = readSessionCookie(request.headers.cookie, 'second_factor', origin());
  return token !== null && (await findSession(world, db, token, 'second_factor')) !== null;
}

function answerFailure({ world }: ConsoleDeps, request: FastifyRequest, reply: FastifyReply, error: Error) {
  const { statusCode } = error as { statusCode?: number };
  if (error instanceof ApiError || (statusCode !== undefined && statusCode < 500)) throw error;
  world.log.error('a page could not be shown', {
    request_id: request.id,
    route: request.routeOptions.url,
    cause: error,
  });
  return reply.code(500).send(renderErrorPage(languageOf(request)));
}
