import { join } from 'node:path';
import type { Actor } from '../../src/actor.ts';
import type { Document } from '../../src/documents/document.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import { createTemplate } from '../../src/documents/templates.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { defaultSettings, type LinkSettings } from '../../src/public-link/link-settings.ts';
import { addLink } from '../../src/public-link/manage-links.ts';
import type { PublicLink } from '../../src/public-link/public-link.ts';
import { fetchLocally } from './fetch-locally.ts';
import type { TestService } from './service.ts';

type Place = Pick<TestService, 'world' | 'db'>;

/** Creates a link of a new template, in which a guest signs, or of `templateId`. */
export async function createPublicLink(
  { world, db }: Place,
  company: { id: string },
  settings: Partial<LinkSettings> & { actor?: Actor } = {},
  template: { templateId?: string; [detail: string]: unknown } = {},
): Promise<PublicLink> {
  const { actor = 'operator', ...chosen } = settings;
  const { templateId = null, ...details } = template;
  return db.transaction(async (tx) => {
    const body = { title: 'Photo consent', recipients: [{ name: 'Guest' }], ...details };
    const document =
      templateId === null
        ? await createTemplate(world, tx, company.id, 'operator', body)
        : ((await lockDocument(tx, company.id, templateId, 'all')) as Document);
    return addLink(world, tx, document, actor, { ...defaultSettings('en'), ...chosen });
  });
}

export interface PageAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Where a redirect leads. */
  to: string | null;
}

/** A browser that keeps cookies and follows no redirect. It sends forms as browsers do. */
export interface LinkVisitor {
  /** Opens the page, or where a redirect led. */
  get(to?: string | null): Promise<PageAnswer>;
  post(action: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<PageAnswer>;
  /** Enters name and address, and returns the code that arrives. */
  askCode(name: string, email: string): Promise<string>;
  cookies: Map<string, string>;
}

export function visitLink(
  app: Pick<TestService, 'baseUrl' | 'dataDir'>,
  { token }: Pick<PublicLink, 'token'>,
): LinkVisitor {
  const cookies = new Map<string, string>();
  const path = `/link/${token}`;
  const request = async (method: string, body: string | null, headers: Record<string, string> = {}, asked = path) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetchLocally(new URL(app.baseUrl).origin + asked, {
      method,
      headers: { cookie, 'user-agent': 'Test/1.0', ...headers },
      body,
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) as unknown as [string, string, string];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const to = response.headers.get('location');
    return { status: response.status, headers: response.headers, text: await response.text(), to };
  };
  const visitor: LinkVisitor = {
    cookies,
    get: (to) => request('GET', null, {}, to ?? path),
    post: (action, fields = {}, headers = {}) => {
      const form = new URLSearchParams({ ...fields, action }).toString();
      return request('POST', form, { 'content-type': 'application/x-www-form-urlencoded', ...headers });
    },
    async askCode(name, email) {
      const { status, text } = await visitor.post('request', { name, email });
      if (status !== 303) throw new Error(`no code: ${status} ${text}`);
      return newestCodeTo(app, email);
    },
  };
  return visitor;
}

/** Returns the code of the newest e-mail to an address. */
export async function newestCodeTo({ dataDir }: Pick<TestService, 'dataDir'>, to: string): Promise<string> {
  const messages = await listMailbox(join(dataDir, 'mailbox'), { to, limit: 20 });
  const found = messages.find(({ subject }) => codeSubject.test(subject ?? ''));
  const code = codeSubject.exec(found?.subject ?? '')?.[1];
  if (code === undefined) throw new Error(`no code was sent to ${to}`);
  return code;
}

const codeSubject = /^(?:Your code is|Su código es) (\d{6})$/;

/** Returns a code that is not this one. */
export const otherThan = (code: string) => (code === '000000' ? '000001' : '000000');
