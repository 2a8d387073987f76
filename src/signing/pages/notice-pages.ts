import { type Html, html } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import type { PageLanguage } from '../../page-texts/texts.ts';
import { texts } from '../../page-texts/texts.ts';
import { signingAssets } from './assets.ts';
import { languageMenu } from './language-menu.ts';
import { branded, logo, personText } from './masthead.ts';
import type { PageBrand } from './signing-page-view.ts';

/** Renders the page for an unknown link (404). It reveals no document. */
export function renderUnknownLinkPage(language: PageLanguage): string {
  const text = texts[language];
  return renderNotice(
    language,
    text.unknownLinkTitle,
    html`<p>${text.unknownLinkText}</p>
<ul>${text.unknownLinkSteps.map((step) => html`<li>${step}</li>`)}</ul>`,
  );
}

/**
 * Renders the page for a link whose recipient was reassigned (404). It says whom to ask, and neither the document's title nor
 * who was asked instead.
 */
export function renderReassignedLinkPage(language: PageLanguage, accountName: string, brand: PageBrand): string {
  const text = texts[language];
  const sender = personText(accountName);
  return renderNotice(
    language,
    text.reassignedLinkTitle,
    html`<p>${text.reassignedLinkText(sender)}</p>
<ul>${text.reassignedLinkSteps(sender).map((step) => html`<li>${step}</li>`)}</ul>`,
    { company: { accountName, brand } },
  );
}

/** Renders the page for an unknown address outside the API (404). */
export function renderUnknownAddressPage(language: PageLanguage): string {
  const text = texts[language];
  return renderNotice(
    language,
    text.unknownAddressTitle,
    html`<p>${text.unknownAddressText}</p>
<p><a class="button button-primary" href="/">${text.startPage}</a></p>`,
    { hasMenu: false },
  );
}

/** Renders the page for a failure of the service (500). `answersForm`: it is the answer to a form that was sent. */
export function renderErrorPage(language: PageLanguage, answersForm = false): string {
  const text = texts[language];
  return renderNotice(
    language,
    text.errorTitle,
    html`<p>${text.errorText}</p>
${wayOn(language, answersForm)}`,
    { hasMenu: !answersForm },
  );
}

/** Renders the page for an address with too many requests (429). `answersForm`: it is the answer to a form that was sent. */
export function renderTooManyRequestsPage(language: PageLanguage, answersForm = false): string {
  const text = texts[language];
  return renderNotice(
    language,
    text.throttledTitle,
    html`<p>${text.throttledText}</p>
${wayOn(language, answersForm)}`,
    { hasMenu: !answersForm },
  );
}

/** Links, also those of the menu, would open the form without what was entered. Browsers send it again when its answer is loaded again. */
function wayOn(language: PageLanguage, answersForm: boolean): Html {
  const { form, tryAgain } = texts[language];
  if (answersForm) return html`<p>${form.resend}</p>`;
  return html`<p><a class="button button-primary" href="">${tryAgain}</a></p>`;
}

/** Renders the page for a form that can't be read (400) or is too large (413). */
export function renderRefusedFormPage(language: PageLanguage, reason: 'unreadable' | 'too_large'): string {
  const text = texts[language];
  const [title, explanation] = {
    unreadable: [text.form.refusedTitle, text.form.refusedText],
    too_large: [text.form.tooLargeTitle, text.form.tooLargeText],
  }[reason] as [string, string];
  return renderNotice(
    language,
    title,
    html`<p>${explanation}</p>
<p><a class="button button-primary" href="">${text.tryAgain}</a></p>`,
  );
}

/** Renders the page after `Finish`. It names no document, also after a reload. */
export function renderFinishedPage(language: PageLanguage): string {
  const text = texts[language].script;
  return renderNotice(language, text.closedTitle, html`<p>${text.closedText}</p>`);
}

/** Renders the page after a request was passed on. It names no document and nobody. */
export function renderPassedOnPage(language: PageLanguage): string {
  const text = texts[language].delegation;
  return renderNotice(language, text.passedOnTitle, html`<p>${text.passedOnText}</p>`);
}

/** Renders the phone's page after its drawing was sent. */
export function renderDrawingSentPage(language: PageLanguage): string {
  const text = texts[language].phone;
  return renderNotice(language, text.sentTitle, html`<p>${text.sentText}</p>`);
}

/** Renders the phone's page for a code that is too old or was replaced (404). */
export function renderDrawingEndedPage(language: PageLanguage): string {
  const text = texts[language].phone;
  return renderNotice(language, text.endedTitle, html`<p>${text.endedText}</p>`);
}

/** `company`: whose logo and colours the page has. Without one it names the product. `hasMenu`: whether its address takes a language. */
export function renderNotice(
  language: PageLanguage,
  title: string,
  content: Html,
  { company, hasMenu = true }: { company?: { accountName: string; brand: PageBrand }; hasMenu?: boolean } = {},
): string {
  const assets = signingAssets();
  return renderPage({
    language,
    title,
    icon: assets.urlOf('icon.svg'),
    stylesheets: company === undefined ? assets.stylesheets : branded(assets.stylesheets, company.brand),
    body: html`<body>
<main class="desk desk-single">
<article class="document-card notice-page">
<div class="notice-head">
<p class="notice-brand">${(company && logo(company.accountName, company.brand)) ?? 'Countersign'}</p>
${hasMenu && languageMenu(language, null)}</div>
<h1>${title}</h1>
${content}
</article>
</main>
</body>`,
  });
}
