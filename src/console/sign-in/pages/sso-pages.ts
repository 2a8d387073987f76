import type { Membership } from '../../../accounts/members.ts';
import { html } from '../../../http/html.ts';
import type { Language } from '../../../platform/language.ts';
import type { SsoFailure } from '../../../sso/take-sign-in.ts';
import { signInPath } from '../../core/next-path.ts';
import { renderNotice, renderShell } from './shell.ts';
import { ssoTexts } from './sso-texts.ts';
import { texts } from './texts.ts';

/** Renders the sign-in page of one company. `host`: of its provider. */
export function renderSsoPage(language: Language, { id, host, next }: { id: string; host: string; next: string }) {
  const text = ssoTexts[language];
  return renderShell(
    language,
    text.title,
    html`<section class="card" aria-labelledby="title">
<h1 id="title">${text.title}</h1>
<p>${text.continueTo} <strong><bdi>${host}</bdi></strong>.</p>
<noscript><p class="problem">${texts[language].scriptNeeded}</p></noscript>
<p class="problem" id="problem" role="alert"></p>
<button type="button" class="button button-primary needs-script" data-sso="${id}">${text.continue}</button>
<p><a href="${signInPath(next)}">${text.otherWays}</a></p>
</section>`,
    next,
  );
}

export function renderUnknownSsoPage(language: Language): string {
  const text = ssoTexts[language];
  return renderNotice(
    language,
    text.unknownTitle,
    html`<p>${text.unknownText}</p>\n<p><a href="/">${text.back}</a></p>`,
  );
}

/**
 * Renders the page to which the provider returns. Its script completes the sign-in: the browser holds some cookies back from requests
 * that another site causes, and opening an address changes nothing.
 */
export function renderSsoCallbackPage(language: Language): string {
  const text = ssoTexts[language];
  return renderShell(
    language,
    text.title,
    html`<section class="card" aria-labelledby="title" id="sso-callback">
<h1 id="title">${text.title}</h1>
<p class="needs-script">${text.finishing}</p>
<noscript><p class="problem">${texts[language].scriptNeeded}</p></noscript>
<p class="problem" id="problem" role="alert"></p>
<p><a href="/">${text.back}</a></p>
</section>`,
  );
}

/** Renders why a sign-in failed. Unknown reasons get the page of the first. */
export function renderSsoFailedPage(language: Language, reason: string): string {
  const text = ssoTexts[language];
  const known = Object.hasOwn(text.reasons, reason) ? (reason as SsoFailure) : 'not_asked_for';
  return renderNotice(
    language,
    text.failedTitle,
    html`<p>${text.reasons[known]}</p>
<p><a class="button button-primary" href="/">${text.back}</a></p>`,
  );
}

/** Renders the page of people whose companies open with single sign-on only, after they signed in in another way. */
export function renderSsoNeededPage(
  language: Language,
  email: string,
  companies: readonly (Pick<Membership, 'account_name'> & { sso_id: string })[],
  next: string,
): string {
  const text = ssoTexts[language];
  const [before, after] = text.neededText.split('{email}');
  return renderShell(
    language,
    text.neededTitle,
    html`<section class="card" aria-labelledby="title">
<h1 id="title">${text.neededTitle}</h1>
<p>${before ?? ''}<strong><bdi>${email}</bdi></strong>${after ?? ''}</p>
<p class="problem" id="problem" role="alert"></p>
${companies.map(
  ({ sso_id, account_name }) => html`<p><bdi>${account_name}</bdi></p>
<button type="button" class="button button-primary" data-sso="${sso_id}">${text.continue}</button>
`,
)}<p><button type="button" class="button" id="sign-out">${texts[language].signOut}</button></p>
</section>`,
    next,
  );
}
