import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { onOneLine } from '../../platform/plain-line.ts';
import { nameLengthMax, reasonLengthMax, unitsMax } from '../text-lengths.ts';
import { langOf } from './language-menu.ts';
import { personText } from './masthead.ts';
import type { SigningPageView } from './signing-page-view.ts';

/** Renders the field for the full name. The sender's name for the recipient is filled in. */
export function fullNameField(view: SigningPageView): Html {
  const text = texts[view.language];
  return html`<div class="field">
<label for="full-name">${text.fullName}</label>
<p class="hint" id="full-name-hint">${text.fullNameHint}</p>
<input id="full-name" name="full_name" type="text" value="${knownName(view)}" dir="auto" required maxlength="${unitsMax(nameLengthMax)}" autocomplete="name" autocapitalize="words" spellcheck="false" enterkeyhint="done" aria-describedby="full-name-hint full-name-error">
<p class="error" id="full-name-error" role="alert"></p>
</div>`;
}

/** Returns the sender's name for the recipient, as it can be typed. Empty if it is too long. */
export function knownName({ recipient: { name } }: SigningPageView): string {
  return [...name].length <= nameLengthMax ? onOneLine(name) : '';
}

/** Leads to the page that needs no script. A preview has none. */
export function formLink({
  language,
  address,
  isPreview,
}: Pick<SigningPageView, 'language' | 'address' | 'isPreview'>): Html {
  const { form } = texts[language];
  return html`<p class="notice">${form.scriptOff}${!isPreview && html` <a href="${address}/form">${form.without}</a>`}</p>`;
}

/** Says that the script has not started. The style sheet shows it after some seconds, and never once the script runs. */
export function lateNotice({ language, address }: Pick<SigningPageView, 'language' | 'address'>): Html {
  const { form } = texts[language];
  return html`<div class="late" role="status"><p class="notice">${form.late} <a href="${address}/form">${form.without}</a></p></div>
`;
}

/** Renders what the button means, in a sentence. */
export function meaning(view: SigningPageView): Html {
  const { signMeaning, approveMeaning, signMeaningAsked, approveMeaningAsked } = texts[view.language];
  const [sign, approve] =
    view.consentStatement === null ? [signMeaning, approveMeaning] : [signMeaningAsked, approveMeaningAsked];
  return html`<p class="meaning" id="meaning">${isApprover(view) ? approve : sign}</p>`;
}

/**
 * Renders the full disclosure, which people can open at the button's sentence. It is open above the box for consent. It is in the
 * document's language, whatever the page's, because the audit trail has the hash of this text.
 */
export function disclosure(view: SigningPageView): Html {
  const { heading, points } = view.disclosure;
  return html`<details class="disclosure"${langOf(view)}${view.consentStatement !== null && html` open`}>
<summary>${heading}</summary>
<ul>${points.map((point) => html`<li dir="auto">${point}</li>`)}</ul>
</details>`;
}

/** Renders the box that must be ticked before signing, if the company asks for it. It is never ticked at first. */
export function consentBox(view: SigningPageView): Html | null {
  const { consentStatement } = view;
  if (consentStatement === null) return null;
  return html`<div class="field tick consent">
<input id="consent" type="checkbox" required autocomplete="off" aria-describedby="consent-error">
<label for="consent"${langOf(view)}>${consentStatement}</label>
<p class="error" id="consent-error" role="alert"></p>
</div>`;
}

export function declinePart(view: SigningPageView): Html {
  const text = texts[view.language];
  return html`<section id="decline-part" aria-labelledby="decline-heading" hidden>
<h2 id="decline-heading">${isApprover(view) ? text.declineHeadingApprover : text.declineHeading}</h2>
<p id="decline-meaning">${text.declineMeaning(personText(view.accountName))}</p>
<form id="decline-form" novalidate>
<div class="field">
<label for="reason">${text.reason}</label>
<p class="hint" id="reason-hint">${text.reasonHint}</p>
<textarea id="reason" name="reason" dir="auto" rows="5" required maxlength="${unitsMax(reasonLengthMax)}" autocomplete="off" aria-describedby="decline-meaning reason-hint reason-error"></textarea>
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

/** Leads to the page on which a recipient names someone else. Null where that isn't allowed. */
export function delegationLink(view: SigningPageView): Html | null {
  if (!view.mayDelegate) return null;
  const { delegation } = texts[view.language];
  return html`<p class="delegation"><a class="roomy-link" href="${view.address}/delegate">${isApprover(view) ? delegation.linkApprover : delegation.link}</a></p>`;
}

/** Leads to the page on which a recipient writes to the sender. Null where that isn't allowed. */
export function commentLink({
  language,
  address,
  mayComment,
}: Pick<SigningPageView, 'language' | 'address' | 'mayComment'>): Html | null {
  if (!mayComment) return null;
  return html`<p class="comment"><a class="roomy-link" href="${address}/comment">${texts[language].comments.link}</a></p>`;
}

export function isApprover(view: SigningPageView): boolean {
  return view.recipient.kind === 'approver';
}
