import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readAttachment } from '../documents/attachment.ts';
import { isDone } from '../documents/recipient.ts';
import { formPageHeaders } from '../http/security-headers.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import { type PageLanguage, texts } from '../page-texts/texts.ts';
import type { FileStore } from '../platform/files.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { checkCode } from './check-code.ts';
import { declineDocument } from './decline-document.ts';
import { isForFrame } from './embedding.ts';
import type { FilePages } from './file-pages.ts';
import { finishReading } from './finish-reading.ts';
import { readEntered, readReason, sentFields, signBody } from './form-body.ts';
import { consentProblems, problemsOf, unseenProblems } from './form-problems.ts';
import { keepFormFiles } from './keep-form-files.ts';
import { markViewed, type Visitor } from './mark-viewed.ts';
import { languageAction, languageCookie, languageOfForm, pageLanguage } from './page-language.ts';
import { renderFormPage } from './pages/form-page.ts';
import type { FormProblem, FormShown } from './pages/form-summary.ts';
import { rewriteNumbers } from './rewrite-numbers.ts';
import { saveProgress } from './save-progress.ts';
import { type AccountLinkDelivery, sendAccountLink } from './send-account-link.ts';
import { type CodeDelivery, sendCode } from './send-code.ts';
import { signDocument } from './sign-document.ts';
import { refusalOf, SigningError, type SigningErrorCode, signingErrorStatus } from './signing-error.ts';
import { readDecline, readProgress, readSignature, readVerification } from './signing-form.ts';
import { formPath } from './signing-paths.ts';
import { type Access, readSession, type SigningSession } from './signing-session.ts';
import { sessionView } from './signing-view.ts';
import { createFormReader, type FormReaderOptions, type SubmittedForm } from './submitted-form.ts';
import { verificationCookies } from './verification-cookie.ts';

interface FormRoute {
  Params: { token: string };
  Querystring: { done?: string };
}

type FormRequest = FastifyRequest<FormRoute>;

/** What `signing-routes.ts` shares with this file. */
export interface FormRoutesOptions {
  world: World;
  database: Database;
  queue: JobQueue;
  files: FileStore;
  pages: FilePages;
  publicUrl: string | null;
  codes: CodeDelivery;
  accounts: AccountLinkDelivery;
  makeStamp: FormReaderOptions['makeStamp'];
  accessOf: (request: FormRequest) => Access;
  visitorOf: (request: FastifyRequest) => Visitor;
  assertFromOurPage: (request: FastifyRequest, publicUrl: string | null) => void;
  sendPage: (request: FastifyRequest, reply: FastifyReply, html: string) => Promise<FastifyReply>;
}

type Cookies = string | string[] | null;

/** What follows an action: another address, or the page again, in its language or another one. */
type Next =
  | { kind: 'go'; to?: string; cookie?: Cookies }
  | { kind: 'show'; code?: SigningErrorCode; cookie?: Cookies; language?: PageLanguage; shown: FormShown };

/**
 * Serves the page that needs no script: plain HTML forms that obey the rules of the signing page. Each answer to a POST is
 * a redirect, or the page again with what was entered and what is wrong with it.
 */
export function formRoutes(app: FastifyInstance, options: FormRoutesOptions): void {
  const { world, database, queue, codes, accounts, accessOf, visitorOf, makeStamp } = options;
  const readForm = createFormReader({ bodyBytesMax: app.initialConfig.bodyLimit ?? 0, makeStamp });

  const show = async (
    request: FormRequest,
    reply: FastifyReply,
    session: SigningSession,
    language: PageLanguage,
    shown: FormShown,
  ) => {
    const place = { address: `/sign/${encodeURIComponent(request.params.token)}`, isPreview: false, language };
    const view = await sessionView(database, options.pages, session, place);
    reply.headers(formPageHeaders);
    return options.sendPage(request, reply, renderFormPage(view, shown));
  };

  app.get<FormRoute>(formPath, async (request, reply) => {
    const session = await readSession(world, database, accessOf(request));
    if (['voided', 'declined', 'expired'].includes(session.state.kind)) reply.code(409);
    const { done } = request.query;
    return show(request, reply, session, pageLanguage(request, session.document.primary_language), {
      done: done === 'saved' || done === 'code' || done === 'link' ? done : null,
    });
  });

  app.register(async (inner) => {
    // The form may have files, which are streamed to disk.
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser('*', (_request, _body, done) => done(null));
    inner.post<FormRoute>(formPath, async (request, reply) => {
      options.assertFromOurPage(request, options.publicUrl);
      const access = accessOf(request);
      const session = await readSession(world, database, access);
      const mayHaveFiles = !session.isLocked && session.state.kind === 'open';
      return readForm(request, mayHaveFiles, (submitted) => answer(submitted, access, request, reply));
    });
  });

  async function answer({ form, files }: SubmittedForm, access: Access, request: FormRequest, reply: FastifyReply) {
    const next = await withFiles(form, files, access, request).catch(async (error): Promise<Next> => {
      if (!(error instanceof SigningError) || !isExplained(error.code)) throw error;
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
      return { kind: 'show', code: error.code, shown: { refusal: error.code, ...(await kept(form, access, request)) } };
    });
    if (next.cookie) reply.header('set-cookie', next.cookie);
    if (next.kind === 'go') {
      const address = `/sign/${encodeURIComponent(request.params.token)}/form`;
      return reply
        .code(303)
        .header('location', next.to ?? address)
        .send();
    }
    if (next.code !== undefined) reply.code(signingErrorStatus[next.code]);
    const session = await readSession(world, database, next.cookie ? withCookie(access, next.cookie) : access);
    // The page is shown again in the language in which its numbers were typed, also if another tab chose another one.
    const language = next.language ?? languageOfForm(form, request, session.document.primary_language);
    return show(request, reply, session, language, next.shown);
  }

  /** Keeps the files of a form that is signed or saved, before the rest of it is looked at. */
  async function withFiles(
    form: URLSearchParams,
    files: SubmittedForm['files'],
    access: Access,
    request: FormRequest,
  ): Promise<Next> {
    const isFilledIn = ['sign', 'save'].includes(form.get('action') ?? '');
    const problems = isFilledIn ? await keepFormFiles(options, access, form, files) : [];
    const [first] = problems;
    if (first === undefined) return act(form, access, request);
    return { kind: 'show', code: first.code, shown: { ...(await kept(form, access, request)), problems } };
  }

  async function act(form: URLSearchParams, access: Access, request: FormRequest): Promise<Next> {
    const visitor = visitorOf(request);
    const chosen = languageAction(form);
    if (chosen !== null) return changeLanguage(form, access, request, chosen);
    switch (form.get('action')) {
      case 'begin':
        await database.transaction((tx) => markViewed(world, tx, access, visitor));
        return { kind: 'go' };
      case 'sign':
        return sign(form, access, request);
      case 'save':
        return save(form, access, request);
      case 'decline':
        return decline(form, access, request);
      case 'code': {
        const { shownCode } = await sendCode(world, database, codes, access, visitor);
        const carried = await kept(form, access, request);
        if (shownCode === null && carried === null) return done('code', access);
        return { kind: 'show', shown: { ...carried, ...(shownCode === null ? { done: 'code' } : { shownCode }) } };
      }
      case 'verify': {
        const entered = readVerification({ code: form.get('code') });
        const { verification } = await checkCode(world, database, codes.hasher, access, entered, visitor);
        const isFramed = isForFrame(request);
        const cookie =
          verification &&
          verificationCookies(access.cookies, verification.recipientId, verification.token, codes.origin(), isFramed);
        const carried = await kept(form, access, request);
        return carried === null ? { kind: 'go', cookie } : { kind: 'show', cookie, shown: carried };
      }
      case 'account': {
        const { state, cookie } = await sendAccountLink(
          world,
          database,
          accounts,
          access,
          visitor,
          isForFrame(request),
        );
        const isSent = state.kind === 'needs_account' && cookie === null;
        const carried = await kept(form, access, request);
        if (carried !== null)
          return { kind: 'show', cookie, shown: { ...carried, ...(isSent ? { done: 'link' } : {}) } };
        return isSent ? done('link', access) : { kind: 'go', cookie };
      }
      case 'finish': {
        const { cookies } = await database.transaction((tx) => finishReading(world, tx, access));
        return { kind: 'go', to: '/sign/finished', cookie: cookies };
      }
      default:
        throw new SigningError('malformed_request');
    }
  }

  async function sign(form: URLSearchParams, access: Access, request: FormRequest): Promise<Next> {
    const { session, own, entered, numbers } = await read(form, access, request);
    // Somebody who has signed gets the outcome again, whatever the second form holds.
    if (isDone(session.recipient)) return { kind: 'go' };
    if (session.state.kind !== 'open') throw new SigningError(refusalOf(session.state));
    const reason = readReason(form);
    const problems = [...problemsOf(own, entered, numbers), ...consentProblems(session, entered)];
    if (problems.length === 0) problems.push(...unseenProblems(form, own, entered));
    const [first] = problems;
    if (first !== undefined) return { kind: 'show', code: first.code, shown: { entered, reason, problems } };
    const today = world.clock.now().toISOString().slice(0, 10);
    const signature = readSignature(signBody(form, entered, sentFields(own, entered, numbers, today)));
    try {
      await database.transaction((tx) => signDocument(world, tx, queue, access, signature, visitorOf(request)));
      return { kind: 'go' };
    } catch (error) {
      if (!(error instanceof SigningError) || !isExplained(error.code)) throw error;
      return { kind: 'show', code: error.code, shown: { refusal: error.code, entered, reason } };
    }
  }

  async function save(form: URLSearchParams, access: Access, request: FormRequest): Promise<Next> {
    const { own, entered, numbers } = await read(form, access, request);
    const problems = problemsOf(own, entered, numbers).filter(({ code }) => code === 'invalid_field');
    const reason = readReason(form);
    if (problems.length > 0) return { kind: 'show', code: 'invalid_field', shown: { entered, reason, problems } };
    const values = readProgress({ fields: sentFields(own, entered, numbers) });
    await database.transaction(async (tx) => {
      await markViewed(world, tx, access, visitorOf(request));
      await saveProgress(world, tx, access, values);
    });
    return done('saved', access);
  }

  async function decline(form: URLSearchParams, access: Access, request: FormRequest): Promise<Next> {
    const entered = readReason(form);
    const session = await readSession(world, database, access);
    try {
      const reason = readDecline({ reason: entered });
      await database.transaction((tx) => declineDocument(world, tx, queue, access, reason, visitorOf(request)));
      return { kind: 'go' };
    } catch (error) {
      if (!(error instanceof SigningError) || error.code !== 'invalid_reason') throw error;
      if (session.state.kind !== 'open') return { kind: 'go' };
      const problems: FormProblem[] = [{ code: 'invalid_reason', target: 'reason' }];
      return {
        kind: 'show',
        code: 'invalid_reason',
        shown: { ...(await kept(form, access, request)), reason: entered, problems },
      };
    }
  }

  /** Returns what was entered to sign or decline, to show it again, or null. The forms for a code and for signing in carry it along. */
  async function kept(
    form: URLSearchParams,
    access: Access,
    request: FormRequest,
  ): Promise<Pick<FormShown, 'entered' | 'reason'> | null> {
    const reason = readReason(form);
    if (form.has('full_name')) return { entered: (await read(form, access, request)).entered, reason };
    return reason === '' ? null : { reason };
  }

  /** Shows what was entered in another language. See `rewriteNumbers`. */
  async function changeLanguage(
    form: URLSearchParams,
    access: Access,
    request: FormRequest,
    language: PageLanguage,
  ): Promise<Next> {
    const cookie = languageCookie(language, codes.origin(), isForFrame(request));
    const code = form.get('code') ?? '';
    const carried = (await kept(form, access, request)) ?? (code === '' ? null : {});
    if (carried === null) return { kind: 'go', cookie };
    const { own, entered, numbers } = await read(form, access, request);
    const { fields, problems } = rewriteNumbers(own, entered.fields, numbers, texts[language].numbers);
    const shown = { ...carried, ...(carried.entered ? { entered: { ...entered, fields } } : {}), code, problems };
    return { kind: 'show', cookie, language, shown };
  }

  async function read(form: URLSearchParams, access: Access, request: FormRequest) {
    const session = await readSession(world, database, access);
    const attachment = await readAttachment(database, session.document.account_id, session.document.id);
    const all = attachment?.fields ?? [];
    const own = all.filter((field) => field.recipient_id === session.recipient.id);
    const { numbers } = texts[languageOfForm(form, request, session.document.primary_language)];
    return { session, own, entered: readEntered(form, own, all, numbers), numbers };
  }
}

/** The same browser after it has stored the first of these cookies. */
function withCookie(access: Access, cookies: string | string[]): Access {
  const [cookie = ''] = [cookies].flat();
  const [pair] = cookie.split(';');
  return { ...access, cookies: access.cookies === undefined ? pair : `${pair}; ${access.cookies}` };
}

function done(what: 'saved' | 'code' | 'link', { token }: Access): Next {
  return { kind: 'go', to: `/sign/${encodeURIComponent(token)}/form?done=${what}` };
}

/** Whether the page says what happened. The other failures have pages of their own. */
function isExplained(code: SigningErrorCode): boolean {
  return !['link_unknown', 'malformed_request', 'page_unavailable', 'temporarily_unavailable'].includes(code);
}
