import type { IncomingMessage } from 'node:http';
import type { Static, TObject } from 'typebox';
import type { MemberRole, Membership } from '../../accounts/members.ts';
import type { PlanTable } from '../../accounts/plans.ts';
import type { StreamDeps } from '../../audit-stream/stream-deps.ts';
import type { DomainDeps } from '../../custom-domain/domain-deps.ts';
import type { LiveUpdates } from '../../documents/live-updates.ts';
import type { EsignDeps } from '../../esign/esign-deps.ts';
import type { CursorCodec } from '../../http/cursor.ts';
import type { Query } from '../../http/page-request.ts';
import type { Person } from '../../identity/people.ts';
import type { Origin, Session } from '../../identity/sessions.ts';
import type { ImportDeps } from '../../imports/import-deps.ts';
import type { RunningQueue } from '../../jobs/job-queue.ts';
import type { ServiceFacts } from '../../operators/service-facts.ts';
import type { PdfReader } from '../../pdf/pdf-reader.ts';
import type { FileStore } from '../../platform/files.ts';
import type { Language } from '../../platform/language.ts';
import type { MailSender } from '../../platform/mail.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { World } from '../../platform/world.ts';
import type { Database } from '../../postgres/database.ts';
import type { HostResolver } from '../../public-fetch/public-fetch.ts';
import type { DrawCertificate } from '../../signing/complete-certificate.ts';
import type { FilePages } from '../../signing/file-pages.ts';
import type { SsoDeps } from '../../sso/sso-deps.ts';
import type { Renderer } from '../../unlock/text/create-renderer.ts';

/** Dependencies of all console endpoints. */
export interface ConsoleDeps {
  world: World;
  db: Database;
  mail: MailSender;
  secretBox: SecretBox;
  cursors: CursorCodec;
  plans: PlanTable;
  esign: EsignDeps;
  sso: SsoDeps;
  domains: DomainDeps;
  auditStream: StreamDeps;
  imports: ImportDeps;
  queue: RunningQueue;
  files: FileStore;
  /** Pages of attached files as pictures, shared with the signing pages. */
  pages: FilePages;
  /** Checks new files. */
  pdfReader: PdfReader;
  /** Creates PDFs of unlocked documents. */
  renderer: Renderer;
  drawCertificate: DrawCertificate;
  live: LiveUpdates;
  /** Address rules for webhook endpoints. */
  webhookUrls: { allowPrivate: boolean; resolver: HostResolver };
  /** What operators see of the settings. */
  service: ServiceFacts;
  /** How many days API requests are kept. */
  requestLogDays: number;
  /** REMINDER_DAYS: the days before each reminder of documents without a schedule of their own. */
  reminderDays: readonly number[];
  /** PUBLIC_URL. Null: every host is served, and the origin of our pages is the host of the request. */
  publicUrl: string | null;
  /** Origin of links in messages. */
  origin: () => string;
  /** Whether this client may use the link that the first start prints. */
  mayUseDemoLink: (request: IncomingMessage) => boolean;
  /** Runs work after the answer. The service waits for it when it stops. */
  afterwards: (work: Promise<unknown>) => void;
}

/** Who sent a request: the session, its person, and the company in use, if any. */
export interface Caller {
  session: Session;
  person: Person;
  membership: Membership | null;
  memberships: Membership[];
  /** Their companies that this session doesn't open: they open with single sign-on only. */
  closed: Membership[];
}

/** A request whose origin, session and body have been checked. */
export interface ConsoleCall<Body = unknown> {
  body: Body;
  params: Record<string, string>;
  /** Whether it may change something: false for GET. A viewer of a folder may only read its documents. */
  isChange: boolean;
  query: Query;
  from: Origin;
  mayUseDemoLink: boolean;
  cookies: string | undefined;
  language: Language;
  /** Origin of the page that sent the request. Passkeys need it. */
  pageOrigin: string;
  caller: Caller | null;
  /** The request, if its body is a file. */
  upload: IncomingMessage | null;
  /** The headers `Range` and `If-Range`, with which a download is continued. */
  range: string | undefined;
  ifRange: string | undefined;
  setCookie: (cookie: string) => void;
  /** Makes the browser clear the storage and cache of our pages. Cookies are cleared separately. */
  clearSiteData: () => void;
}

export type SignedInCall<Body = unknown> = ConsoleCall<Body> & { caller: Caller };
export type MemberCall<Body = unknown> = ConsoleCall<Body> & { caller: Caller & { membership: Membership } };

/**
 * Who may use an endpoint: anyone, any signed-in person (also a recipient who confirmed an address), members with at least this
 * role, or those who run the service.
 */
export type Access = 'anyone' | 'signed_in' | MemberRole | 'operator';

/** One endpoint of the console API. The tests of roles read the table of endpoints. */
export interface ConsoleEndpoint<Route extends string = string, Answer = unknown> {
  /** Method and path, as declared: `GET /documents/:id`. */
  route: Route;
  method: 'GET' | 'POST' | 'DELETE';
  /** Path below `/console/api`. `:id` is the object. */
  path: string;
  access: Access;
  /**
   * Whether the person must have signed in, or used `POST /confirm/…`, within 15 minutes. True for changes to sign-in
   * methods and for giving access to others. False for removing access, such as revoking a key.
   */
  needsFreshSignIn: boolean;
  /**
   * Whether a session of a company's single sign-on is refused. True for all that belongs to the person and not to a company: the
   * company's provider must not get at it.
   */
  needsOwnSignIn: boolean;
  /**
   * Whether a page may call it that shows another company than the session works in. False by default for what members do.
   */
  isForAnyCompany: boolean;
  body: TObject | null;
  /** Whether the body is a file, read as a stream. */
  takesFile: boolean;
  /** Whether the answer has no known length, or may be many gigabytes. Such an endpoint has no HEAD, which would read all of it. */
  isEndless: boolean;
  handle(deps: ConsoleDeps, call: ConsoleCall): Promise<Answer>;
}

type Declared<Schema extends TObject | undefined> = {
  body?: Schema;
  needsFreshSignIn?: boolean;
  needsOwnSignIn?: boolean;
  isForAnyCompany?: boolean;
  takesFile?: boolean;
  isEndless?: boolean;
};
type BodyOf<Schema extends TObject | undefined> = Schema extends TObject ? Static<Schema> : undefined;
type Handler<Call, Answer> = (deps: ConsoleDeps, call: Call) => Promise<Answer>;

/** Declares an endpoint that anyone may use. `route` is method and path: `POST /sign-in`. */
export function forAnyone<Route extends string, Answer, Schema extends TObject | undefined = undefined>(
  route: Route,
  declared: Declared<Schema>,
  handle: Handler<ConsoleCall<BodyOf<Schema>>, Answer>,
): ConsoleEndpoint<Route, Answer> {
  return declare(route, 'anyone', declared, handle as Handler<ConsoleCall, Answer>);
}

/** Declares an endpoint for everyone who is signed in. */
export function forSignedIn<Route extends string, Answer, Schema extends TObject | undefined = undefined>(
  route: Route,
  declared: Declared<Schema>,
  handle: Handler<SignedInCall<BodyOf<Schema>>, Answer>,
): ConsoleEndpoint<Route, Answer> {
  return declare(route, 'signed_in', declared, handle as Handler<ConsoleCall, Answer>);
}

/** Declares an endpoint for members with `role` or a higher one. */
export function forMembers<Route extends string, Answer, Schema extends TObject | undefined = undefined>(
  route: Route,
  role: MemberRole,
  declared: Declared<Schema>,
  handle: Handler<MemberCall<BodyOf<Schema>>, Answer>,
): ConsoleEndpoint<Route, Answer> {
  return declare(route, role, declared, handle as Handler<ConsoleCall, Answer>);
}

/** Declares an endpoint for operators of the service, whichever company they belong to. */
export function forOperators<Route extends string, Answer, Schema extends TObject | undefined = undefined>(
  route: Route,
  declared: Omit<Declared<Schema>, 'needsOwnSignIn'>,
  handle: Handler<MemberCall<BodyOf<Schema>>, Answer>,
): ConsoleEndpoint<Route, Answer> {
  return declare(route, 'operator', { ...declared, needsOwnSignIn: true }, handle as Handler<ConsoleCall, Answer>);
}

function declare<Route extends string, Answer>(
  route: Route,
  access: Access,
  {
    body,
    needsFreshSignIn = false,
    needsOwnSignIn = false,
    isForAnyCompany = ['anyone', 'signed_in', 'operator'].includes(access),
    takesFile = false,
    isEndless = false,
  }: Declared<TObject | undefined>,
  handle: Handler<ConsoleCall, Answer>,
): ConsoleEndpoint<Route, Answer> {
  const [method, path] = route.split(' ') as [ConsoleEndpoint['method'], string];
  return {
    route,
    method,
    path,
    access,
    needsFreshSignIn,
    needsOwnSignIn,
    isForAnyCompany,
    body: body ?? null,
    takesFile,
    isEndless,
    handle,
  };
}
