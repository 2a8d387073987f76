import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { type IconName, icon } from './icons.ts';
import { langOf } from './language-menu.ts';
import { personText } from './masthead.ts';
import type { PageRecipient, PageRecipientStatus, ShownSigner, SigningPageView } from './signing-page-view.ts';
import { timeElement } from './time-element.ts';

/** Renders the document: title, outcome (if any), message, recipients and details. */
export function documentBody(view: SigningPageView, outcome: Html | null): Html {
  return html`<article class="document-card" aria-labelledby="title">
${documentHead(view, outcome)}
${documentFoot(view)}
</article>`;
}

/** Renders the title, the outcome and the sender's message. */
export function documentHead(view: SigningPageView, outcome: Html | null): Html {
  const { language, document } = view;
  const text = texts[language];
  const sender = personText(view.accountName);
  return html`<header class="title-block">
<p class="eyebrow">${typeName(view)}</p>
<h1 id="title" dir="auto"${langOf(view)}>${document.title}</h1>
<p class="byline">${text.sentBy(sender)}${document.sentAt && html` · ${timeElement(document.sentAt, language, 'day')}`}</p>
</header>
${outcome}
${
  document.message &&
  html`<section aria-labelledby="message-heading">
<h2 class="section-heading" id="message-heading">${text.messageFrom(sender)}</h2>
<p class="message" dir="auto"${langOf(view)}>${document.message}</p>
</section>`
}
${view.file?.part === 'pages' && !view.isPreview && html`<p><a class="roomy-link" href="${view.address}/unsigned.pdf">${text.file.unsignedFile}</a></p>`}`;
}

/** Returns the name of the document's type. A type of an import that we don't know is shown as it is. */
function typeName({ language, document }: SigningPageView): string {
  const names: Record<string, string> = texts[language].documentTypes;
  return Object.hasOwn(names, document.type) ? (names[document.type] as string) : document.type;
}

/** Renders the recipients and the details. */
export function documentFoot(view: SigningPageView): Html {
  const { language, document } = view;
  const text = texts[language];
  return html`<section aria-labelledby="recipients-heading">
<h2 class="section-heading" id="recipients-heading">${text.recipients}</h2>
<ul class="recipients" id="recipients" data-live role="list">
${view.recipients.map((recipient) => recipientRow(recipient, view))}</ul>
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

function detail(term: string, value: Html): Html {
  return html`<div><dt>${term}</dt><dd>${value}</dd></div>`;
}

const statusIcons: Record<PageRecipientStatus, IconName> = {
  pending: 'clock',
  sent: 'envelope',
  viewed: 'eye',
  signed: 'check',
  declined: 'cross',
};

function recipientRow(recipient: PageRecipient, view: SigningPageView): Html {
  const text = texts[view.language];
  return html`<li class="recipient">
<div class="who">
<p class="recipient-name" dir="auto">${personText(recipient.name)}${recipient.isSelf && html` <span class="you">${text.you}</span>`}</p>
<p class="recipient-role">${ownRole(recipient) && html`${personText(ownRole(recipient) ?? '')} · `}${text.recipientKind[recipient.kind]}</p>
</div>
<p class="status status-${recipient.status}">${icon(statusIcons[recipient.status])}<span>${text.recipientStatus[recipient.kind][recipient.status]}${
    recipient.at && html` ${timeElement(recipient.at, view.language, 'day')}`
  }</span></p>
${recipient.signed && signedRow(recipient.signed, view)}</li>
`;
}

/** Renders a signature that is on no page of a file, with its time. */
function signedRow({ signature, signedAs, at }: ShownSigner, { language }: SigningPageView): Html | null {
  const text = texts[language];
  if (signature === null) return null;
  const mark =
    signature.kind === 'typed'
      ? html`<span class="row-handwriting">${signature.text}</span>`
      : html`<img src="${signature.address}" alt="">`;
  return html`<figure class="row-mark surface" dir="auto">${mark}<figcaption>${text.signedAs(personText(signedAs), timeElement(at, language))}</figcaption></figure>
`;
}

/** Returns the role that the sender typed. `approver` and `cc` are names of the API: the page describes their meaning. */
function ownRole(recipient: PageRecipient): string | null {
  return recipient.role === 'approver' || recipient.role === 'cc' ? null : recipient.role;
}
