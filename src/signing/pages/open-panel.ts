import { type Html, html } from '../../http/html.ts';
import type { PageTexts } from '../../page-texts/page-texts.ts';
import { texts } from '../../page-texts/texts.ts';
import {
  commentLink,
  consentBox,
  declinePart,
  delegationLink,
  disclosure,
  formLink,
  fullNameField,
  isApprover,
  meaning,
} from './panel-parts.ts';
import { signatureTabs } from './signature-tabs.ts';
import type { SigningPageView } from './signing-page-view.ts';

/** Renders the bar that leads to the form, at the bottom of the screen. */
export function readingBar(view: SigningPageView): Html {
  const text = texts[view.language];
  return html`<div class="bar reading-bar needs-script">
<p>${isApprover(view) ? text.approvalRequested : text.signatureRequested}</p>
<button type="button" class="button button-primary" id="start">${text.start}</button>
</div>`;
}

/** Renders the form for signing, which `Decline` replaces with the one for declining. Enter in a field never signs. */
export function openPanel(view: SigningPageView): Html {
  const text = texts[view.language];
  return html`<div class="panel" id="panel">
<noscript>${formLink(view)}</noscript>
${signPart(view, text)}
${declinePart(view)}
<p class="visually-hidden" role="status" id="progress"></p>
</div>`;
}

function signPart(view: SigningPageView, text: PageTexts): Html {
  const approver = isApprover(view);
  return html`<section class="needs-script" id="sign-part" aria-labelledby="sign-heading">
<h2 id="sign-heading">${approver ? text.approveHeading : text.signHeading}</h2>
<form id="sign-form" novalidate>
${fullNameField(view)}
${approver ? null : signatureTabs(text)}
${meaning(view)}
${disclosure(view)}
${consentBox(view)}
${delegationLink(view)}${commentLink(view)}
<div class="problem" id="sign-problem" role="alert"></div>
<div class="bar decision-bar">
<button type="button" class="button" id="decline">${text.decline}</button>
<button type="button" class="button button-primary" id="sign" aria-describedby="meaning">${approver ? text.approve : text.sign}</button>
</div>
</form>
</section>`;
}
