import { type Html, html } from '../../http/html.ts';
import type { LockedPageView } from './signing-page-view.ts';
import { texts } from './texts.ts';

/** The company at the top of its paper, below a strip that says so when nothing is delivered or kept. */
export function masthead(view: Pick<LockedPageView, 'language' | 'accountName' | 'testMode' | 'isPreview'>): Html {
  const text = texts[view.language];
  return html`<header class="masthead" id="masthead">
${view.isPreview && html`<p class="test-mode"><strong>${text.preview}</strong> <span>${text.previewMeaning}</span></p>\n`}${view.testMode && html`<p class="test-mode"><strong>${text.testMode}</strong> <span>${text.testModeMeaning}</span></p>\n`}<p class="sender"><span class="monogram" aria-hidden="true">${initial(view.accountName)}</span>${personText(view.accountName)}</p>
</header>`;
}

/** A name inside a sentence: isolated, so that right-to-left letters or control characters in it move nothing around it. */
export function personText(name: string): Html {
  return html`<bdi class="name">${name}</bdi>`;
}

function initial(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return first === undefined ? '' : first.segment.toLocaleUpperCase();
}
