import { fieldFileTypes } from '../../documents/field-file.ts';
import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { type Entered, fieldPrefix, filePrefix, removePrefix, stampPicture } from '../form-body.ts';
import type { NamedField } from './field-controls.ts';
import { described, errorOf, nameIn, type Told } from './form-parts.ts';
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

/**
 * Renders the input for the file of a field, with the one that is kept. The id of that file is sent along, so that the recipient
 * signs with the file that the page shows.
 */
export function uploadControl(
  view: SigningPageView,
  named: NamedField,
  entered: Entered | undefined,
  told: readonly Told[],
): Html {
  const { field, number } = named;
  const { file: text, form } = texts[view.language];
  const id = `field-${number}`;
  const isRemoved = entered?.fields.get(field.id) === null;
  const kept = isRemoved ? null : (field.file ?? null);
  return html`<div class="field">
<label for="${id}">${nameIn(view, named)}, ${field.required ? text.required : text.optional}</label>
<p class="hint" id="${id}-hint">${text.fieldFileHint}</p>
${kept && html`<p>${form.fileKept} <a href="${view.address}/files/${field.id}" dir="auto">${kept.name}</a></p>\n`}<input id="${id}" name="${filePrefix}${field.id}" type="file" accept="${Object.values(fieldFileTypes).join()}"${described(told, id, true)}>
<input type="hidden" name="${fieldPrefix}${field.id}" value="${kept?.id ?? ''}">
${errorOf(told, id)}</div>
${kept && html`<div class="field tick"><input id="${id}-remove" name="${removePrefix}${field.id}" type="checkbox" value="true" autocomplete="off"><label for="${id}-remove">${form.fileRemove}</label></div>\n`}`;
}
