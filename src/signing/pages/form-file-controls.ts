import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { type Entered, stampPicture } from '../form-body.ts';
import { described, errorOf, type Told } from './form-controls.ts';
import { pictureTypes } from './signature-tabs.ts';
import type { SigningPageView } from './signing-page-view.ts';

/**
 * Renders the input for a stamp in the form that needs no script. Browsers never fill in a file, so a picture that was received is
 * carried along.
 */
export function stampControl(view: SigningPageView, entered: Entered | undefined, told: readonly Told[]): Html {
  const { form } = texts[view.language];
  const kept = entered?.stamp || null;
  return html`<div class="field">
<label for="stamp">${form.stamp}</label>
<p class="hint" id="stamp-hint">${form.stampHint}${kept && html` ${form.stampKept}`}</p>
<input id="stamp" name="stamp" type="file" accept="${pictureTypes}"${described(told, 'stamp', true)}>
${kept && html`<input type="hidden" name="${stampPicture}" value="${kept}">\n`}${errorOf(told, 'stamp')}</div>
`;
}
