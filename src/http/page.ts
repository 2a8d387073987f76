import { type Html, html } from './html.ts';

export interface PageShell {
  /** The language of the page, as in `<html lang>`. */
  language: string;
  /** The user's choice. Without one, the system's theme applies. */
  theme?: 'light' | 'dark' | null;
  title: string;
  icon?: string;
  /** `same-origin` for a page whose forms the browser submits. */
  referrer?: 'same-origin';
  stylesheets: readonly string[];
  /** Fonts in WOFF2 that the stylesheets use. The browser requests them at once. */
  fonts?: readonly string[];
  /** ES modules. The first one runs; the others are its imports, which are preloaded. */
  scripts?: readonly string[];
  body: Html;
}

/** Renders a complete HTML document around a body. */
export function renderPage(page: PageShell): string {
  const [entry, ...imported] = page.scripts ?? [];
  return html`<!doctype html>
<html lang="${page.language}"${page.theme ? html` data-theme="${page.theme}"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="${page.referrer ?? 'no-referrer'}">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${page.title}</title>
${page.icon ? html`<link rel="icon" href="${page.icon}" type="image/svg+xml">\n` : null}${(page.fonts ?? []).map(
  (url) => html`<link rel="preload" href="${url}" as="font" type="font/woff2" crossorigin>\n`,
)}${page.stylesheets.map(
  (url) => html`<link rel="stylesheet" href="${url}">\n`,
)}${imported.map((url) => html`<link rel="modulepreload" href="${url}">\n`)}${
  entry ? html`<script type="module" src="${entry}"></script>\n` : null
}</head>
${page.body}
</html>
`.markup;
}
