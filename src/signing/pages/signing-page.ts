import { html, jsonData } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import { assetUrl, signingScripts, signingStylesheets } from './assets.ts';
import { masthead, personText } from './masthead.ts';
import { openPanel, readingBar } from './open-panel.ts';
import { outcome } from './outcome.ts';
import { paper } from './paper.ts';
import type { SigningPageView } from './signing-page-view.ts';
import { texts } from './texts.ts';

export { renderErrorPage, renderUnknownLinkPage } from './notice-pages.ts';
export type { Language, Party, PartyKind, PartyStatus, SigningPageView, SigningState } from './signing-page-view.ts';

/**
 * What a recipient sees under its link, as a whole HTML document. Rendering records nothing:
 * the script reports `viewed`, signing and declining (mail gateways fetch every link they see).
 */
export function renderSigningPage(view: SigningPageView): string {
  const isOpen = view.state.kind === 'open';
  const text = texts[view.language];
  return renderPage({
    language: view.language,
    title: `${view.document.title} – ${view.accountName}`,
    icon: assetUrl('icon.svg'),
    stylesheets: signingStylesheets,
    scripts: signingScripts,
    body: html`<body>
${masthead(view)}
<main id="page" class="${isOpen ? 'desk' : 'desk desk-single'}" data-state="${view.state.kind}" data-address="/sign/${encodeURIComponent(view.token)}" data-signature-pad="${assetUrl('signature-pad.js')}">
<div class="document">
${paper(view, isOpen ? null : outcome(view))}
${isOpen ? readingBar(view) : null}
</div>
${isOpen ? openPanel(view) : null}
</main>
<footer class="colophon" id="colophon">
<p>${text.personalLink(personText(view.reader.name))}</p>
<p>${text.sentWith}</p>
</footer>
${jsonData('texts', text.script)}
</body>`,
  });
}
