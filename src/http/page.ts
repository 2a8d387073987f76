import type { Language } from '../world/language.ts';
import { type Html, html } from './html.ts';

/** Nothing inline, nothing from elsewhere, never framed. Forms are sent by script, so a form that escapes it goes nowhere. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Of the console's pages, which show a page of ours in a frame. */
export const framingPagePolicy = `${contentSecurityPolicy}; frame-src 'self'`;

/** Of the page that is shown there. */
export const framedPagePolicy = contentSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");

/** For every HTML answer. A page's address may hold a token: it is neither stored nor passed on as a referrer. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
};

export interface PageShell {
  language: Language;
  /** What a reader chose; else as the system wants it. */
  theme?: 'light' | 'dark' | null;
  title: string;
  icon?: string;
  stylesheets: readonly string[];
  /** ES modules: the first is run, the others are what it imports, fetched ahead. */
  scripts?: readonly string[];
  body: Html;
}

/** A whole HTML document around a body. */
export function renderPage(page: PageShell): string {
  const [entry, ...imported] = page.scripts ?? [];
  return html`<!doctype html>
<html lang="${page.language}"${page.theme ? html` data-theme="${page.theme}"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${page.title}</title>
${page.icon ? html`<link rel="icon" href="${page.icon}" type="image/svg+xml">\n` : null}${page.stylesheets.map(
  (url) => html`<link rel="stylesheet" href="${url}">\n`,
)}${imported.map((url) => html`<link rel="modulepreload" href="${url}">\n`)}${
  entry ? html`<script type="module" src="${entry}"></script>\n` : null
}</head>
${page.body}
</html>
`.markup;
}
