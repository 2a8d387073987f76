import { html } from '../../../http/html.ts';
import type { Language } from '../../../platform/language.ts';
import { renderShell } from './shell.ts';
import { texts } from './texts.ts';

/** Renders the page of people who belong to no company: recipients who confirmed an address. */
export function renderSignedInPage(language: Language, email: string): string {
  const text = texts[language];
  return renderShell(
    language,
    text.signedInAs,
    html`<section class="card" aria-labelledby="title">
<h1 id="title">${text.signedInAs} <bdi>${email}</bdi></h1>
<p>${text.noCompany}</p>
<p class="problem" id="problem" role="alert"></p>
<button type="button" class="button" id="sign-out">${text.signOut}</button>
</section>`,
  );
}
