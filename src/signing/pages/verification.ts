import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { icon } from './icons.ts';
import { personText } from './masthead.ts';
import { formLink } from './panel-parts.ts';
import type { LockedPageView } from './signing-page-view.ts';

/** Renders the form for the code. Requesting and entering are both visible, for people who already have a code. */
export function verification(view: LockedPageView, opens: 'document' | 'copy'): Html {
  const text = texts[view.language];
  const sender = personText(view.accountName);
  const { phoneEnding, isShown } = view.code;
  const number =
    phoneEnding === '' ? null : html`<span class="number" dir="ltr">${text.numberEnding(phoneEnding)}</span>`;
  return html`<section class="verification" aria-labelledby="code-heading">
<span class="seal">${icon('lock')}</span>
<h2 id="code-heading">${text.codeHeading}</h2>
<div class="verification-text">
<p>${opens === 'copy' ? text.codeForCopy(sender) : text.codeForDocument(sender)}</p>
<noscript>${formLink(view)}</noscript>
<form id="code-form" class="needs-script" novalidate>
<p id="code-number">${isShown ? text.codeShownHere : text.codeGoesTo(number)}</p>
<button type="button" class="button button-primary" id="send-code" aria-describedby="code-number">${text.sendCode}</button>
<p class="code-status" id="code-status" role="status"></p>
<div class="problem" id="send-problem" role="alert"></div>
<div class="field">
<label for="code">${text.code}</label>
<p class="hint" id="code-hint">${text.codeHint}</p>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" required maxlength="40" spellcheck="false" autocapitalize="off" enterkeyhint="done" aria-describedby="code-hint code-error">
<p class="error" id="code-error" role="alert"></p>
</div>
<button type="button" class="button" id="verify">${text.verify}</button>
<div class="problem" id="verify-problem" role="alert"></div>
<div class="problem" id="cookie-lost" role="alert" hidden><p>${text.codeNoCookie}
<span id="own-tab"><a href="${view.address}" target="_blank" rel="noopener">${text.link.ownTab}</a>.</span></p></div>
${
  !isShown &&
  html`<p class="hint">${text.codeWrongNumber(sender)}</p>
`
}<p class="visually-hidden" role="status" id="progress"></p>
</form>
</div>
</section>`;
}
