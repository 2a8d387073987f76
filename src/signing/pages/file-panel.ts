import { fieldFileTypes } from '../../documents/field-file.ts';
import { type Html, html } from '../../http/html.ts';
import type { MarkKind } from '../../mark-kinds.ts';
import type { PageTexts } from '../../page-texts/page-texts.ts';
import { texts } from '../../page-texts/texts.ts';
import { initialsLengthMax, unitsMax } from '../text-lengths.ts';
import { icon } from './icons.ts';
import {
  commentLink,
  consentBox,
  declinePart,
  delegationLink,
  disclosure,
  formLink,
  fullNameField,
  isApprover,
  meaning,
} from './panel-parts.ts';
import { pictureInput, signatureTabs } from './signature-tabs.ts';
import type { AttachedFile, SigningPageView } from './signing-page-view.ts';

/**
 * Renders the panel next to or below the file: name and signature, what signing means, and declining. The script moves
 * `#maker` into the dialog while a field asks for the signature, so that only one exists.
 */
export function filePanel(view: SigningPageView): Html {
  const text = texts[view.language];
  const approver = isApprover(view);
  return html`<div class="panel" id="panel">
<noscript>${formLink(view)}</noscript>
<section class="needs-script" id="sign-part" aria-labelledby="sign-heading">
<h2 id="sign-heading">${approver ? text.approveHeading : text.signHeading}</h2>
<form id="sign-form" novalidate>
<div id="maker-home">
<div id="maker" class="maker">
${fullNameField(view)}
${approver ? null : signatureTabs(text)}
${meaning(view)}
${disclosure(view)}
</div>
</div>
${consentBox(view)}
<button type="button" class="button decline-button" id="decline">${text.decline}</button>
${delegationLink(view)}${commentLink(view)}
</form>
</section>
${declinePart(view)}
<p class="visually-hidden" role="status" id="progress"></p>
</div>`;
}

/** Renders the bar at the bottom of the screen: what is left to fill in, `Start` or `Next`, and `Sign`. */
export function actionBar(view: SigningPageView): Html {
  const text = texts[view.language];
  const approver = isApprover(view);
  return html`<section class="bar action-bar needs-script" id="action-bar" aria-label="${text.file.whatIsLeft}"${approver && html` data-approver`}>
<div class="problem" id="sign-problem" role="alert"></div>
<p class="left"><span id="left">${approver ? text.approvalRequested : text.signatureRequested}</span> <span class="saved" id="saved"></span></p>
<button type="button" class="button" id="sign" aria-describedby="meaning">${approver ? text.approve : text.sign}</button>
<button type="button" class="button button-primary" id="start" aria-describedby="left"><span id="start-label">${text.start}</span>${icon('down')}</button>
</section>`;
}

/** Renders the dialogs that fields for marks open while none has been made. */
export function markDialogs(view: SigningPageView, { fields }: AttachedFile): Html {
  const text = texts[view.language];
  const has = (type: MarkKind) => fields.some((field) => field.type === type);
  return html`${has('signature') && dialog(text, 'signature', html`<div id="maker-guest"></div>`)}${has('initials') && dialog(text, 'initials', initialsMaker(view))}${has('stamp') && dialog(text, 'stamp', stampMaker(text))}${fields.some(({ type }) => type === 'upload') && uploadDialog(text)}`;
}

function dialog(text: PageTexts, kind: MarkKind, content: Html): Html {
  const { heading, place } = dialogWords(text, kind);
  return html`<dialog class="mark-dialog" id="${kind}-dialog" aria-labelledby="${kind}-dialog-heading">
<h2 id="${kind}-dialog-heading">${heading}</h2>
${content}
<div class="dialog-buttons">
<button type="button" class="button button-small remove-button" id="${kind}-remove">${text.file.remove}</button>
<button type="button" class="button button-small" id="${kind}-close">${text.cancel}</button>
<button type="button" class="button button-small button-primary" id="${kind}-place">${place}</button>
</div>
</dialog>
`;
}

function dialogWords({ file }: PageTexts, kind: MarkKind): { heading: string; place: string } {
  switch (kind) {
    case 'signature':
      return { heading: file.signatureDialog, place: file.placeSignature };
    case 'initials':
      return { heading: file.initialsDialog, place: file.placeInitials };
    case 'stamp':
      return { heading: file.stampDialog, place: file.placeStamp };
  }
}

/** Renders the dialog in which a file is attached to a field. */
function uploadDialog(text: PageTexts): Html {
  const { file } = text;
  return html`<dialog class="mark-dialog" id="upload-dialog" aria-labelledby="upload-dialog-heading">
<h2 id="upload-dialog-heading"></h2>
<p><a id="field-file-kept" dir="auto" download hidden></a></p>
<div class="field">
<label for="field-file">${file.fieldFile}</label>
<p class="hint" id="field-file-hint">${file.fieldFileHint}</p>
<input type="file" id="field-file" accept="${Object.values(fieldFileTypes).join()}" aria-describedby="field-file-hint field-file-error">
<p class="error" id="field-file-error" role="alert"></p>
<p class="hint" id="field-file-status" role="status"></p>
</div>
<div class="dialog-buttons">
<button type="button" class="button button-small remove-button" id="upload-remove" hidden>${file.remove}</button>
<button type="button" class="button button-small button-primary" id="upload-close">${file.done}</button>
</div>
</dialog>
`;
}

function stampMaker(text: PageTexts): Html {
  return html`<div class="signature">
${pictureInput(text, 'stamp-')}<p class="error" id="stamp-signature-error" role="alert"></p>
</div>`;
}

function initialsMaker(view: SigningPageView): Html {
  const text = texts[view.language];
  return html`<div class="maker">
<div class="field">
<label for="initials-text">${text.file.initials}</label>
<p class="hint" id="initials-text-hint">${text.file.initialsHint}</p>
<input id="initials-text" type="text" dir="auto" maxlength="${unitsMax(initialsLengthMax)}" autocomplete="off" autocapitalize="characters" spellcheck="false" enterkeyhint="done" aria-describedby="initials-text-hint initials-text-error">
<p class="error" id="initials-text-error" role="alert"></p>
</div>
${isApprover(view) ? null : signatureTabs(text, { prefix: 'initials-' })}
</div>`;
}
