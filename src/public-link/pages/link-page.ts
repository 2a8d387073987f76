import { type Html, html } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import { type PageLanguage, texts } from '../../page-texts/texts.ts';
import { withoutDirectionOverrides } from '../../platform/direction-overrides.ts';
import { emailLengthMax } from '../../platform/email-address.ts';
import type { Language } from '../../platform/language.ts';
import { signingAssets } from '../../signing/pages/assets.ts';
import { described, errorOf, type Told } from '../../signing/pages/form-parts.ts';
import { langOf, type MenuForm } from '../../signing/pages/language-menu.ts';
import { branded, masthead, personText } from '../../signing/pages/masthead.ts';
import type { PageBrand } from '../../signing/pages/signing-page-view.ts';
import { unitsMax } from '../../signing/text-lengths.ts';
import type { Availability } from '../availability.ts';
import type { LinkErrorCode } from '../link-error.ts';
import { nameLengthMax } from '../request-code.ts';

/** What the page of a public link shows. */
export interface LinkPageView {
  language: PageLanguage;
  /** The language of the documents that the link makes. */
  documentLanguage: Language;
  /** The address of the page, which its forms are sent to. */
  address: string;
  accountName: string;
  brand: PageBrand;
  name: string;
  availability: Availability;
  /** The address that a code was sent to. Null: nobody has entered one in this browser. */
  codeSentTo: string | null;
  /** What was entered and refused. */
  entered: { name: string; email: string; code: string };
  error: Exclude<LinkErrorCode, 'not_open'> | null;
  /** Whether a new code was sent. */
  isSentAgain: boolean;
  /** Whether a code was sent, but the browser didn't keep the cookie that belongs to it. */
  isCookieLost: boolean;
}

/** Renders the page of a public link. It needs no script. */
export function renderLinkPage(view: LinkPageView): string {
  const { language, accountName, brand } = view;
  const { urlOf, stylesheets } = signingAssets();
  const told = tell(view);
  const prefix = told.length > 0 ? `${texts[language].form.errorTitle} ` : '';
  return renderPage({
    language,
    title: `${prefix}${titleOf(view)} – ${accountName}`,
    icon: urlOf('icon.svg'),
    stylesheets: branded(stylesheets, brand),
    referrer: 'same-origin',
    body: html`<body class="plain-page">
${masthead({ language, accountName, brand, testMode: false, isPreview: false }, menuForm(view))}
<main id="page" class="desk desk-single" data-state="${view.availability}">
${told.length > 0 && summary(view, told)}<article class="document-card" aria-labelledby="title">
${content(view, told)}
</article>
</main>
<footer class="colophon">
${view.availability === 'open' && html`<p>${texts[language].link.personal}</p>\n`}<p>${texts[language].sentWith}</p>
</footer>
</body>`,
  });
}

/** The form that has what was entered. */
function menuForm({ availability, codeSentTo }: LinkPageView): MenuForm | null {
  if (availability !== 'open') return null;
  return { id: 'entered', defaultAction: codeSentTo === null ? 'request' : 'verify' };
}

/** A closed page doesn't name the template, which may have another title or be restricted by now. */
function titleOf({ language, availability, name }: LinkPageView): string {
  return availability === 'open' ? withoutDirectionOverrides(name) : texts[language].link.closed[availability].title;
}

const targets: Partial<Record<LinkErrorCode, string>> = { invalid_name: 'name', invalid_email: 'email' };

function tell({ language, address, accountName, error, codeSentTo, isCookieLost, availability }: LinkPageView): Told[] {
  if (isCookieLost && availability === 'open') {
    const { noCookie, ownTab } = texts[language].link;
    const words = html`${noCookie} <a href="${address}" target="_blank" rel="noopener">${ownTab}</a>.`;
    return [{ target: null, words }];
  }
  if (error === null) return [];
  const target = error === 'invalid_code' && codeSentTo !== null ? 'code' : (targets[error] ?? null);
  const { errors } = texts[language].link;
  return [{ target, words: error === 'already_used' ? errors[error](personText(accountName)) : errors[error] }];
}

/** Says what is wrong, with a link to the control. */
function summary({ language }: LinkPageView, told: readonly Told[]): Html {
  const { form } = texts[language];
  return html`<section class="problem form-summary" role="alert" aria-labelledby="summary-heading">
<h2 id="summary-heading">${form.problemHeading}</h2>
<ul>${told.map(({ target, words }) => html`<li>${target === null ? words : html`<a href="#${target}">${words}</a>`}</li>`)}</ul>
</section>
`;
}

function content(view: LinkPageView, told: readonly Told[]): Html {
  if (view.availability !== 'open') return closed(view, view.availability);
  return html`${head(view)}
${view.codeSentTo === null ? personForm(view, told) : codeForms(view, view.codeSentTo, told)}`;
}

function head(view: LinkPageView): Html {
  const { language, name, accountName } = view;
  return html`<header class="title-block">
<h1 id="title" dir="auto"${langOf(view)}>${withoutDirectionOverrides(name)}</h1>
<p class="byline">${texts[language].link.from(personText(accountName))}</p>
</header>`;
}

function closed({ language, accountName }: LinkPageView, availability: Exclude<Availability, 'open'>): Html {
  const { title, text } = texts[language].link.closed[availability];
  return html`<h1 id="title">${title}</h1>
<p>${text(personText(accountName))}</p>`;
}

function personForm({ language, address, accountName, entered }: LinkPageView, told: readonly Told[]): Html {
  const text = texts[language].link;
  return html`<p>${text.lead(personText(accountName))}</p>
<form method="post" action="${address}" id="entered" novalidate>
<div class="field">
<label for="name">${text.name}</label>
<p class="hint" id="name-hint">${text.nameHint}</p>
<input id="name" name="name" type="text" value="${entered.name}" dir="auto" required maxlength="${unitsMax(nameLengthMax)}" autocomplete="name" spellcheck="false"${described(told, 'name', true)}>
${errorOf(told, 'name')}</div>
<div class="field">
<label for="email">${text.email}</label>
<p class="hint" id="email-hint">${text.emailHint}</p>
<input id="email" name="email" type="email" value="${entered.email}" required maxlength="${unitsMax(emailLengthMax)}" autocomplete="email" spellcheck="false"${described(told, 'email', true)}>
${errorOf(told, 'email')}</div>
<div class="form-buttons">
<button type="submit" class="button button-primary" name="action" value="request">${text.sendCode}</button>
</div>
</form>`;
}

function codeForms(
  { language, address, isSentAgain, entered }: LinkPageView,
  sentTo: string,
  told: readonly Told[],
): Html {
  const text = texts[language].link;
  return html`<section aria-labelledby="code-heading">
<h2 id="code-heading">${text.codeHeading}</h2>
<p>${text.codeSent(html`<bdi class="name">${sentTo}</bdi>`)}</p>
${isSentAgain && html`<p class="notice form-notice" role="status">${text.sentAgain}</p>\n`}<form method="post" action="${address}" id="entered" novalidate>
<div class="field form-code">
<label for="code">${text.code}</label>
<p class="hint" id="code-hint">${text.codeHint}</p>
<input id="code" name="code" type="text" value="${entered.code}" inputmode="numeric" autocomplete="one-time-code" required maxlength="40" spellcheck="false"${described(told, 'code', true)}>
${errorOf(told, 'code')}</div>
<div class="form-buttons">
<button type="submit" class="button button-primary" name="action" value="verify">${text.continue}</button>
</div>
</form>
<form method="post" action="${address}">
<div class="form-buttons">
<button type="submit" class="button" name="action" value="again">${text.newCode}</button>
<button type="submit" class="button" name="action" value="restart">${text.otherAddress}</button>
</div>
</form>
</section>`;
}
