import { join } from 'node:path';
import { createMember, type MemberRole } from '../../src/accounts/members.ts';
import { hashPassword } from '../../src/identity/password.ts';
import { ensurePerson, setPasswordHash } from '../../src/identity/people.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import { type Answer, eventually, type TestService } from '../support/service.ts';

/** A browser at the console. It keeps cookies and sends the headers that name a POST's origin. */
export interface Visitor {
  cookies: Map<string, string>;
  page(path: string, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A file as the body. */
  upload(path: string, file: Uint8Array<ArrayBuffer>, headers?: Record<string, string>): Promise<Answer>;
  useLink(token: string): Promise<Answer>;
}

export function visit(app: Pick<TestService, 'baseUrl'>, origin = new URL(app.baseUrl).origin): Visitor {
  const cookies = new Map<string, string>();
  const request = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetchLocally(origin + path, {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'user-agent': 'Test/1.0',
        ...(method === 'GET' ? {} : { origin, 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      body: body === undefined ? null : body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) as unknown as [string, string, string];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const type = response.headers.get('content-type') ?? '';
    const text = type.startsWith('text/event-stream') ? await firstPart(response) : await response.text();
    const isJson = type.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
  };
  const call: Visitor['call'] = (method, path, body, headers) =>
    request(method, `/console/api${path}`, body ?? (method === 'POST' ? {} : undefined), headers);
  return {
    cookies,
    page: (path, headers) => request('GET', path, undefined, headers),
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    call,
    upload: (path, file, headers) => call('POST', path, file, headers),
    useLink: (token) => call('POST', '/sign-in/use-link', { token }),
  };
}

/** Reads only the beginning of an endless answer. */
async function firstPart(response: Response): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

export const password = 'correct horse battery';

export interface Member {
  id: string;
  personId: string;
  email: string;
}

let members = 0;

/** Creates a member of a company, with a password. */
export async function addMember(
  app: Pick<TestService, 'world' | 'db'>,
  accountId: string,
  role: MemberRole,
  email = `${role}-${++members}@example.com`,
): Promise<Member> {
  const { world, db } = app;
  const member = await db.transaction((tx) => createMember(world, tx, { accountId, email, role }, null));
  const person = await ensurePerson(world, db, email);
  await setPasswordHash(db, person.id, await hashPassword(world.random, password));
  return { id: member?.id ?? '', personId: person.id, email };
}

/** Signs in with a one-time link, which saves hashing a password. */
export async function signedIn(
  app: Pick<TestService, 'world' | 'db' | 'baseUrl'>,
  { personId }: Pick<Member, 'personId'>,
): Promise<Visitor> {
  const visitor = visit(app);
  const answer = await visitor.useLink(await mintSignInLink(app.world, app.db, personId, 'operator'));
  if (answer.body.next !== 'signed_in') throw new Error(`not signed in: ${answer.text}`);
  return visitor;
}

/** Waits for the newest sign-in link to an address. */
export async function mailedLink(app: TestService, to: string): Promise<URL> {
  const links = await eventually(
    async () => (await listMailbox(join(app.dataDir, 'mailbox'), { to })).flatMap((message) => message.links),
    (found) => found.some(signsIn),
  );
  return new URL(links.find(signsIn) ?? '');
}

const signsIn = (link: string) => new URL(link).pathname.startsWith('/sign-in/');

export function tokenOf(link: URL): string {
  return link.pathname.replace('/sign-in/', '');
}

export function refusal({ status, body }: Answer): [number, string | undefined] {
  return [status, body?.error?.code];
}
