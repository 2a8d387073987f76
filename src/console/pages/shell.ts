import { type Html, html, jsonData } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import type { Language } from '../../world/language.ts';
import { texts } from './texts.ts';

export const stylesheetUrl = '/console/sign-in.css';
export const scriptUrl = '/console/sign-in.js';

/** Around every page of signing in. `next`: where its script goes when one is in. */
export function renderShell(language: Language, title: string, content: Html, next = '/'): string {
  return renderPage({
    language,
    title: `${title} · Countersign`,
    icon: '/docs/icon.svg',
    stylesheets: [stylesheetUrl],
    scripts: [scriptUrl],
    body: html`<body>
<header><p><a class="brand" href="/"><img src="/docs/icon.svg" alt="" width="30" height="30"> Countersign</a></p></header>
<main data-next="${next}">
${content}
<p class="visually-hidden" role="status" id="progress"></p>
</main>
${jsonData('texts', texts[language].script)}
</body>`,
  });
}

/** A page that says something and asks for nothing. */
export function renderNotice(language: Language, title: string, content: Html): string {
  return renderShell(language, title, html`<section class="card"><h1>${title}</h1>\n${content}</section>`);
}
