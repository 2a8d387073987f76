import { html } from '../../../http/html.ts';
import type { Language } from '../../../platform/language.ts';
import { signInPath } from '../../core/next-path.ts';
import { renderNotice, renderShell } from './shell.ts';
import { texts } from './texts.ts';

/** Renders the page of a one-time link. Only `Continue` signs in: mail gateways fetch every link, and some run scripts. */
export function renderLinkPage(language: Language, link: { email: string; token: string; next: string }): string {
  const text = texts[language];
  return renderShell(
    language,
    text.linkTitle,
    html`<section class="card" aria-labelledby="title">
<h1 id="title">${text.linkTitle}</h1>
<p>${text.linkText} <strong><bdi>${link.email}</bdi></strong>.</p>
${link.next.startsWith('/sign/') && html`<p>${text.linkToDocument}</p>\n`}<noscript><p class="problem">${text.scriptNeeded}</p></noscript>
<form id="link-form" class="needs-script" data-token="${link.token}">
<p class="problem" id="problem" role="alert"></p>
<button type="submit" class="button button-primary">${text.continue}</button>
</form>
</section>`,
    link.next,
  );
}

/** Renders the same notice for links that are used, expired or unknown. */
export function renderSpentLinkPage(language: Language, next: string): string {
  const text = texts[language];
  return renderNotice(
    language,
    text.spentTitle,
    html`<p>${text.spentText}</p>
<p>${text.spentSigning}</p>
<p><a class="button button-primary" href="${signInPath(next)}">${text.signIn}</a></p>`,
  );
}

export function renderSentPage(language: Language, next: string): string {
  const text = texts[language];
  return renderNotice(
    language,
    text.sentTitle,
    html`<p>${text.sentText}</p>
<ul>${text.sentSteps.map((step) => html`<li>${step}</li>`)}</ul>
<p><a href="${signInPath(next)}">${text.back}</a></p>`,
  );
}

export function renderErrorPage(language: Language): string {
  const text = texts[language];
  return renderNotice(language, text.errorTitle, html`<p>${text.errorText}</p>`);
}
