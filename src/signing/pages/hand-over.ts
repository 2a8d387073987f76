import { type Html, html } from '../../http/html.ts';
import { icon } from './icons.ts';
import { personText } from './masthead.ts';
import type { SigningPageView } from './signing-page-view.ts';
import { texts } from './texts.ts';

/** In person: the device is still in the sender's hands. Whoever takes it begins, and only then the document is shown. */
export function handOver(view: SigningPageView): Html {
  const text = texts[view.language];
  const reader = personText(view.reader.name);
  return html`<article class="paper" aria-labelledby="title">
<header class="title-block">
<h1 id="title" dir="auto">${view.document.title}</h1>
<p class="byline">${text.sentBy(personText(view.accountName))}</p>
</header>
<section class="outcome outcome-calm" aria-labelledby="hand-over-heading">
<span class="seal">${icon('device')}</span>
<h2 id="hand-over-heading">${text.file.handOverHeading(reader)}</h2>
<div class="outcome-text">
<p>${text.file.handOverText(reader)}</p>
<p id="begin-hint">${text.file.handOverBegin(reader)}</p>
<noscript><p class="notice">${text.codeScriptNeeded}</p></noscript>
<p class="needs-script"><button type="button" class="button button-primary" id="begin" aria-describedby="begin-hint">${text.file.begin}</button></p>
<div class="problem" id="begin-problem" role="alert"></div>
<p class="visually-hidden" role="status" id="progress"></p>
</div>
</section>
</article>`;
}
