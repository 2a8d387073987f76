import { join } from 'node:path';
import { readAudit } from '../../src/documents/audit.ts';
import { listRecipients } from '../../src/documents/queries.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import { type Answer, type Company, createSent, type TestService } from '../support/service.ts';

/** A browser with one link. It keeps cookies and sends the headers that name a request's origin. */
export interface Signer {
  recipientId: string;
  link: string;
  page(path?: string, headers?: Record<string, string>): Promise<Answer>;
  post(action: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Chooses `Send code` and returns the code that arrives by SMS. */
  sendCode(): Promise<string>;
  /** `page`: the random name of the page that the code is entered in. */
  verify(code: string, page?: string): Promise<Answer>;
  cookies: Map<string, string>;
  /** The same link in another browser. */
  elsewhere(): Signer;
}

export const phone = '+1 (555) 010-4742';

export const withCode = { name: 'Ada Lovelace', email: 'ada@example.com', phone, auth_level: 'l1_email_sms_otp' };

/** Sends a document whose first recipient needs a code. Returns that recipient's browser. */
export async function signerOf(
  app: TestService,
  company: Company,
  changes: object = {},
  key = company.key,
): Promise<{ id: string; signer: Signer }> {
  const id = await createSent(app, key, { recipients: [withCode], ...changes });
  return { id, signer: await openLinkOf(app, company, id, withCode.name) };
}

export async function openLinkOf(app: TestService, company: Company, id: string, name: string): Promise<Signer> {
  const recipients = await listRecipients(app.db, company.id, id);
  const recipient = recipients.find((candidate) => candidate.display_name === name);
  if (recipient === undefined) throw new Error(`nobody is called ${name}`);
  const link = await mintSigningLink(app.world, app.db, new URL(app.baseUrl).origin, recipient);
  return browserWith(app, link, recipient.id, recipient.phone ?? '');
}

function browserWith(app: TestService, link: string, recipientId: string, number: string): Signer {
  const cookies = new Map<string, string>();
  const request = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetchLocally(link + path, {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'user-agent': 'Test/1.0',
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) as unknown as [string, string, string];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
  };
  const signer: Signer = {
    recipientId,
    link,
    cookies,
    page: (path = '', headers = {}) => request('GET', path, undefined, headers),
    post: (action, body = {}, headers = {}) => request('POST', `/${action}`, body, headers),
    async sendCode() {
      const answer = await signer.post('code');
      if (answer.status !== 200) throw new Error(`no code: ${answer.text}`);
      return newestCode(app, number);
    },
    verify: (code, page) => signer.post('verify', { code, page }),
    elsewhere: () => browserWith(app, link, recipientId, number),
  };
  return signer;
}

/** Returns the code in the last line of the newest SMS to a number, where phones look for it. */
export async function newestCode(app: TestService, number = phone): Promise<string> {
  const [code] = await codesSent(app, number);
  if (code === undefined) throw new Error(`no code was sent to ${number}`);
  return code;
}

/** Newest first. */
export async function codesSent(app: TestService, number = phone): Promise<string[]> {
  const messages = await listMailbox(join(app.dataDir, 'mailbox'), { to: number });
  return messages.flatMap(({ text }) => /^@\S+ #(\d{6})$/m.exec(text)?.[1] ?? []);
}

/** Returns another code. */
export function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

export const signature = { full_name: 'Ada Lovelace', signature: { kind: 'typed' } };

export async function auditOf(app: TestService, company: Company, id: string) {
  return readAudit(app.db, company.id, id);
}

export async function actionsOf(app: TestService, company: Company, id: string): Promise<string[]> {
  return (await auditOf(app, company, id)).map(({ action }) => action);
}
