import { type Html, html, jsonData } from '../../../http/html.ts';
import { renderPage } from '../../../http/page.ts';
import type { Language } from '../../../platform/language.ts';
import { texts } from './texts.ts';

export const stylesheetUrl = '/console/sign-in.css';
export const scriptUrl = '/console/sign-in.js';

/** Renders the frame of all sign-in pages. `next`: where the script goes after signing in. */
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

/** Renders a page with a message and no form. */
export function renderNotice(language: Language, title: string, content: Html): string {
  return renderShell(language, title, html`<section class="card"><h1>${title}</h1>\n${content}</section>`);
}
