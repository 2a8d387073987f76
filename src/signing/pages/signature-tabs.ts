import { type Html, html } from '../../http/html.ts';
import type { PageTexts } from '../../page-texts/page-texts.ts';

export interface TabsOptions {
  /** Prefix of each id, for pages with a signature and initials. */
  prefix?: '' | 'initials-';
}

/** Renders the tabs for making a signature. Typing is first and always sufficient, because drawing needs a pointer. */
export function signatureTabs(text: PageTexts, { prefix = '' }: TabsOptions = {}): Html {
  const isInitials = prefix !== '';
  const { file } = text;
  return html`<div class="signature">
<div class="tabs" role="tablist" id="${prefix}tabs" aria-label="${isInitials ? file.initials : text.signatureStyle}">
${tab('type', text.type, prefix, true)}
${tab('draw', text.draw, prefix, false)}
${tab('upload', file.upload, prefix, false)}
</div>
<div role="tabpanel" id="${prefix}type-panel" aria-labelledby="${prefix}type-tab" tabindex="0">
<div class="surface"><p class="typed-signature" id="${prefix}typed-signature" dir="auto" data-empty="${isInitials ? file.typedInitialsEmpty : text.typedEmpty}" aria-hidden="true"></p></div>
<p class="hint">${isInitials ? file.typedInitialsHint : text.typedHint}</p>
</div>
<div role="tabpanel" id="${prefix}draw-panel" aria-labelledby="${prefix}draw-tab" hidden>
<div id="${prefix}draw-here">
<div class="surface"><canvas id="${prefix}drawing" class="drawing" role="img" aria-label="${isInitials ? file.initialsDrawingArea : text.drawingArea}" aria-describedby="${prefix}draw-hint"></canvas></div>
<div class="draw-foot">
<p class="hint" id="${prefix}draw-hint">${text.drawHint}</p>
<button type="button" class="button button-small" id="${prefix}clear">${text.clear}</button>
<button type="button" class="button button-small phone-offer" id="${prefix}phone" hidden>${text.phone.offer}</button>
</div>
</div>
${phoneCode(text, prefix)}<p class="hint" id="${prefix}phone-status" role="status"></p>
</div>
${uploadPanel(text, prefix)}<p class="error" id="${prefix}signature-error" role="alert"></p>
</div>`;
}

function tab(kind: string, name: string, prefix: string, isSelected: boolean): Html {
  return html`<button type="button" role="tab" id="${prefix}${kind}-tab" data-kind="${kind}" aria-controls="${prefix}${kind}-panel" aria-selected="${String(isSelected)}"${!isSelected && html` tabindex="-1"`}>${name}</button>`;
}

/** The code that a phone reads, in place of the drawing area while the page waits for the phone. */
function phoneCode({ phone }: PageTexts, prefix: string): Html {
  return html`<div class="phone-code" id="${prefix}phone-code" hidden>
<svg class="qr" id="${prefix}phone-qr" role="img" aria-label="${phone.codeLabel}"></svg>
<div>
<p class="phone-instructions">${phone.instructions}</p>
<button type="button" class="button button-small" id="${prefix}phone-cancel">${phone.drawHere}</button>
</div>
</div>
`;
}

function uploadPanel(text: PageTexts, prefix: string): Html {
  return html`<div role="tabpanel" id="${prefix}upload-panel" aria-labelledby="${prefix}upload-tab" hidden>
${pictureInput(text, prefix)}</div>
`;
}

/** Renders the input for an image file, with the place where its picture is shown. */
export function pictureInput({ file }: PageTexts, prefix: string): Html {
  return html`<div class="surface uploaded" id="${prefix}uploaded"></div>
<label class="upload-label" for="${prefix}upload">${file.uploadLabel}</label>
<input type="file" id="${prefix}upload" accept="${pictureTypes}" aria-describedby="${prefix}upload-hint">
<p class="hint" id="${prefix}upload-hint">${file.uploadHint}</p>
`;
}

/** The types of image files that are offered to choose from. Phones offer the camera too. */
export const pictureTypes = 'image/png,image/jpeg,image/webp';
