import { type Html, html, jsonData } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import { texts } from '../../page-texts/texts.ts';
import { signingAssets } from './assets.ts';
import { documentBody, documentFoot, documentHead } from './document-parts.ts';
import { filePages } from './file-pages.ts';
import { actionBar, filePanel, markDialogs } from './file-panel.ts';
import { formView } from './form-view.ts';
import { handOver } from './hand-over.ts';
import { langOf } from './language-menu.ts';
import { branded, masthead, personText } from './masthead.ts';
import { openPanel, readingBar } from './open-panel.ts';
import { outcome } from './outcome.ts';
import { lateNotice } from './panel-parts.ts';
import type { FileScriptTexts, SavedOffer } from './script-contract.ts';
import type { AttachedFile, LockedPageView, PageField, SigningPageView, SigningState } from './signing-page-view.ts';
import { verification } from './verification.ts';

export {
  renderErrorPage,
  renderFinishedPage,
  renderPassedOnPage,
  renderReassignedLinkPage,
  renderRefusedFormPage,
  renderTooManyRequestsPage,
  renderUnknownAddressPage,
  renderUnknownLinkPage,
} from './notice-pages.ts';
export type {
  AttachedFile,
  LockedPageView,
  PageBrand,
  PageField,
  PageRecipient,
  ShownSigner,
  SigningPageView,
  SigningState,
} from './signing-page-view.ts';

/**
 * Renders a recipient's page as an HTML document. Rendering records nothing, because mail gateways fetch every link. The
 * script reports viewing, signing and declining.
 */
export function renderSigningPage(view: SigningPageView): string {
  if (view.handOver) return renderHandOver(view);
  const { file } = view;
  const isOpen = view.state.kind === 'open';
  const showsFile = file !== null && fileIsShown[view.state.kind] === true;
  return render(view, {
    title: view.document.title,
    state: view.state.kind,
    isSingle: !isOpen,
    hasFile: showsFile,
    attributes: html`${view.isVerified && html` data-verified`}${view.isInPerson && html` data-in-person`} data-disclosure="${view.disclosure.version}" data-shown="${view.shown.sha256}"${view.language !== view.documentLanguage && html` data-language="${view.language}"`}${view.shown.isLive && html` data-live-shown`} data-draw-tab="${signingAssets().drawTabScript}" data-signature-pad="${signingAssets().urlOf('signature-pad.js')}"`,
    content: showsFile ? filePage(view, file) : documentPage(view),
    personalLink: texts[view.language].personalLink(personText(view.recipient.name)),
  });
}

/** The states in which the file is shown: not before the recipient's turn, nor after the document ended uncompleted. */
const fileIsShown: Partial<Record<SigningState['kind'], true>> = {
  open: true,
  signed: true,
  approved: true,
  completed: true,
};

function documentPage(view: SigningPageView): Html {
  const isOpen = view.state.kind === 'open';
  return html`<div class="document">
${documentBody(view, isOpen ? null : outcome(view))}
${isOpen ? readingBar(view) : null}
</div>
${isOpen ? openPanel(view) : null}`;
}

function filePage(view: SigningPageView, file: AttachedFile): Html {
  const isOpen = view.state.kind === 'open';
  return html`<article class="document" aria-labelledby="title">
<div class="document-card document-head">
${documentHead(view, isOpen ? null : outcome(view))}
</div>
${isOpen && formView(view, file)}
${filePages(view, file, { hasScript: true })}
<div class="document-card document-foot">
${documentFoot(view)}
</div>
</article>
${isOpen && html`${filePanel(view)}\n${actionBar(view)}\n${markDialogs(view, file)}`}
${jsonData('file-texts', fileTexts(view, file))}`;
}

/** Leaves out what is only said about kinds of fields that the recipient doesn't have. */
function fileTexts({ language }: SigningPageView, { fields }: AttachedFile): Partial<FileScriptTexts> {
  const { file, numbers } = texts[language];
  const has = (kind: PageField['type']) => fields.some(({ type }) => type === kind);
  const unsaid: readonly (keyof FileScriptTexts)[] = [
    ...(has('stamp') ? [] : (['stampMissing'] as const)),
    ...(has('upload') ? [] : (['uploadSending', 'uploadReceived'] as const)),
    ...(fields.some(({ condition }) => condition) ? [] : (['fieldsChanged'] as const)),
    ...(fields.some(({ calculation }) => calculation)
      ? []
      : (['unnamed', 'notYet', 'leftEmpty', 'division', 'tooLarge'] as const)),
  ];
  return { ...without(file.script, unsaid), numbers };
}

function without(all: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}

function renderHandOver(view: SigningPageView): string {
  return render(view, {
    title: view.document.title,
    state: 'hand_over',
    isSingle: true,
    hasFile: false,
    attributes: null,
    content: handOver(view),
    personalLink: texts[view.language].personalLink(personText(view.recipient.name)),
  });
}

/** Renders the page before the recipient is identified: it asks for a code or a sign-in, or shows the document's state. */
export function renderLockedPage(view: LockedPageView): string {
  const text = texts[view.language];
  const isSigner = { ...view, recipient: { kind: 'signer' as const }, isInPerson: false };
  return render(view, {
    title: view.title,
    state: view.state.kind,
    isSingle: true,
    hasFile: false,
    attributes: null,
    content: html`<article class="document-card" aria-labelledby="title">
<header class="title-block">
<h1 id="title" dir="auto"${langOf(view)}>${view.title}</h1>
<p class="byline">${text.sentBy(personText(view.accountName))}</p>
</header>
${view.state.kind === 'needs_code' ? verification(view, view.state.opens) : outcome(isSigner)}
</article>`,
    personalLink: text.personalLinkOfSomebody,
  });
}

/** Whether a recipient can do something in this state. */
function needsScript(state: Parts['state']): boolean {
  return ['open', 'needs_code', 'needs_account', 'hand_over'].includes(state);
}

interface Parts {
  title: string;
  /** The state for the script. */
  state: SigningState['kind'] | 'hand_over';
  isSingle: boolean;
  hasFile: boolean;
  attributes: Html | null;
  content: Html;
  personalLink: Html | string;
}

function render(view: SigningPageView | LockedPageView, parts: Parts): string {
  const text = texts[view.language];
  const assets = signingAssets();
  return renderPage({
    language: view.language,
    title: `${parts.title} – ${view.accountName}`,
    icon: assets.urlOf('icon.svg'),
    stylesheets: branded(parts.hasFile ? assets.fileStylesheets : assets.stylesheets, view.brand),
    scripts: parts.hasFile ? assets.fileScripts : assets.scripts,
    body: html`<body>
${masthead(view)}
${!view.isPreview && needsScript(parts.state) && lateNotice(view)}<main id="page" class="${parts.isSingle ? 'desk desk-single' : 'desk'}" data-state="${parts.state}" data-address="${view.address}"${view.isPreview && html` data-preview`}${parts.attributes}>
${parts.content}
</main>
<footer class="colophon" id="colophon">
<p>${parts.personalLink}</p>
<p>${text.sentWith}${leadsToCopy(view.state) && html` · <a href="/verify">${text.file.verifyLink}</a>`}</p>
</footer>
${jsonData('texts', scriptTexts(view, parts.hasFile))}
${'document' in view && savedOffer(view)}</body>`,
  });
}

/** Data for the script that offers a saved signature. Null on the pages of recipients who have none to offer. */
function savedOffer({ language, offersSaved = false, isPreview }: SigningPageView): Html | null {
  if (!offersSaved || isPreview) return null;
  const offer: SavedOffer = { script: signingAssets().savedScript, texts: texts[language].saved };
  return html`${jsonData('saved-offer', offer)}
`;
}

const textsOfCodes: readonly string[] = [
  ...['codeSending', 'codeSent', 'codeShown', 'codeNext', 'codeChecking', 'codeMissing'],
  ...['linkSending', 'linkSent', 'linkNext'],
  ...['invalid_code', 'too_many_codes', 'code_not_sent', 'too_many_links', 'link_not_sent'],
];
const textsOfUploads: readonly string[] = ['file_type_refused', 'file_too_large'];

/** Leaves out what the page never says: about codes and sign-ins with a file, and about files of fields without such a field. */
function scriptTexts(view: SigningPageView | LockedPageView, hasFile: boolean): object {
  const { script } = texts[view.language];
  const hasUploads = hasFile && 'file' in view && view.file?.fields.some(({ type }) => type === 'upload');
  const unsaid = [...(hasFile ? textsOfCodes : []), ...(hasUploads ? [] : textsOfUploads)];
  return { ...without(script, unsaid), refusals: without(script.refusals, unsaid) };
}

/** Whether the recipient has, or will get, the sealed PDF, so that the link to `/verify` is useful. */
function leadsToCopy(state: SigningState): boolean {
  return state.kind === 'completed' || state.kind === 'copy' || (state.kind === 'needs_code' && state.opens === 'copy');
}
