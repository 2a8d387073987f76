import type { CopyStatus } from '../../documents/completed-file.ts';
import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { accountAccess } from './account.ts';
import { type IconName, icon } from './icons.ts';
import { personText } from './masthead.ts';
import { commentLink } from './panel-parts.ts';
import type { LockedPageView, SigningPageView, SigningState } from './signing-page-view.ts';
import { timeElement } from './time-element.ts';

/** The values that a locked page has too. */
export type OutcomeView = Pick<
  SigningPageView,
  'language' | 'address' | 'accountName' | 'state' | 'isInPerson' | 'isPreview'
> & {
  recipient: Pick<SigningPageView['recipient'], 'kind'>;
  /** How to get the required sign-in. Left out: none is required. */
  account?: LockedPageView['account'];
  /** Left out: no. */
  mayComment?: boolean;
  /** On the page that needs no script: its forms, in place of the buttons that a script operates. */
  forms?: { finish: Html; account: Html | null };
};

/** Renders what happened and what comes next, for every state in which the recipient can't sign. */
export function outcome(view: OutcomeView): Html {
  const { tone, sign, heading, body, isEnd } = describe(view);
  const text = texts[view.language];
  return html`<section class="outcome outcome-${tone}" id="outcome" aria-labelledby="outcome-heading">
<span class="seal">${icon(sign)}</span>
<h2 id="outcome-heading" tabindex="-1">${heading}</h2>
<div class="outcome-text">
${isEnd && view.isInPerson && html`<p class="hand-back">${text.file.handBack}</p>\n`}${body}
${isEnd && (view.forms?.finish ?? finishButton(view))}
</div>
</section>`;
}

function finishButton(view: OutcomeView): Html {
  const text = texts[view.language];
  return html`<div class="finish needs-script">
<button type="button" class="button" id="finish" aria-describedby="finish-hint">${text.finish}</button>
<p class="hint" id="finish-hint">${view.isInPerson ? text.finishHintInPerson : text.finishHint}</p>
</div>
<noscript><p><a class="roomy-link" href="${view.address}/form">${text.form.finishWithout}</a></p></noscript>`;
}

interface Outcome {
  tone: 'good' | 'bad' | 'calm';
  sign: IconName;
  heading: string;
  body: Html;
  /** Whether this recipient has nothing left to do. */
  isEnd: boolean;
}

function describe(view: OutcomeView): Outcome {
  const state = view.state;
  const text = texts[view.language];
  const sender = personText(view.accountName);
  const time = (at: Date) => timeElement(at, view.language);
  switch (state.kind) {
    case 'waiting':
      return calm(
        'clock',
        text.waitingHeading,
        html`${paragraph(text.waitingText(sender))}${commentLink({ mayComment: false, ...view })}`,
      );
    case 'needs_account':
      return calm(
        'lock',
        state.opens === 'copy' ? text.copyNeedsAccountHeading : text.needsAccountHeading,
        html`${paragraph(state.opens === 'copy' ? text.copyNeedsAccountText(sender) : text.needsAccountText(sender))}${view.forms ? view.forms.account : view.account ? accountAccess(view, view.account) : null}`,
      );
    case 'copy':
      return calm('copy', text.copyHeading, paragraph(text.copyText));
    case 'signed':
      return good(text.signedHeading, html`${paragraph(text.signedText(time(state.at)))}${paragraph(text.othersNext)}`);
    case 'approved':
      return good(
        text.approvedHeading,
        html`${paragraph(text.approvedText(time(state.at)))}${paragraph(text.othersNext)}`,
      );
    case 'completed':
      return good(
        text.completedHeading,
        html`${paragraph(text.completedText(time(state.at)))}${sealedCopy(view, state.copy)}`,
      );
    case 'declined':
      return bad(state.bySelf ? ownRefusalHeading(view) : text.declinedByOtherHeading, declinedBody(view, state));
    case 'voided':
      return bad(
        text.voidedHeading,
        html`${paragraph(text.voidedText(sender))}${state.reason && quote(text.voidedReason, state.reason)}`,
      );
    case 'expired':
      return bad(text.expiredHeading, paragraph(text.expiredText(sender, time(state.at))), 'clock');
    case 'open':
    case 'needs_code':
      throw new Error(`a page that is ${state.kind} shows a form, not an outcome`);
  }
}

function calm(sign: IconName, heading: string, body: Html): Outcome {
  return { tone: 'calm', sign, heading, body, isEnd: false };
}

function good(heading: string, body: Html): Outcome {
  return { tone: 'good', sign: 'check', heading, body, isEnd: true };
}

function bad(heading: string, body: Html, sign: IconName = 'cross'): Outcome {
  return { tone: 'bad', sign, heading, body, isEnd: true };
}

function ownRefusalHeading(view: OutcomeView): string {
  const text = texts[view.language];
  return view.recipient.kind === 'approver' ? text.declinedHeadingApprover : text.declinedHeading;
}

function declinedBody(view: OutcomeView, state: SigningState & { kind: 'declined' }): Html {
  const text = texts[view.language];
  const time = timeElement(state.at, view.language);
  if (!state.bySelf) return paragraph(text.declinedByOtherText(personText(view.accountName), time));
  return html`${paragraph(text.declinedText(personText(view.accountName), time))}${state.reason && quote(text.yourReason, state.reason)}`;
}

/**
 * Renders the link to the sealed PDF. It downloads, or leads to the page that asks for a code if the code has expired.
 * While the sealing job runs, the page contains both sentences, and the script shows the link when the copy is ready.
 */
function sealedCopy(view: OutcomeView, copy: CopyStatus): Html {
  const text = texts[view.language];
  const isReady = copy === 'ready';
  const hidden = (isHidden: boolean) => isHidden && html` hidden`;
  return html`<div id="copy" data-copy="${copy}" aria-live="polite">
<div class="copy-ready" id="copy-ready"${hidden(!isReady)}>
${paragraph(text.copyReadyText)}
<p><a class="button button-primary" href="${view.address}/document.pdf">${text.downloadCopy}</a></p>
</div>
<p id="copy-preparing" class="preparing"${hidden(isReady)}>${noCopyText(view, copy)}</p>
</div>`;
}

/** Why there is no link. */
function noCopyText({ language, forms }: OutcomeView, copy: CopyStatus): Html | string {
  const text = texts[language];
  if (copy === 'delayed') return text.copyDelayedText;
  if (copy === 'erased') return text.copyErasedText;
  return forms ? html`${text.form.copyNotReady} <a href="">${text.form.reload}</a>` : text.copyNotReadyText;
}

function paragraph(content: Html | string): Html {
  return html`<p>${content}</p>`;
}

function quote(label: string, words: string): Html {
  return html`<figure class="quote"><figcaption>${label}</figcaption><blockquote dir="auto">${words}</blockquote></figure>`;
}
