import type { IncomingMessage } from 'node:http';
import type { Static, TObject } from 'typebox';
import type { MemberRole, Membership } from '../accounts/members.ts';
import type { PlanTable } from '../accounts/plans.ts';
import type { JobQueue } from '../documents/messages.ts';
import type { EsignMeans } from '../esign/esign-means.ts';
import type { CursorCodec } from '../http/cursor.ts';
import type { Query } from '../http/page-request.ts';
import type { NewBrowserQueue } from '../identity/notify-new-browser.ts';
import type { Person } from '../identity/people.ts';
import type { Origin, Session } from '../identity/sessions.ts';
import type { ImportMeans } from '../imports/import-means.ts';
import type { Database } from '../postgres/database.ts';
import type { FilePages } from '../signing/file-pages.ts';
import type { Renderer } from '../unlock/create-renderer.ts';
import type { FileStore } from '../world/files.ts';
import type { Language } from '../world/language.ts';
import type { MailSender } from '../world/mail.ts';
import type { PdfReader } from '../world/pdf/pdf-reader.ts';
import type { HostResolver } from '../world/public-fetch.ts';
import type { SecretBox } from '../world/secret-box.ts';
import type { World } from '../world/world.ts';
import type { LiveUpdates } from './live-updates.ts';

/** What every action of the console works with. */
export interface ConsoleMeans {
  world: World;
  db: Database;
  mail: MailSender;
  secretBox: SecretBox;
  cursors: CursorCodec;
  plans: PlanTable;
  esign: EsignMeans;
  imports: ImportMeans;
  queue: JobQueue & NewBrowserQueue;
  files: FileStore;
  /** The pages of attached files, shared with those who sign. */
  pages: FilePages;
  /** What looks at a new file. */
  pdfReader: PdfReader;
  /** What makes PDFs of unlocked documents. */
  renderer: Renderer;
  live: LiveUpdates;
  /** How an address is vetted that webhooks are to go to. */
  webhookUrls: { allowPrivate: boolean; resolver: HostResolver };
  /** PUBLIC_URL. Null: every host is served, and our pages are where the request went. */
  publicUrl: string | null;
  /** What links in messages begin with. */
  origin: () => string;
  /** Whether the link that the first start prints works for who asks. */
  mayUseDemoLink: (request: IncomingMessage) => boolean;
  /** For what need not, or must not, be waited for before answering. It is awaited when the service stops. */
  afterwards: (work: Promise<unknown>) => void;
}

/** Who asks: a session, its person, and the company it works in, if there is one. */
export interface Caller {
  session: Session;
  person: Person;
  membership: Membership | null;
  memberships: Membership[];
}

/** One request, after its origin, its session and its body were checked. */
export interface ConsoleCall<Body = unknown> {
  body: Body;
  params: Record<string, string>;
  query: Query;
  from: Origin;
  mayUseDemoLink: boolean;
  cookies: string | undefined;
  language: Language;
  /** Of the page that asks, for passkeys. */
  pageOrigin: string;
  caller: Caller | null;
  /** The request, where its body is a file. */
  upload: IncomingMessage | null;
  setCookie: (cookie: string) => void;
  /** Has the browser forget what the pages stored and cached. Cookies are ended one by one. */
  clearSiteData: () => void;
}

export type SignedInCall<Body = unknown> = ConsoleCall<Body> & { caller: Caller };
export type MemberCall<Body = unknown> = ConsoleCall<Body> & { caller: Caller & { membership: Membership } };

/**
 * Who may: anybody at all, whoever is signed in (a recipient who proved an address, too), or a member of a company who
 * is at least this much there.
 */
export type Access = 'anyone' | 'signed_in' | MemberRole;

/** One action of the console. The table of them is what the pipeline, and the test of roles and actions, are read from. */
export interface ConsoleEndpoint {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/console/api`, with `:id` for what it is about. */
  path: string;
  access: Access;
  /**
   * Sensitive: the person must have proved who they are within 15 minutes, by signing in or by `POST /confirm/…`. This
   * covers what signs someone in, and what gives others access. What takes access away (revoking a key) stays at hand.
   */
  needsFreshSignIn: boolean;
  body: TObject | null;
  /** Brings a file as its body, which is read from the request as it comes. */
  takesFile: boolean;
  /** Answers with a stream that has no end, so it has no HEAD. */
  isEndless: boolean;
  handle(means: ConsoleMeans, call: ConsoleCall): Promise<unknown>;
}

type Declared<Schema extends TObject | undefined> = {
  body?: Schema;
  needsFreshSignIn?: boolean;
  takesFile?: boolean;
  isEndless?: boolean;
};
type BodyOf<Schema extends TObject | undefined> = Schema extends TObject ? Static<Schema> : undefined;
type Handler<Call> = (means: ConsoleMeans, call: Call) => Promise<unknown>;

/** `POST /sign-in` for anyone. */
export function forAnyone<Schema extends TObject | undefined = undefined>(
  route: string,
  declared: Declared<Schema>,
  handle: Handler<ConsoleCall<BodyOf<Schema>>>,
): ConsoleEndpoint {
  return declare(route, 'anyone', declared, handle as Handler<ConsoleCall>);
}

export function forSignedIn<Schema extends TObject | undefined = undefined>(
  route: string,
  declared: Declared<Schema>,
  handle: Handler<SignedInCall<BodyOf<Schema>>>,
): ConsoleEndpoint {
  return declare(route, 'signed_in', declared, handle as Handler<ConsoleCall>);
}

/** `role` and those above it. */
export function forMembers<Schema extends TObject | undefined = undefined>(
  route: string,
  role: MemberRole,
  declared: Declared<Schema>,
  handle: Handler<MemberCall<BodyOf<Schema>>>,
): ConsoleEndpoint {
  return declare(route, role, declared, handle as Handler<ConsoleCall>);
}

function declare(
  route: string,
  access: Access,
  { body, needsFreshSignIn = false, takesFile = false, isEndless = false }: Declared<TObject | undefined>,
  handle: Handler<ConsoleCall>,
): ConsoleEndpoint {
  const [method, path] = route.split(' ') as [ConsoleEndpoint['method'], string];
  return { method, path, access, needsFreshSignIn, body: body ?? null, takesFile, isEndless, handle };
}
