import { type Html, html } from '../../http/html.ts';
import type { LockedPageView } from './signing-page-view.ts';
import { texts } from './texts.ts';

/** Renders the company's name at the top, below a notice in test mode or a preview. */
export function masthead(view: Pick<LockedPageView, 'language' | 'accountName' | 'testMode' | 'isPreview'>): Html {
  const text = texts[view.language];
  return html`<header class="masthead" id="masthead">
${view.isPreview && html`<p class="test-mode"><strong>${text.preview}</strong> <span>${text.previewMeaning}</span></p>\n`}${view.testMode && html`<p class="test-mode"><strong>${text.testMode}</strong> <span>${text.testModeMeaning}</span></p>\n`}<p class="sender"><span class="monogram" aria-hidden="true">${initial(view.accountName)}</span>${personText(view.accountName)}</p>
</header>`;
}

/** Renders a name within a sentence, isolated so that its letters or control characters don't move the text around it. */
export function personText(name: string): Html {
  return html`<bdi class="name">${name}</bdi>`;
}

function initial(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return first === undefined ? '' : first.segment.toLocaleUpperCase();
}
