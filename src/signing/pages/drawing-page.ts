import { html, jsonData } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import type { WrittenMarkKind } from '../../mark-kinds.ts';
import { type PageLanguage, texts } from '../../page-texts/texts.ts';
import type { Language } from '../../platform/language.ts';
import { signingAssets } from './assets.ts';
import { langOf } from './language-menu.ts';
import { branded, masthead, personText } from './masthead.ts';
import type { PageBrand } from './signing-page-view.ts';

export interface DrawingPageView {
  language: PageLanguage;
  /** The language of the document, and of its title. */
  documentLanguage: Language;
  address: string;
  accountName: string;
  brand: PageBrand;
  isTest: boolean;
  title: string;
  mark: WrittenMarkKind;
}

/** Renders the page on which a phone draws for a signing page that is open elsewhere. */
export function renderDrawingPage(view: DrawingPageView): string {
  const text = texts[view.language];
  const { phone } = text;
  const { urlOf, drawStylesheets, drawScripts } = signingAssets();
  const heading = phone.heading[view.mark];
  const area = view.mark === 'initials' ? text.file.initialsDrawingArea : text.drawingArea;
  const script = { ...text.script, drawingMissing: phone.missing, drawingUnavailable: phone.unavailable };
  return renderPage({
    language: view.language,
    title: `${heading} – ${view.title}`,
    icon: urlOf('icon.svg'),
    stylesheets: branded(drawStylesheets, view.brand),
    scripts: drawScripts,
    body: html`<body class="draw-page">
${masthead({ ...view, testMode: view.isTest, isPreview: false }, 'no menu')}
<main id="page" class="desk desk-single" data-address="${view.address}" data-sending="${phone.sending}" data-signature-pad="${urlOf('signature-pad.js')}">
<article class="document-card" aria-labelledby="heading">
<h1 id="heading">${heading}</h1>
<p class="byline"${langOf(view)}>${personText(view.title)}</p>
<noscript><p class="problem">${text.form.scriptOff}</p></noscript>
<div class="needs-script">
<div class="surface"><canvas id="drawing" class="drawing" role="img" aria-label="${area}" aria-describedby="draw-hint"></canvas></div>
<p class="hint" id="draw-hint">${phone.hint}</p>
<p class="error" id="signature-error" role="alert"></p>
<div class="draw-buttons">
<button type="button" class="button" id="clear">${text.clear}</button>
<button type="button" class="button button-primary" id="send">${phone.send}</button>
</div>
<div class="problem" id="send-problem" role="alert"></div>
<p class="visually-hidden" role="status" id="progress"></p>
</div>
</article>
</main>
${jsonData('texts', script)}
</body>`,
  });
}
