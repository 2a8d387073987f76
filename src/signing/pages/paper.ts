import { type Html, html } from '../../http/html.ts';
import { type IconName, icon } from './icons.ts';
import { personText } from './masthead.ts';
import type { Party, PartyStatus, SigningPageView } from './signing-page-view.ts';
import { type Texts, texts } from './texts.ts';
import { timeElement } from './time-element.ts';

/** The document as it is read: title, what came of it (if anything yet), message, parties, details. */
export function paper(view: SigningPageView, outcome: Html | null): Html {
  return html`<article class="paper" aria-labelledby="title">
${paperHead(view, outcome)}
${paperFoot(view)}
</article>`;
}

/** Title, what came of it, and the sender's words. */
export function paperHead(view: SigningPageView, outcome: Html | null): Html {
  const { language, document } = view;
  const text = texts[language];
  const sender = personText(view.accountName);
  return html`<header class="title-block">
<p class="eyebrow">${documentType(text, document.type)}</p>
<h1 id="title" dir="auto">${document.title}</h1>
<p class="byline">${text.sentBy(sender)}${document.sentAt && html` · ${timeElement(document.sentAt, language, 'day')}`}</p>
</header>
${outcome}
${
  document.message &&
  html`<section aria-labelledby="message-heading">
<h2 class="section-heading" id="message-heading">${text.messageFrom(sender)}</h2>
<p class="message" dir="auto">${document.message}</p>
</section>`
}`;
}

/** Who takes part, and the details. */
export function paperFoot(view: SigningPageView): Html {
  const { language, document } = view;
  const text = texts[language];
  return html`<section aria-labelledby="parties-heading">
<h2 class="section-heading" id="parties-heading">${text.parties}</h2>
<ul class="parties" role="list">
${view.parties.map((party) => partyRow(party, view))}</ul>
</section>
<section aria-labelledby="details-heading">
<h2 class="section-heading" id="details-heading">${text.details}</h2>
<dl class="details">
${document.sentAt && detail(text.sentAt, timeElement(document.sentAt, language))}
${document.expiresAt && detail(text.expiresAt, timeElement(document.expiresAt, language))}
${detail(text.reference, html`<span class="reference">${document.id}</span>`)}
</dl>
</section>`;
}

function documentType(text: Texts, type: string): string {
  const labels: Record<string, string> = text.documentTypes;
  return (Object.hasOwn(labels, type) ? labels[type] : undefined) ?? text.documentTypes.other;
}

function detail(term: string, value: Html): Html {
  return html`<div><dt>${term}</dt><dd>${value}</dd></div>`;
}

const statusIcons: Record<PartyStatus, IconName> = {
  pending: 'clock',
  sent: 'envelope',
  viewed: 'eye',
  signed: 'check',
  declined: 'cross',
};

function partyRow(party: Party, view: SigningPageView): Html {
  const text = texts[view.language];
  return html`<li class="party">
<div class="who">
<p class="party-name" dir="auto">${personText(party.name)}${party.isReader && html` <span class="you">${text.you}</span>`}</p>
<p class="party-role">${ownRole(party) && html`${personText(ownRole(party) ?? '')} · `}${text.partyKind[party.kind]}</p>
</div>
<p class="status status-${party.status}">${icon(statusIcons[party.status])}<span>${text.partyStatus[party.kind][party.status]}${
    party.at && html` ${timeElement(party.at, view.language, 'day')}`
  }</span></p>
</li>
`;
}

/** `approver` and `cc` are words for the service (spec.md, Recipient): their meaning is shown, not the word. */
function ownRole(party: Party): string | null {
  return party.role === 'approver' || party.role === 'cc' ? null : party.role;
}
