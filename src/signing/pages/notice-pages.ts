import { type Html, html } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import type { Language } from '../../platform/language.ts';
import { assetUrl, signingStylesheets } from './assets.ts';
import { texts } from './texts.ts';

/** For a wrong or dead link (404). It says the same for both, so it tells nobody whether a document exists. */
export function renderUnknownLinkPage(language: Language): string {
  const text = texts[language];
  return renderNotice(
    language,
    text.unknownLinkTitle,
    html`<p>${text.unknownLinkText}</p>
<ul>${text.unknownLinkSteps.map((step) => html`<li>${step}</li>`)}</ul>`,
  );
}

/** For an address outside the API that nothing is at (404). */
export function renderUnknownAddressPage(language: Language): string {
  const text = texts[language];
  return renderNotice(
    language,
    text.unknownAddressTitle,
    html`<p>${text.unknownAddressText}</p>
<p><a class="button button-primary" href="/">${text.startPage}</a></p>`,
  );
}

/** For a service that cannot answer at the moment (500). */
export function renderErrorPage(language: Language): string {
  const text = texts[language];
  return renderNotice(
    language,
    text.errorTitle,
    html`<p>${text.errorText}</p>
<p><a class="button button-primary" href="">${text.tryAgain}</a></p>`,
  );
}

/** Where `Finish` leaves a device: it names no document, and reloading it shows nothing else. */
export function renderFinishedPage(language: Language): string {
  const text = texts[language].script;
  return renderNotice(language, text.closedTitle, html`<p>${text.closedText}</p>`);
}

function renderNotice(language: Language, title: string, content: Html): string {
  return renderPage({
    language,
    title,
    icon: assetUrl('icon.svg'),
    stylesheets: signingStylesheets,
    body: html`<body>
<main class="desk desk-single">
<article class="paper notice-page">
<p class="notice-brand">Countersign</p>
<h1>${title}</h1>
${content}
</article>
</main>
</body>`,
  });
}
