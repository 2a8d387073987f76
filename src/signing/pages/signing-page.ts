import { type Html, html, jsonData } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import { assetUrl, signingScripts, signingStylesheets } from './assets.ts';
import { masthead, personText } from './masthead.ts';
import { openPanel, readingBar } from './open-panel.ts';
import { outcome } from './outcome.ts';
import { paper } from './paper.ts';
import type { LockedPageView, SigningPageView } from './signing-page-view.ts';
import { texts } from './texts.ts';
import { verification } from './verification.ts';

export { renderErrorPage, renderFinishedPage, renderUnknownLinkPage } from './notice-pages.ts';
export type {
  AttachedFile,
  FieldType,
  Language,
  LockedPageView,
  PageField,
  Party,
  PartyKind,
  PartyStatus,
  SigningPageView,
  SigningState,
} from './signing-page-view.ts';

/**
 * What a recipient sees under its link, as a whole HTML document. Rendering records nothing:
 * the script reports `viewed`, signing and declining (mail gateways fetch every link they see).
 */
export function renderSigningPage(view: SigningPageView): string {
  const isOpen = view.state.kind === 'open';
  return render(view, {
    title: view.document.title,
    isSingle: !isOpen,
    attributes: html`${view.isVerified && html` data-verified`} data-disclosure="${view.disclosure.version}" data-signature-pad="${assetUrl('signature-pad.js')}"`,
    content: html`<div class="document">
${paper(view, isOpen ? null : outcome(view))}
${isOpen ? readingBar(view) : null}
</div>
${isOpen ? openPanel(view) : null}`,
    personalLink: texts[view.language].personalLink(personText(view.reader.name)),
  });
}

/** The same address before a code was given: the way to one, or how the document stands. */
export function renderLockedPage(view: LockedPageView): string {
  const text = texts[view.language];
  const isSigner = { ...view, reader: { kind: 'signer' as const } };
  return render(view, {
    title: view.title,
    isSingle: true,
    attributes: null,
    content: html`<article class="paper" aria-labelledby="title">
<header class="title-block">
<h1 id="title" dir="auto">${view.title}</h1>
<p class="byline">${text.sentBy(personText(view.accountName))}</p>
</header>
${view.state.kind === 'needs_code' ? verification(view, view.state.opens) : outcome(isSigner)}
</article>`,
    personalLink: text.personalLinkOfSomebody,
  });
}

interface Parts {
  title: string;
  isSingle: boolean;
  attributes: Html | null;
  content: Html;
  personalLink: Html | string;
}

function render(view: SigningPageView | LockedPageView, parts: Parts): string {
  const text = texts[view.language];
  return renderPage({
    language: view.language,
    title: `${parts.title} – ${view.accountName}`,
    icon: assetUrl('icon.svg'),
    stylesheets: signingStylesheets,
    scripts: signingScripts,
    body: html`<body>
${masthead(view)}
<main id="page" class="${parts.isSingle ? 'desk desk-single' : 'desk'}" data-state="${view.state.kind}" data-address="/sign/${encodeURIComponent(view.token)}"${parts.attributes}>
${parts.content}
</main>
<footer class="colophon" id="colophon">
<p>${parts.personalLink}</p>
<p>${text.sentWith}</p>
</footer>
${jsonData('texts', text.script)}
</body>`,
  });
}
