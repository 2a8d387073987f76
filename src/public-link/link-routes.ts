import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readBrand } from '../branding/brand.ts';
import { originOf } from '../http/custom-host.ts';
import { isForeign } from '../http/is-foreign.ts';
import { formPageHeaders, pageHeaders } from '../http/security-headers.ts';
import { readCookie, writeCookie } from '../identity/cookie.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { answerFailure } from '../signing/answer-failure.ts';
import { isForFrame, restrictFraming } from '../signing/embedding.ts';
import { readForm } from '../signing/form-body.ts';
import { visitorOf } from '../signing/mark-viewed.ts';
import { pageBrand } from '../signing/page-brand.ts';
import { languageAction, languageCookie, pageLanguage, rememberLanguages } from '../signing/page-language.ts';
import { SigningError } from '../signing/signing-error.ts';
import { readVerification } from '../signing/signing-form.ts';
import { publicLinkPath } from '../signing/signing-paths.ts';
import { acceptCode } from './accept-code.ts';
import { LinkError, linkErrorStatus } from './link-error.ts';
import { type OpenedLink, openLink } from './open-link.ts';
import { type LinkPageView, renderLinkPage } from './pages/link-page.ts';
import { findEmbedOriginsOfLink, type PublicLink } from './public-link.ts';
import { type CodeDelivery, readPerson, requestCode } from './request-code.ts';
import { findVisit, retireVisit } from './visit.ts';

export interface LinkRoutesOptions {
  world: World;
  database: Database;
  queue: JobQueue;
  guardIp: (ip: string) => void;
  /** The only origin of our pages, or null to accept any. */
  publicUrl: string | null;
  codes: CodeDelivery;
  /** Returns the origin of our pages. */
  origin: () => string;
}

interface LinkRoute {
  Params: { token: string };
  Querystring: { sent?: string };
}

type LinkRequest = FastifyRequest<LinkRoute>;

/** How long an address says that a code was just sent. */
const sentSecondsMax = 120;

/** What follows a form: an address, with a cookie or none. */
interface Next {
  to: string;
  cookie?: string;
}

/**
 * Serves the pages of public links. They need no script: each answer to a form is a redirect, or the page again with what is
 * wrong. A GET changes nothing, because programs fetch links that are published.
 */
export async function linkRoutes(app: FastifyInstance, options: LinkRoutesOptions): Promise<void> {
  const { world, database } = options;
  app.addHook('onRequest', async (request, reply) => {
    options.guardIp(request.ip);
    reply.headers(pageHeaders);
  });
  rememberLanguages(app, options.origin);
  restrictFraming(app, publicLinkPath, (token) => findEmbedOriginsOfLink(database, token));
  app.setErrorHandler((error, request, reply) => answerFailure(world, request, reply, error as Error));

  app.get<LinkRoute>(publicLinkPath, async (request, reply) => {
    const opened = await find(request);
    if (opened.availability !== 'open') reply.code(linkErrorStatus.not_open);
    const { sent } = request.query;
    // A browser that keeps no cookies, such as one for frames of other sites, would come back to the empty form.
    const isCookieLost = wasJustSent(sent) && tokenOf(request, opened.link) === null;
    return show(request, reply, opened, { isSentAgain: sent === 'again', isCookieLost });
  });

  app.post<LinkRoute>(publicLinkPath, async (request, reply) => {
    if (isForeign(request, options.publicUrl)) throw new SigningError('malformed_request');
    const form = readForm(request.body);
    const opened = await find(request);
    const language = languageAction(form);
    if (language !== null) {
      reply.header('set-cookie', languageCookie(language, options.origin(), isForFrame(request)));
      return show(request, reply, opened, { language, entered: enteredIn(form) });
    }
    try {
      const { to, cookie } = await act(request, opened, form);
      if (cookie !== undefined) reply.header('set-cookie', cookie);
      return reply.code(303).header('location', to).send();
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      // The link may have ended meanwhile.
      const now = await find(request);
      reply.code(linkErrorStatus[now.availability === 'open' ? error.code : 'not_open']);
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
      if (error.code === 'not_open' || now.availability !== 'open') return show(request, reply, now, {});
      return show(request, reply, now, { error: error.code, entered: { ...enteredIn(form), code: '' } });
    }
  });

  const secondsNow = () => Math.floor(world.clock.now().getTime() / 1000);

  /** Whether a code was sent just now. An address that was kept or passed on says nothing about this browser. */
  function wasJustSent(sent: string | undefined): boolean {
    return Math.abs(secondsNow() - Number(sent)) <= sentSecondsMax;
  }

  async function find({ params: { token } }: LinkRequest): Promise<OpenedLink> {
    const opened = await openLink(world, database, token);
    if (opened === null) throw new SigningError('link_unknown');
    return opened;
  }

  async function act(request: LinkRequest, opened: OpenedLink, form: URLSearchParams): Promise<Next> {
    const { link } = opened;
    const token = tokenOf(request, link);
    const to = addressOf(request);
    switch (form.get('action')) {
      case 'request': {
        const person = readPerson(form.get('name') ?? '', form.get('email') ?? '');
        const made = await requestCode(world, database, options.codes, opened, person, request.ip);
        if (token !== null) await retireVisit(database, token);
        return { to: `${to}?sent=${secondsNow()}`, cookie: cookieOf(request, link, made) };
      }
      case 'again': {
        const visit = token === null ? null : await findVisit(database, link, token);
        if (token === null || visit === null || visit.name === null || visit.email === null) return { to };
        const person = { name: visit.name, email: visit.email };
        const made = await requestCode(world, database, options.codes, opened, person, request.ip);
        await retireVisit(database, token);
        return { to: `${to}?sent=again`, cookie: cookieOf(request, link, made) };
      }
      case 'restart':
        if (token !== null) await retireVisit(database, token);
        return { to, cookie: cookieOf(request, link, null) };
      case 'verify': {
        const { digits } = readVerification({ code: form.get('code') ?? '' });
        const { queue, codes, origin } = options;
        const visitor = visitorOf(request);
        const acceptance = {
          world,
          db: database,
          queue,
          hasher: codes.hasher,
          origin: originOf(request, origin()),
          visitor,
        };
        return { to: await acceptCode(acceptance, link, token ?? '', digits) };
      }
      default:
        throw new SigningError('malformed_request');
    }
  }

  function tokenOf(request: LinkRequest, { id }: PublicLink): string | null {
    return readCookie(request.headers.cookie, cookieName(id, isForFrame(request)), options.origin());
  }

  function cookieOf(request: LinkRequest, { id }: PublicLink, token: string | null): string {
    const isFramed = isForFrame(request);
    const age = token === null ? 0 : null;
    return writeCookie(cookieName(id, isFramed), token ?? '', {
      origin: options.origin(),
      sameSite: isFramed ? 'None' : 'Strict',
      maxAgeSeconds: age,
    });
  }

  async function show(
    request: LinkRequest,
    reply: FastifyReply,
    { link, name, accountName, availability }: OpenedLink,
    shown: Partial<Pick<LinkPageView, 'language' | 'entered' | 'error' | 'isSentAgain' | 'isCookieLost'>>,
  ): Promise<FastifyReply> {
    const token = tokenOf(request, link);
    const visit = token === null ? null : await findVisit(database, link, token);
    const isFormAgain = shown.error === 'invalid_name' || shown.error === 'invalid_email';
    const html = renderLinkPage({
      language: pageLanguage(request, link.language),
      documentLanguage: link.language,
      address: addressOf(request),
      accountName,
      brand: pageBrand(await readBrand(database, link.account_id)),
      name,
      availability,
      codeSentTo: isFormAgain ? null : (visit?.email ?? null),
      entered: { name: '', email: '', code: '' },
      error: null,
      isSentAgain: false,
      isCookieLost: false,
      ...shown,
    });
    return reply.headers(formPageHeaders).type('text/html; charset=utf-8').send(html);
  }
}

function enteredIn(form: URLSearchParams): LinkPageView['entered'] {
  return { name: form.get('name') ?? '', email: form.get('email') ?? '', code: form.get('code') ?? '' };
}

function addressOf({ params: { token } }: LinkRequest): string {
  return `/link/${token}`;
}

/** A frame of another site has a cookie of its own, because a browser may send both. */
function cookieName(linkId: string, isFramed: boolean): string {
  return `countersign_${isFramed ? 'framed_link' : 'link'}_${linkId}`;
}
