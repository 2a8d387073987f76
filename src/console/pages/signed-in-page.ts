import type { MemberRole } from '../../accounts/members.ts';
import { html } from '../../http/html.ts';
import { renderShell } from './shell.ts';
import { type Language, texts } from './texts.ts';

/** Who one is signed in as, and the way out. */
export function renderSignedInPage(
  language: Language,
  { email, company }: { email: string; company: { name: string; role: MemberRole } | null },
): string {
  const text = texts[language];
  return renderShell(
    language,
    text.signedInAs,
    html`<section class="card" aria-labelledby="title">
<h1 id="title">${text.signedInAs} <bdi>${email}</bdi></h1>
${
  company === null
    ? html`<p>${text.noCompany}</p>`
    : html`<dl><div><dt>${text.company}</dt><dd><bdi>${company.name}</bdi></dd></div>
<div><dt>${text.role}</dt><dd>${text.roles[company.role]}</dd></div></dl>`
}
<p class="problem" id="problem" role="alert"></p>
<button type="button" class="button" id="sign-out">${text.signOut}</button>
</section>`,
  );
}
