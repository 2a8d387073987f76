import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { icon } from './icons.ts';
import { langOf } from './language-menu.ts';
import { personText } from './masthead.ts';
import { formLink } from './panel-parts.ts';
import type { SigningPageView } from './signing-page-view.ts';

/** Asks for the device to be handed over, for signing in person. The document is shown only after the recipient begins. */
export function handOver(view: SigningPageView): Html {
  const text = texts[view.language];
  const recipient = personText(view.recipient.name);
  return html`<article class="document-card" aria-labelledby="title">
<header class="title-block">
<h1 id="title" dir="auto"${langOf(view)}>${view.document.title}</h1>
<p class="byline">${text.sentBy(personText(view.accountName))}</p>
</header>
<section class="outcome outcome-calm" aria-labelledby="hand-over-heading">
<span class="seal">${icon('device')}</span>
<h2 id="hand-over-heading">${text.file.handOverHeading(recipient)}</h2>
<div class="outcome-text">
<p>${text.file.handOverText(recipient)}</p>
<p id="begin-hint">${text.file.handOverBegin(recipient)}</p>
<noscript>${formLink(view)}</noscript>
<p class="needs-script"><button type="button" class="button button-primary" id="begin" aria-describedby="begin-hint">${text.file.begin}</button></p>
<div class="problem" id="begin-problem" role="alert"></div>
<p class="visually-hidden" role="status" id="progress"></p>
</div>
</section>
</article>`;
}
