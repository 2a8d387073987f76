import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readCookie, writeCookie } from '../identity/cookie.ts';
import { type LanguageHints, languageForDocument, languageForNotice } from '../page-texts/choose-language.ts';
import { isPageLanguage, type PageLanguage } from '../page-texts/texts.ts';
import type { Language } from '../platform/language.ts';
import { isForFrame } from './embedding.ts';

const cookieName = 'countersign_page_language';
/** In a frame of another site. A browser may send both. */
const framedCookieName = 'countersign_framed_language';
const cookieSeconds = 180 * 24 * 60 * 60;

/** Returns the language in which a person reads a page about a document, or about none. */
export function pageLanguage(request: FastifyRequest, document: Language | null): PageLanguage {
  const hints = hintsOf(request);
  return document === null ? languageForNotice(hints) : languageForDocument(document, hints);
}

function hintsOf(request: FastifyRequest): LanguageHints {
  const { headers } = request;
  const names = isForFrame(request) ? [framedCookieName, cookieName] : [cookieName, framedCookieName];
  // The value is one of a list and no secret, so all names of the cookie count.
  const values = names.flatMap((name) => ['https:', 'http:'].map((origin) => readCookie(headers.cookie, name, origin)));
  return { chosen: values.find(isPageLanguage) ?? null, acceptLanguage: headers['accept-language'] };
}

/**
 * Returns the cookie that remembers a choice. `Lax`: links in e-mails are followed from other sites. `isFramed`: the page is in a
 * frame of another site.
 */
export function languageCookie(language: PageLanguage, origin: string, isFramed: boolean): string {
  const sameSite = isFramed ? 'None' : 'Lax';
  return writeCookie(isFramed ? framedCookieName : cookieName, language, {
    origin,
    sameSite,
    maxAgeSeconds: cookieSeconds,
  });
}

/** Remembers the choice that a link of the language menu makes (`?language=de`), and leads to the page in that language. */
export function rememberLanguages(app: FastifyInstance, origin: () => string): void {
  app.addHook('onRequest', async (request, reply) => {
    const { language } = request.query as { language?: unknown };
    if (request.method !== 'GET' || !isPageLanguage(language)) return;
    const [path = '', query] = request.url.split('?');
    const rest = new URLSearchParams(query);
    rest.delete('language');
    const address = rest.size > 0 ? `${path}?${rest}` : path;
    return reply
      .code(303)
      .header('set-cookie', languageCookie(language, origin(), isForFrame(request)))
      .header('location', address)
      .send();
  });
}

const prefix = 'language-';

/** Returns the language that a button of the menu chooses with a form, whose entries are kept. Null: another button. */
export function languageAction(form: URLSearchParams): PageLanguage | null {
  const action = form.get('action') ?? '';
  const language = action.slice(prefix.length);
  return action.startsWith(prefix) && isPageLanguage(language) ? language : null;
}

/** Returns the language in which a form was shown, by which its numbers are read. */
export function languageOfForm(form: URLSearchParams, request: FastifyRequest, document: Language): PageLanguage {
  const language = form.get('language');
  return isPageLanguage(language) ? language : pageLanguage(request, document);
}
