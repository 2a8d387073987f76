import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readAccountName } from '../accounts/manage-accounts.ts';
import { readBrand } from '../branding/brand.ts';
import { type PersonBody, readPerson } from '../documents/create-document-body.ts';
import { isStorable } from '../documents/field.ts';
import { needsEmail, needsPhone, recipientKind } from '../documents/recipient.ts';
import { ApiError } from '../errors.ts';
import { formPageHeaders } from '../http/security-headers.ts';
import { countTry, TooManyTries } from '../identity/guess-limit.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { PageLanguage } from '../page-texts/texts.ts';
import { readInternationalNumber } from '../platform/dialable.ts';
import { withoutDirectionOverrides } from '../platform/direction-overrides.ts';
import { isPlainLine } from '../platform/plain-line.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { delegate, mayDelegate } from './delegate.ts';
import { isForFrame } from './embedding.ts';
import { readForm } from './form-body.ts';
import type { Visitor } from './mark-viewed.ts';
import { pageBrand } from './page-brand.ts';
import { languageAction, languageCookie, pageLanguage } from './page-language.ts';
import { type DelegationProblem, type EnteredPerson, renderDelegationPage } from './pages/delegation-page.ts';
import { renderPassedOnPage } from './pages/signing-page.ts';
import { refusalOf, SigningError, type SigningErrorCode, signingErrorStatus } from './signing-error.ts';
import { delegationPath } from './signing-paths.ts';
import { type Access, asksForProof, readSession, type SigningSession } from './signing-session.ts';
import { nameLengthMax, reasonLengthMax } from './text-lengths.ts';

export interface DelegationRoute {
  Params: { token: string };
}

export type DelegationRequest = FastifyRequest<DelegationRoute>;

/** What `signing-routes.ts` shares with this file and `comment-routes.ts`. */
export interface DelegationRoutesOptions {
  world: World;
  database: Database;
  queue: JobQueue;
  publicUrl: string | null;
  /** Returns the origin of our pages. */
  origin: () => string;
  accessOf: (request: DelegationRequest) => Access;
  visitorOf: (request: FastifyRequest) => Visitor;
  assertFromOurPage: (request: FastifyRequest, publicUrl: string | null) => void;
  sendPage: (request: FastifyRequest, reply: FastifyReply, html: string) => Promise<FastifyReply>;
  sendSession: (request: DelegationRequest, reply: FastifyReply, session: SigningSession) => Promise<FastifyReply>;
}

const nothing: EnteredPerson = { name: '', email: '', phone: '', reason: '' };

/** Serves the page on which a recipient names the person who should act instead. It needs no script. */
export function delegationRoutes(app: FastifyInstance, options: DelegationRoutesOptions): void {
  const { world, database, queue, accessOf, visitorOf } = options;

  app.get<DelegationRoute>(delegationPath, async (request, reply) => {
    const session = await readSession(world, database, accessOf(request));
    if (!(await mayDelegate(database, session))) return refuse(request, reply, session);
    return show(request, reply, session, nothing, []);
  });

  app.post<DelegationRoute>(delegationPath, async (request, reply) => {
    options.assertFromOurPage(request, options.publicUrl);
    const form = readForm(request.body);
    const entered = readEntered(form);
    const session = await readSession(world, database, accessOf(request));
    const language = languageAction(form);
    if (language !== null) {
      reply.header('set-cookie', languageCookie(language, options.origin(), isForFrame(request)));
    }
    if (!(await mayDelegate(database, session))) {
      return refuseEntered(request, reply, session, entered, language ?? undefined);
    }
    if (language !== null) return show(request, reply, session, entered, [], language);
    const asks = asksOf(session);
    const { person, problems } = readEnteredPerson(entered, asks);
    if (person === null) return show(request, reply, session, entered, problems);
    try {
      const visitor = visitorOf(request);
      await countDelegation(person, request.ip);
      await database.transaction((tx) =>
        delegate(world, tx, queue, accessOf(request), person, entered.reason, visitor),
      );
    } catch (error) {
      if (error instanceof TooManyTries) {
        reply.header('retry-after', String(error.retryAfterSeconds));
        return show(request, reply, session, entered, ['too_many_links']);
      }
      if (!(error instanceof SigningError) || error.code === 'link_unknown') throw error;
      if (error.code === 'same_person') return show(request, reply, session, entered, ['same_person']);
      return refuseEntered(request, reply, await readSession(world, database, accessOf(request)), entered);
    }
    return reply.redirect('/sign/passed-on', 303);
  });

  app.get('/sign/passed-on', async (request, reply) =>
    reply.type('text/html; charset=utf-8').send(renderPassedOnPage(pageLanguage(request, null))),
  );

  /** Answers with the signing page, which says what the recipient can do. */
  const refuse = (request: DelegationRequest, reply: FastifyReply, session: SigningSession) => {
    const code = session.state.kind === 'open' ? 'delegation_off' : refusalOf(session.state);
    return options.sendSession(request, reply.code(signingErrorStatus[code]), session);
  };

  /** When a code or a sign-in is needed again, the page keeps what was entered meanwhile. */
  const refuseEntered = (
    request: DelegationRequest,
    reply: FastifyReply,
    session: SigningSession,
    entered: EnteredPerson,
    language?: PageLanguage,
  ) =>
    asksForProof(session)
      ? show(request, reply, session, entered, ['verification_required'], language)
      : refuse(request, reply, session);

  /** Nobody may have us write to many people, or often to one. */
  async function countDelegation({ email, phone }: PersonBody, ip: string): Promise<void> {
    await countTry(world, database, 'delegation_from_ip', ip);
    if (email) await countTry(world, database, 'delegation_to_email', email);
    if (phone) await countTry(world, database, 'delegation_to_phone', phone);
  }

  async function show(
    request: DelegationRequest,
    reply: FastifyReply,
    session: SigningSession,
    entered: EnteredPerson,
    problems: readonly DelegationProblem[],
    language: PageLanguage = pageLanguage(request, session.document.primary_language),
  ) {
    const { document, recipient } = session;
    const [accountName, brand] = await Promise.all([
      readAccountName(database, document.account_id),
      readBrand(database, document.account_id),
    ]);
    const html = renderDelegationPage({
      language,
      documentLanguage: document.primary_language,
      address: addressOf(request),
      isFramed: isForFrame(request),
      accountName,
      brand: pageBrand(brand),
      testMode: document.sent_mode === 'test',
      title: withoutDirectionOverrides(document.title),
      isApprover: recipientKind(recipient) === 'approver',
      asks: asksOf(session),
      entered,
      problems,
    });
    if (problems.length > 0) reply.code(signingErrorStatus[problems[0] as SigningErrorCode]);
    reply.headers(formPageHeaders);
    return options.sendPage(request, reply, html);
  }
}

function addressOf({ params }: DelegationRequest): string {
  return `/sign/${encodeURIComponent(params.token)}`;
}

/** What the channel and the level of the recipient need of the new person. */
function asksOf({ recipient }: SigningSession): { email: boolean; phone: boolean } {
  return { email: needsEmail(recipient), phone: needsPhone(recipient) };
}

function readEntered(form: URLSearchParams): EnteredPerson {
  const read = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  return { name: read('name'), email: read('email'), phone: read('phone'), reason: read('reason') };
}

/** Checks what was entered. Returns the person, or all problems. */
function readEnteredPerson(
  { name, email, phone, reason }: EnteredPerson,
  asks: { email: boolean; phone: boolean },
): { person: PersonBody | null; problems: DelegationProblem[] } {
  const number = readInternationalNumber(phone) ?? '';
  const person = { name, ...(asks.email && { email }), ...(asks.phone && { phone: number }) };
  const problems = (['name', ...(asks.email ? ['email'] : []), ...(asks.phone ? ['phone'] : [])] as const).filter(
    (key) =>
      (key === 'name' && !isPlainLine(name, nameLengthMax)) ||
      !isAccepted({ name: 'Anyone', [key]: person[key as keyof typeof person] }),
  );
  const found = problems.map((key) => `invalid_${key}` as DelegationProblem);
  if ([...reason].length > reasonLengthMax || !isStorable(reason)) found.push('invalid_reason');
  return { person: found.length === 0 ? readPerson(person) : null, problems: found };
}

function isAccepted(person: object): boolean {
  try {
    readPerson(person);
    return Object.values(person).every((value) => value !== '');
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
