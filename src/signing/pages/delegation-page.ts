import { type Html, html } from '../../http/html.ts';
import { renderPage } from '../../http/page.ts';
import { texts } from '../../page-texts/texts.ts';
import { nameLengthMax, reasonLengthMax, unitsMax } from '../text-lengths.ts';
import { signingAssets } from './assets.ts';
import { textControl } from './form-controls.ts';
import { described, errorOf, type KeptFormView, type Told, verificationEnded } from './form-parts.ts';
import { langOf } from './language-menu.ts';
import { branded, masthead, personText } from './masthead.ts';
import type { LockedPageView } from './signing-page-view.ts';

export type DelegationProblem =
  | 'invalid_name'
  | 'invalid_email'
  | 'invalid_phone'
  | 'invalid_reason'
  | 'same_person'
  | 'too_many_links'
  | 'verification_required';

/** What somebody entered. */
export interface EnteredPerson {
  name: string;
  email: string;
  phone: string;
  reason: string;
}

export interface DelegationView
  extends KeptFormView,
    Pick<LockedPageView, 'documentLanguage' | 'accountName' | 'brand' | 'testMode' | 'title'> {
  isApprover: boolean;
  /** What is needed to reach the new person. */
  asks: { email: boolean; phone: boolean };
  entered: EnteredPerson;
  problems: readonly DelegationProblem[];
}

/** Longer addresses and numbers don't exist. */
const contactLengthMax = 254;

/** The keyboards of phones. */
const keyboards = { name: 'text', email: 'email', phone: 'tel' } as const;

/** Renders the form on which a recipient names the person who should act instead. */
export function renderDelegationPage(view: DelegationView): string {
  const text = texts[view.language];
  const { delegation } = text;
  const told = tell(view);
  const { urlOf, fileStylesheets } = signingAssets();
  const heading = view.isApprover ? delegation.headingApprover : delegation.heading;
  return renderPage({
    language: view.language,
    title: `${told.length > 0 ? `${text.form.errorTitle} ` : ''}${heading} – ${view.title}`,
    icon: urlOf('icon.svg'),
    stylesheets: branded(fileStylesheets, view.brand),
    referrer: 'same-origin',
    body: html`<body class="plain-page">
${masthead({ ...view, isPreview: false }, { id: 'entered', defaultAction: 'delegate' })}
<main id="page" class="desk desk-single">
${told.length > 0 && summary(view, told)}<article class="document-card" aria-labelledby="heading">
<p class="byline"${langOf(view)}>${view.title}</p>
<h1 id="heading">${heading}</h1>
<p>${delegation.intro(personText(view.accountName))}</p>
${form(view, told)}
</article>
</main>
<footer class="colophon">
<p>${text.sentWith}</p>
</footer>
</body>`,
  });
}

function form(view: DelegationView, told: readonly Told[]): Html {
  const { delegation } = texts[view.language];
  const { asks, entered } = view;
  const control = (id: 'name' | 'email' | 'phone', label: string, hint: string | null, lengthMax: number) =>
    textControl(told, {
      ...{ id, name: id, label, hint, value: entered[id], lengthMax, isRequired: true },
      inputMode: keyboards[id],
    });
  return html`<form method="post" action="${view.address}/delegate" id="entered" novalidate>
${control('name', delegation.name, null, nameLengthMax)}${asks.email && control('email', delegation.email, null, contactLengthMax)}${asks.phone && control('phone', delegation.phone, delegation.phoneHint, contactLengthMax)}<div class="field">
<label for="reason">${delegation.reason}</label>
<p class="hint" id="reason-hint">${delegation.reasonHint}</p>
<textarea id="reason" name="reason" dir="auto" rows="3" maxlength="${unitsMax(reasonLengthMax)}" autocomplete="off"${described(told, 'reason', true)}>
${entered.reason}</textarea>
${errorOf(told, 'reason')}</div>
<div class="form-buttons">
<button type="submit" class="button button-primary" name="action" value="delegate">${delegation.passOn}</button>
<a class="button" href="${view.address}">${delegation.back}</a>
</div>
</form>`;
}

function tell(view: DelegationView): Told[] {
  const { delegation, form: words } = texts[view.language];
  return view.problems.map((problem) => {
    if (problem === 'verification_required') return verificationEnded(view);
    if (problem === 'too_many_links') return { target: null, words: words.tooMany };
    const target = problem === 'same_person' ? 'name' : problem.slice('invalid_'.length);
    return { target, words: delegation.problems[problem] };
  });
}

/** Lists what is wrong, with links to the controls. */
function summary({ language }: DelegationView, told: readonly Told[]): Html {
  const { form: words } = texts[language];
  return html`<section class="problem form-summary" role="alert" aria-labelledby="summary-heading">
<h2 id="summary-heading">${words.problemHeading}</h2>
<ul>${told.map(({ target, words: sentence }) => html`<li>${target === null ? sentence : html`<a href="#${target}">${sentence}</a>`}</li>`)}</ul>
</section>
`;
}
