import { type Html, html } from '../../http/html.ts';
import { personText } from './masthead.ts';
import { signatureTabs } from './signature-tabs.ts';
import type { SigningPageView } from './signing-page-view.ts';
import { type Texts, texts } from './texts.ts';

/** At the foot of the paper, and of the screen while one reads: the way to the form. */
export function readingBar(view: SigningPageView): Html {
  const text = texts[view.language];
  return html`<div class="bar reading-bar needs-script">
<p>${isApprover(view) ? text.approvalRequested : text.signatureRequested}</p>
<button type="button" class="button button-primary" id="start">${text.start}</button>
</div>`;
}

/** Signing and, in its place once `Decline` is chosen, declining. No button submits a form: Enter in a field signs nothing. */
export function openPanel(view: SigningPageView): Html {
  const text = texts[view.language];
  return html`<div class="panel" id="panel">
<noscript><p class="notice">${text.scriptNeeded}</p></noscript>
${signPart(view, text)}
${declinePart(view, text)}
<p class="visually-hidden" role="status" id="progress"></p>
</div>`;
}

function signPart(view: SigningPageView, text: Texts): Html {
  const approver = isApprover(view);
  const reader = personText(view.reader.name);
  return html`<section class="needs-script" id="sign-part" aria-labelledby="sign-heading">
<h2 id="sign-heading">${approver ? text.approveHeading : text.signHeading}</h2>
<form id="sign-form" novalidate>
<div class="field">
<label for="full-name">${text.fullName}</label>
<p class="hint" id="full-name-hint">${approver ? text.fullNameHintApprover(reader) : text.fullNameHint(reader)}</p>
<input id="full-name" name="full_name" type="text" dir="auto" required maxlength="120" autocomplete="name" autocapitalize="words" spellcheck="false" enterkeyhint="done" aria-describedby="full-name-hint full-name-error">
<p class="error" id="full-name-error" role="alert"></p>
</div>
${approver ? null : signatureTabs(text)}
<p class="meaning" id="meaning">${approver ? text.approveMeaning : text.signMeaning}</p>
${disclosure(view)}
<div class="problem" id="sign-problem" role="alert"></div>
<div class="bar decision-bar">
<button type="button" class="button" id="decline">${text.decline}</button>
<button type="button" class="button button-primary" id="sign" aria-describedby="meaning">${approver ? text.approve : text.sign}</button>
</div>
</form>
</section>`;
}

/** The sentence at the button says what choosing it means; this says the whole of it, for those who ask. */
function disclosure({ disclosure: { heading, points } }: SigningPageView): Html {
  return html`<details class="disclosure">
<summary>${heading}</summary>
<ul>${points.map((point) => html`<li>${point}</li>`)}</ul>
</details>`;
}

function declinePart(view: SigningPageView, text: Texts): Html {
  return html`<section id="decline-part" aria-labelledby="decline-heading" hidden>
<h2 id="decline-heading">${isApprover(view) ? text.declineHeadingApprover : text.declineHeading}</h2>
<p id="decline-meaning">${text.declineMeaning(personText(view.accountName))}</p>
<form id="decline-form" novalidate>
<div class="field">
<label for="reason">${text.reason}</label>
<p class="hint" id="reason-hint">${text.reasonHint}</p>
<textarea id="reason" name="reason" dir="auto" rows="5" required maxlength="1000" autocomplete="off" aria-describedby="decline-meaning reason-hint reason-error"></textarea>
<p class="error" id="reason-error" role="alert"></p>
</div>
<div class="problem" id="decline-problem" role="alert"></div>
<div class="bar decision-bar">
<button type="button" class="button" id="cancel">${text.cancel}</button>
<button type="button" class="button button-danger" id="decline-to-sign">${text.declineToSign}</button>
</div>
</form>
</section>`;
}

function isApprover(view: SigningPageView): boolean {
  return view.reader.kind === 'approver';
}
