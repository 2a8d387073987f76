import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { signingAssets } from './assets.ts';
import type { AttachedFile, SigningPageView } from './signing-page-view.ts';

/**
 * Renders the offer to fill in the fields of a file as a form, and the empty form. `browser/form-view.ts` moves the fields
 * between the pages and the form, so that both are the same controls. Null without a field that the recipient fills in.
 */
export function formView({ language }: SigningPageView, { fields }: AttachedFile): Html | null {
  if (fields.every(({ isFixed, calculation }) => isFixed || calculation !== null)) return null;
  const { form, formView: text } = texts[language];
  const { formViewScript, formViewStylesheet } = signingAssets();
  const read = html`<button type="button" class="button form-read">${text.read}</button>`;
  return html`<div class="form-offer needs-script" id="form-offer">
<p id="form-offer-words">${text.offer}</p>
<button type="button" class="button" id="form-open" aria-describedby="form-offer-words">${text.open}</button>
</div>
<section class="form-view" id="form-view" aria-labelledby="form-view-heading" data-script="${formViewScript}" data-stylesheet="${formViewStylesheet}" data-show="${text.show}" data-back="${text.back}" data-empty="${text.empty}" data-tick="${text.tick}" data-choose="${text.choose}" hidden>
<h2 id="form-view-heading" tabindex="-1">${form.fieldsHeading}</h2>
<p class="form-invite">${text.invite}</p>
${read}
<div class="form-rows" id="form-rows"></div>
<div class="form-others" id="form-others" hidden>
<h2>${text.others}</h2>
<div id="form-others-list"></div>
</div>
${read}
</section>`;
}
