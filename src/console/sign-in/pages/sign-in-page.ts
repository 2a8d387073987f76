import { type Html, html } from '../../../http/html.ts';
import type { Language } from '../../../platform/language.ts';
import { signInPath } from '../../core/next-path.ts';
import { renderShell } from './shell.ts';
import { ssoTexts } from './sso-texts.ts';
import { type Texts, texts } from './texts.ts';

export interface SignInView {
  language: Language;
  /** Where to go after signing in: a document to sign, or the console. */
  next: string;
  hasPasskeys: boolean;
  /** Whether to show help for the operator. Only true on the server itself. */
  showsMailbox: boolean;
}

/** Renders the page at the server's address for people who are not signed in: the sign-in form, and links for others. */
export function renderSignInPage({ language, next, hasPasskeys, showsMailbox }: SignInView): string {
  const text = texts[language];
  return renderShell(
    language,
    text.signIn,
    html`<section class="card" aria-labelledby="title">
<h1 id="title">${text.signIn}</h1>
<p class="lead">${text.tagline}</p>
<noscript><p class="problem">${text.scriptNeeded}</p></noscript>
<form id="password-form" class="needs-script" novalidate>
<div class="field">
<label for="email">${text.email}</label>
<input id="email" name="email" type="email" autocomplete="username webauthn" required maxlength="254" spellcheck="false" autocapitalize="off" aria-describedby="problem">
</div>
<div class="sso" id="sso-offer" hidden>
<p class="hint" id="sso-hint">${ssoTexts[language].offer}</p>
<button type="button" class="button button-primary" id="use-sso" aria-describedby="sso-hint">${ssoTexts[language].continue}</button>
</div>
<div class="field">
<label for="password">${text.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1000" aria-describedby="problem">
</div>
<p class="problem" id="problem" role="alert"></p>
<button type="submit" class="button button-primary" id="sign-in">${text.signIn}</button>
<p class="hint" id="link-hint">${text.sendLinkHint}</p>
<div class="others">
<button type="button" class="button" id="send-link" aria-describedby="link-hint">${text.sendLink}</button>
${hasPasskeys && html`<button type="button" class="button" id="use-passkey">${text.usePasskey}</button>\n`}</div>
</form>
</section>
${ways(text, showsMailbox)}`,
    next,
  );
}

/** Renders the form for the second factor. */
export function renderSecondFactorPage({
  language,
  next,
  hasPasskeys,
}: Pick<SignInView, 'language' | 'next' | 'hasPasskeys'>): string {
  const text = texts[language];
  const startAgain = next === '/' ? '/?again' : `${signInPath(next)}&again`;
  return renderShell(
    language,
    text.secondFactor,
    html`<section class="card" aria-labelledby="title">
<h1 id="title">${text.secondFactor}</h1>
<p>${text.secondFactorText}</p>
<form id="code-form" class="needs-script" novalidate>
<div class="field">
<label for="code">${text.code}</label>
<p class="hint" id="code-hint">${text.codeHint}</p>
<input id="code" name="code" type="text" autocomplete="one-time-code" required maxlength="40" spellcheck="false" autocapitalize="off" aria-describedby="code-hint problem">
</div>
<p class="problem" id="problem" role="alert"></p>
<button type="submit" class="button button-primary">${text.confirm}</button>
${hasPasskeys && html`<div class="others"><button type="button" class="button" id="use-passkey">${text.usePasskey}</button></div>\n`}</form>
<p><a href="${startAgain}">${text.startAgain}</a></p>
</section>`,
    next,
  );
}

function ways(text: Texts, showsMailbox: boolean): Html {
  return html`<ul class="ways">
<li><h2>${text.askedToSign}</h2>
<p>${text.askedToSignText}</p></li>
<li><h2>${text.verifyPdf}</h2>
<p>${text.verifyText}</p>
<p class="links"><a href="/verify">${text.verifyLink}</a></p></li>
<li><h2>${text.programs}</h2>
<p>${text.programsText}</p>
<p class="links"><a href="/docs">${text.reference}</a> <a href="/docs/openapi.json">${text.description}</a></p></li>
${
  showsMailbox &&
  html`<li><h2>${text.operator}</h2>
<p>${text.operatorText} <code>bin/countersign user sign-in-link ID</code></p>
<p class="links"><a href="/mailbox">${text.mailbox}</a></p></li>
`
}</ul>`;
}
