import type { FastifyInstance, FastifyReply } from 'fastify';
import { readAccountName } from '../accounts/manage-accounts.ts';
import { readBrand } from '../branding/brand.ts';
import { formPageHeaders } from '../http/security-headers.ts';
import { countTry, TooManyTries } from '../identity/guess-limit.ts';
import { withoutDirectionOverrides } from '../platform/direction-overrides.ts';
import { addComment, commentRefusal, isComment, mayComment, ownComments } from './comment.ts';
import type { DelegationRequest, DelegationRoute, DelegationRoutesOptions } from './delegation-routes.ts';
import { isForFrame } from './embedding.ts';
import { readForm } from './form-body.ts';
import { pageBrand } from './page-brand.ts';
import { languageAction, languageCookie, pageLanguage } from './page-language.ts';
import { type CommentView, renderCommentPage } from './pages/comment-page.ts';
import { SigningError, signingErrorStatus } from './signing-error.ts';
import { commentPath } from './signing-paths.ts';
import { asksForProof, readSession, type SigningSession } from './signing-session.ts';

/** What the page shows in addition to the document's title and what was written before. */
type Shown = Partial<Pick<CommentView, 'entered' | 'problem' | 'isSent' | 'language'>>;

/** Serves the page on which a recipient writes to the sender. It needs no script. */
export function commentRoutes(app: FastifyInstance, options: DelegationRoutesOptions): void {
  const { world, database, queue, accessOf, visitorOf } = options;

  app.get<DelegationRoute & { Querystring: { sent?: unknown } }>(commentPath, async (request, reply) => {
    const session = await readSession(world, database, accessOf(request));
    if (!(await mayComment(database, session))) return refuse(request, reply, session);
    return show(request, reply, session, { isSent: request.query.sent !== undefined });
  });

  app.post<DelegationRoute>(commentPath, async (request, reply) => {
    options.assertFromOurPage(request, options.publicUrl);
    const form = readForm(request.body);
    const entered = (form.get('comment') ?? '').replaceAll('\r\n', '\n').trim();
    const session = await readSession(world, database, accessOf(request));
    const language = languageAction(form);
    const chosen = language === null ? {} : { language };
    if (language !== null) {
      reply.header('set-cookie', languageCookie(language, options.origin(), isForFrame(request)));
    }
    if (!(await mayComment(database, session))) return refuseEntered(request, reply, session, { entered, ...chosen });
    if (language !== null) return show(request, reply, session, { entered, language });
    if (!isComment(entered)) {
      reply.code(signingErrorStatus.invalid_comment);
      return show(request, reply, session, { entered, problem: 'invalid_comment' });
    }
    try {
      const visitor = visitorOf(request);
      await countTry(world, database, 'comment_from_ip', request.ip);
      await countTry(world, database, 'comment_of_recipient', session.recipient.id);
      await database.transaction((tx) => addComment(world, tx, queue, accessOf(request), entered, visitor));
    } catch (error) {
      if (error instanceof TooManyTries) {
        reply.code(429).header('retry-after', String(error.retryAfterSeconds));
        return show(request, reply, session, { entered, problem: 'too_often' });
      }
      if (!(error instanceof SigningError) || error.code === 'link_unknown') throw error;
      if (error.code === 'too_many_comments') {
        reply.code(signingErrorStatus.too_many_comments);
        return show(request, reply, session, { entered, problem: 'too_many_comments' });
      }
      return refuseEntered(request, reply, await readSession(world, database, accessOf(request)), { entered });
    }
    return reply.redirect(`${addressOf(request)}/comment?sent`, 303);
  });

  /** Answers with the signing page, which says what the recipient can do. */
  const refuse = (request: DelegationRequest, reply: FastifyReply, session: SigningSession) =>
    options.sendSession(request, reply.code(signingErrorStatus[commentRefusal(session)]), session);

  /** When a code or a sign-in is needed again, the page keeps what was entered meanwhile. */
  function refuseEntered(request: DelegationRequest, reply: FastifyReply, session: SigningSession, shown: Shown) {
    if (!asksForProof(session)) return refuse(request, reply, session);
    reply.code(signingErrorStatus.verification_required);
    return show(request, reply, session, { ...shown, problem: 'verification_required' });
  }

  async function show(request: DelegationRequest, reply: FastifyReply, session: SigningSession, shown: Shown) {
    const { document } = session;
    const [accountName, brand, own] = await Promise.all([
      readAccountName(database, document.account_id),
      readBrand(database, document.account_id),
      session.isLocked ? [] : ownComments(database, session),
    ]);
    const html = renderCommentPage({
      language: pageLanguage(request, document.primary_language),
      documentLanguage: document.primary_language,
      address: addressOf(request),
      isFramed: isForFrame(request),
      accountName,
      brand: pageBrand(brand),
      testMode: document.sent_mode === 'test',
      title: withoutDirectionOverrides(document.title),
      own: own.flatMap(({ at, text }) => (text === null ? [] : [{ at: new Date(at), text }])),
      entered: '',
      problem: null,
      isSent: false,
      ...shown,
    });
    reply.headers(formPageHeaders);
    return options.sendPage(request, reply, html);
  }
}

function addressOf({ params }: DelegationRequest): string {
  return `/sign/${encodeURIComponent(params.token)}`;
}
