import { type Html, html } from '../../http/html.ts';
import type { Texts } from './texts.ts';

/** Two ways to make the mark. Drawing needs a pointer, so typing is the first and always enough. */
export function signatureTabs(text: Texts): Html {
  return html`<div class="signature">
<div class="tabs" role="tablist" aria-label="${text.signatureStyle}">
<button type="button" role="tab" id="type-tab" aria-controls="type-panel" aria-selected="true">${text.type}</button>
<button type="button" role="tab" id="draw-tab" aria-controls="draw-panel" aria-selected="false" tabindex="-1">${text.draw}</button>
</div>
<div role="tabpanel" id="type-panel" aria-labelledby="type-tab" tabindex="0">
<div class="surface"><p class="typed-signature" id="typed-signature" dir="auto" data-empty="${text.typedEmpty}" aria-hidden="true"></p></div>
<p class="hint">${text.typedHint}</p>
</div>
<div role="tabpanel" id="draw-panel" aria-labelledby="draw-tab" hidden>
<div class="surface"><canvas id="drawing" role="img" aria-label="${text.drawingArea}" aria-describedby="draw-hint"></canvas></div>
<div class="draw-foot">
<p class="hint" id="draw-hint">${text.drawHint}</p>
<button type="button" class="button button-small" id="clear">${text.clear}</button>
</div>
</div>
<p class="error" id="signature-error" role="alert"></p>
</div>`;
}
