import { type Html, html } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import { texts } from '../../page-texts/texts.ts';
import { type Entered, stampPicture } from '../form-body.ts';
import { initialsLengthMax, nameLengthMax, reasonLengthMax, unitsMax } from '../text-lengths.ts';
import { signingAssets } from './assets.ts';
import { documentFoot, documentHead } from './document-parts.ts';
import { nameFields } from './field-controls.ts';
import { filePages } from './file-pages.ts';
import { fieldControls, textControl } from './form-controls.ts';
import { stampControl } from './form-file-controls.ts';
import { described, errorOf, type Told } from './form-parts.ts';
import { type FormShown, summary, tell } from './form-summary.ts';
import { langOf, type MenuForm } from './language-menu.ts';
import { branded, masthead, personText } from './masthead.ts';
import { outcome } from './outcome.ts';
import { commentLink, delegationLink, disclosure, isApprover, knownName, meaning } from './panel-parts.ts';
import type { LockedPageView, SigningPageView } from './signing-page-view.ts';

/** Renders the page that needs no script, in any state of the document. */
export function renderFormPage(view: SigningPageView | LockedPageView, shown: FormShown): string {
  const text = texts[view.language];
  const told = tell(view, shown);
  const title = 'document' in view ? view.document.title : view.title;
  const content = 'document' in view ? openPage(view, shown, told) : lockedPage(view, shown, told);
  const { urlOf, fileStylesheets } = signingAssets();
  return renderPage({
    language: view.language,
    title: `${told.length > 0 ? `${text.form.errorTitle} ` : ''}${title} – ${view.accountName}`,
    icon: urlOf('icon.svg'),
    stylesheets: branded(fileStylesheets, view.brand),
    referrer: 'same-origin',
    body: html`<body class="plain-page">
${masthead(view, menuForm(view))}
<main id="page" class="desk desk-single" data-state="${view.state.kind}">
${told.length > 0 && summary(view, told)}${notice(view, shown)}${content}
</main>
<footer class="colophon">
<p>${'document' in view ? text.personalLink(personText(view.recipient.name)) : text.personalLinkOfSomebody}</p>
<p>${text.sentWith} · <a href="${view.address}">${text.form.withScript}</a></p>
</footer>
</body>`,
  });
}

/** The form that has what was entered, so that another language loses none of it. */
function menuForm(view: SigningPageView | LockedPageView): MenuForm | null {
  const { kind } = view.state;
  if (kind === 'needs_code') return { id: 'entered', defaultAction: 'verify' };
  if (kind === 'needs_account' && !('document' in view) && view.account?.address) {
    return { id: 'entered', defaultAction: 'account' };
  }
  return kind === 'open' && !('document' in view && view.handOver) ? { id: 'entered', defaultAction: null } : null;
}

function notice({ language }: Pick<LockedPageView, 'language'>, { done, shownCode }: FormShown): Html | null {
  const { form, script } = texts[language];
  const words = { saved: form.saved, code: script.codeSent, link: script.linkSent };
  const sentence = shownCode ? script.codeShown.replace('{code}', shownCode) : done ? words[done] : null;
  return sentence === null ? null : html`<p class="notice form-notice" role="status">${sentence}</p>\n`;
}

function openPage(view: SigningPageView, shown: FormShown, told: readonly Told[]): Html {
  if (view.handOver) return handOver(view);
  const isOpen = view.state.kind === 'open';
  const forms = { finish: finishForm(view), account: null };
  const isFileShown = view.file !== null && ['open', 'signed', 'approved', 'completed'].includes(view.state.kind);
  const { file } = view;
  return html`<article class="document" aria-labelledby="title">
<div class="document-card document-head">
${documentHead(view, isOpen ? null : outcome({ ...view, forms }))}
</div>
${isFileShown && file && filePages(view, file, { hasScript: false })}
<div class="document-card document-foot">
${documentFoot(view)}
</div>
</article>
${isOpen && html`<div class="panel">\n${signForm(view, shown, told)}\n${declineForm(view, shown, told)}\n${delegationLink(view)}${commentLink(view)}\n</div>`}`;
}

function signForm(view: SigningPageView, { entered }: FormShown, told: readonly Told[]): Html {
  const text = texts[view.language];
  const approver = isApprover(view);
  const named = view.file ? nameFields(view.language, view.file.fields) : [];
  const name = entered?.fullName ?? knownName(view);
  const hasInitials = named.some(({ field }) => field.type === 'initials');
  const hasStamp = named.some(({ field }) => field.type === 'stamp');
  const hasFiles = hasStamp || named.some(({ field }) => field.type === 'upload');
  // The menu of languages begins with a disabled button of this form, which keeps Enter from signing.
  return html`<section aria-labelledby="sign-heading">
<h2 id="sign-heading">${approver ? text.approveHeading : text.signHeading}</h2>
<p class="hint form-hint">${text.form.withScriptHint} <a href="${view.address}">${text.form.withScript}</a></p>
<form method="post" action="${view.address}/form" id="entered" novalidate${hasFiles && html` enctype="multipart/form-data"`}>
${languageInput(view)}<input type="hidden" name="disclosure" value="${view.disclosure.version}">
<input type="hidden" name="shown" value="${view.shown.sha256}">
${named.length > 0 && html`<fieldset><legend>${text.form.fieldsHeading}</legend>\n${fieldControls(view, named, entered, told)}</fieldset>`}
${
  hasInitials &&
  textControl(told, {
    id: 'initials',
    name: 'initials',
    label: text.file.initials,
    hint: text.form.initialsHint,
    value: entered?.initials ?? '',
    lengthMax: initialsLengthMax,
    isRequired: false,
  })
}
${hasStamp && stampControl(view, entered, told)}
${textControl(told, {
  id: 'full-name',
  name: 'full_name',
  label: text.fullName,
  hint: `${text.fullNameHint}${approver ? '' : ` ${text.typedHint}`}`,
  value: name,
  lengthMax: nameLengthMax,
  isRequired: true,
})}
${meaning(view)}
${disclosure(view)}
${consentControl(view, entered, told)}
<div class="form-buttons">
<button type="submit" class="button button-primary" name="action" value="sign" aria-describedby="meaning">${approver ? text.approve : text.sign}</button>
${named.length > 0 && html`<button type="submit" class="button" name="action" value="save">${text.form.save}</button>`}
</div>
</form>
</section>`;
}

function consentControl(view: SigningPageView, entered: Entered | undefined, told: readonly Told[]): Html | null {
  if (view.consentStatement === null) return null;
  return html`<div class="field tick consent">
<input id="consent" name="consent" type="checkbox" value="true"${entered?.isConsentTicked === true && html` checked`} required autocomplete="off"${described(told, 'consent', false)}>
<label for="consent"${langOf(view)}>${view.consentStatement}</label>
${errorOf(told, 'consent')}</div>`;
}

function declineForm(view: SigningPageView, { reason = '' }: FormShown, told: readonly Told[]): Html {
  const text = texts[view.language];
  const isOpen = told.some(({ target }) => target === 'reason') || reason !== '';
  return html`<details class="form-decline"${isOpen && html` open`}>
<summary>${text.decline}</summary>
<h2>${isApprover(view) ? text.declineHeadingApprover : text.declineHeading}</h2>
<p id="decline-meaning">${text.declineMeaning(personText(view.accountName))}</p>
<div class="field">
<label for="reason">${text.reason}</label>
<p class="hint" id="reason-hint">${text.reasonHint}</p>
<textarea id="reason" name="reason" form="entered" dir="auto" rows="5" maxlength="${unitsMax(reasonLengthMax)}" autocomplete="off"${described(told, 'reason', true)}>
${reason}</textarea>
${errorOf(told, 'reason')}</div>
<button type="submit" form="entered" class="button button-danger" name="action" value="decline" aria-describedby="decline-meaning">${text.declineToSign}</button>
</details>`;
}

function finishForm(view: Pick<SigningPageView, 'language' | 'address' | 'isInPerson'>): Html {
  const text = texts[view.language];
  return html`<form class="finish" method="post" action="${view.address}/form">
<button type="submit" class="button" name="action" value="finish" aria-describedby="finish-hint">${text.finish}</button>
<p class="hint" id="finish-hint">${view.isInPerson ? text.finishHintInPerson : text.finishHint}</p>
</form>`;
}

/** The form for a sign-in link. It carries along what was entered before it was needed. */
function accountForm(view: LockedPageView, shown: FormShown): Html | null {
  const text = texts[view.language];
  if (view.account === null) return null;
  const { address, isShown } = view.account;
  if (address === null) return html`<p>${text.linkNowhere(personText(view.accountName))}</p>`;
  return html`<form method="post" action="${view.address}/form" id="entered">
${languageInput(view)}${hiddenInputs(shown)}<p>${isShown ? text.linkShownHere : text.linkGoesTo(html`<bdi class="number">${address}</bdi>`)}</p>
${!isShown && html`<p>${text.form.linkNeedsScript}</p>\n`}<p><button type="submit" class="button button-primary" name="action" value="account">${text.sendLink}</button></p>
</form>`;
}

function handOver(view: SigningPageView): Html {
  const { file, sentBy } = texts[view.language];
  const recipient = personText(view.recipient.name);
  return html`<article class="document-card" aria-labelledby="title">
<header class="title-block">
<h1 id="title" dir="auto"${langOf(view)}>${view.document.title}</h1>
<p class="byline">${sentBy(personText(view.accountName))}</p>
</header>
<h2>${file.handOverHeading(recipient)}</h2>
<p>${file.handOverText(recipient)}</p>
<p id="begin-hint">${file.handOverBegin(recipient)}</p>
<form method="post" action="${view.address}/form">
<button type="submit" class="button button-primary" name="action" value="begin" aria-describedby="begin-hint">${file.begin}</button>
</form>
</article>`;
}

function lockedPage(view: LockedPageView, shown: FormShown, told: readonly Told[]): Html {
  const text = texts[view.language];
  const sender = personText(view.accountName);
  const forms = { finish: finishForm({ ...view, isInPerson: false }), account: accountForm(view, shown) };
  const asSigner = { ...view, recipient: { kind: 'signer' as const }, isInPerson: false, forms };
  return html`<article class="document-card" aria-labelledby="title">
<header class="title-block">
<h1 id="title" dir="auto"${langOf(view)}>${view.title}</h1>
<p class="byline">${text.sentBy(sender)}</p>
</header>
${view.state.kind === 'needs_code' ? codeForms(view, view.state.opens, shown, told) : outcome(asSigner)}
</article>`;
}

/** The forms for a code. They carry along what was entered before it was needed. */
function codeForms(view: LockedPageView, opens: 'document' | 'copy', shown: FormShown, told: readonly Told[]): Html {
  const text = texts[view.language];
  const sender = personText(view.accountName);
  const { phoneEnding, isShown } = view.code;
  const number =
    phoneEnding === '' ? null : html`<span class="number" dir="ltr">${text.numberEnding(phoneEnding)}</span>`;
  const hidden = html`${languageInput(view)}${hiddenInputs(shown)}`;
  return html`<section aria-labelledby="code-heading">
<h2 id="code-heading">${text.codeHeading}</h2>
<p>${opens === 'copy' ? text.codeForCopy(sender) : text.codeForDocument(sender)}</p>
<form method="post" action="${view.address}/form">
${hidden}<p id="code-number">${isShown ? text.codeShownHere : text.codeGoesTo(number)}</p>
<button type="submit" class="button" name="action" value="code" aria-describedby="code-number">${text.sendCode}</button>
</form>
<form method="post" action="${view.address}/form" id="entered" novalidate>
${hidden}<div class="field form-code">
<label for="code">${text.code}</label>
<p class="hint" id="code-hint">${text.codeHint}</p>
<input id="code" name="code" type="text" value="${shown.code ?? ''}" inputmode="numeric" autocomplete="one-time-code" required maxlength="40" spellcheck="false"${described(told, 'code', true)}>
${errorOf(told, 'code')}</div>
<button type="submit" class="button button-primary" name="action" value="verify">${text.verify}</button>
</form>
${!isShown && html`<p class="hint">${text.codeWrongNumber(sender)}</p>`}
</section>`;
}

/** The language by which the form's numbers are read. */
function languageInput({ language }: Pick<LockedPageView, 'language'>): Html {
  return html`<input type="hidden" name="language" value="${language}">
`;
}

function hiddenInputs({ entered, reason }: FormShown): Html {
  const values: (readonly [string, string])[] = [];
  if (reason) values.push(['reason', reason]);
  if (entered !== undefined) {
    values.push(['full_name', entered.fullName], ['initials', entered.initials]);
    if (entered.stamp) values.push([stampPicture, entered.stamp]);
    if (entered.isConsentTicked) values.push(['consent', 'true']);
    for (const [id, value] of entered.fields) values.push([`field.${id}`, value ?? '']);
  }
  return html`${values.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}`;
}
