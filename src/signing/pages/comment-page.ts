import { type Html, html } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import { texts } from '../../page-texts/texts.ts';
import { commentLengthMax, unitsMax } from '../text-lengths.ts';
import { signingAssets } from './assets.ts';
import { described, errorOf, type KeptFormView, type Told, verificationEnded } from './form-parts.ts';
import { langOf } from './language-menu.ts';
import { branded, masthead, personText } from './masthead.ts';
import type { LockedPageView } from './signing-page-view.ts';
import { timeElement } from './time-element.ts';

export type CommentProblem = 'invalid_comment' | 'too_many_comments' | 'too_often' | 'verification_required';

export interface CommentView
  extends KeptFormView,
    Pick<LockedPageView, 'documentLanguage' | 'accountName' | 'brand' | 'testMode' | 'title'> {
  /** What the recipient wrote before, oldest first. */
  own: readonly { at: Date; text: string }[];
  entered: string;
  problem: CommentProblem | null;
  /** Whether a comment was just stored. */
  isSent: boolean;
}

/** Renders the form on which a recipient writes to the sender, with what they wrote before. */
export function renderCommentPage(view: CommentView): string {
  const text = texts[view.language];
  const { comments } = text;
  const { urlOf, fileStylesheets } = signingAssets();
  const { heading } = comments;
  return renderPage({
    language: view.language,
    title: `${view.problem !== null ? `${text.form.errorTitle} ` : ''}${heading} – ${view.title}`,
    icon: urlOf('icon.svg'),
    stylesheets: branded(fileStylesheets, view.brand),
    referrer: 'same-origin',
    body: html`<body class="plain-page">
${masthead({ ...view, isPreview: false }, { id: 'entered', defaultAction: 'comment' })}
<main id="page" class="desk desk-single">
${problem(view)}${view.isSent && html`<p class="notice form-notice" role="status">${comments.sent}</p>\n`}<article class="document-card" aria-labelledby="heading">
<p class="byline"${langOf(view)}>${view.title}</p>
<h1 id="heading">${heading}</h1>
<p>${comments.intro(personText(view.accountName))}</p>
${ownComments(view)}${form(view)}
</article>
</main>
<footer class="colophon">
<p>${text.sentWith}</p>
</footer>
</body>`,
  });
}

function ownComments({ language, own }: CommentView): Html | null {
  if (own.length === 0) return null;
  return html`<section aria-labelledby="own-heading">
<h2 id="own-heading">${texts[language].comments.own}</h2>
<ol class="own-comments" role="list">
${own.map(({ at, text }) => html`<li class="own-comment"><p class="hint">${timeElement(at, language)}</p>\n<p class="own-comment-text" dir="auto">${text}</p></li>\n`)}</ol>
</section>
`;
}

function form(view: CommentView): Html {
  const { comments } = texts[view.language];
  const told = toldOf(view);
  return html`<form method="post" action="${view.address}/comment" id="entered" novalidate>
<div class="field">
<label for="comment">${comments.label}</label>
<p class="hint" id="comment-hint">${comments.hint}</p>
<textarea id="comment" name="comment" dir="auto" rows="6" required maxlength="${unitsMax(commentLengthMax)}" autocomplete="off"${described(told, 'comment', true)}>
${view.entered}</textarea>
${errorOf(told, 'comment')}</div>
<div class="form-buttons">
<button type="submit" class="button button-primary" name="action" value="comment">${comments.send}</button>
<a class="button" href="${view.address}">${comments.back}</a>
</div>
</form>`;
}

function toldOf(view: CommentView): Told[] {
  const { language, problem } = view;
  if (problem === null) return [];
  if (problem === 'verification_required') return [verificationEnded(view)];
  return [
    { target: problem === 'invalid_comment' ? 'comment' : null, words: texts[language].comments.problems[problem] },
  ];
}

function problem(view: CommentView): Html | null {
  const { form: words } = texts[view.language];
  const [told] = toldOf(view);
  if (told === undefined) return null;
  const { target, words: sentence } = told;
  return html`<section class="problem form-summary" role="alert" aria-labelledby="summary-heading">
<h2 id="summary-heading">${words.problemHeading}</h2>
<ul><li>${target === null ? sentence : html`<a href="#${target}">${sentence}</a>`}</li></ul>
</section>
`;
}
